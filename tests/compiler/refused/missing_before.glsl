// SPDX-License-Identifier: MIT
//!: there is no function 'bool before(Key a, Key b)'
bool after(Key a, Key b) { return a.words[0] > b.words[0]; }
