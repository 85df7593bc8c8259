// SPDX-License-Identifier: MIT
//!:4: '#error' : no order
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
#error no order
