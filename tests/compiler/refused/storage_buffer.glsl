// SPDX-License-Identifier: MIT
//!:3: 'buffer' : not in a comparator: a comparator sees nothing but its two keys
buffer Table { uint ranks[]; };
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
