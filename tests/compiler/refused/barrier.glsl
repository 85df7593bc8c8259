// SPDX-License-Identifier: MIT
//!:3: 'barrier' : not in a comparator: comparators run in divergent control flow
bool before(Key a, Key b) { barrier(); return a.words[0] < b.words[0]; }
