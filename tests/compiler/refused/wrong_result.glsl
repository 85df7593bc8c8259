// SPDX-License-Identifier: MIT
//!: there is no function 'bool before(Key a, Key b)'
int before(Key a, Key b) { return int(a.words[0] - b.words[0]); }
