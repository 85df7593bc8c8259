// SPDX-License-Identifier: MIT
//!:3: 'Key' : redefinition struct
struct Key { uint words[2]; };
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
