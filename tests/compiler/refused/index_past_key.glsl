// SPDX-License-Identifier: MIT
//!:3: '[' : array index out of range '4'
bool before(Key a, Key b) { return a.words[4] < b.words[0]; }
