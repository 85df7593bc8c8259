// SPDX-License-Identifier: MIT
//!:3: 'double' : not in a comparator: the device may not have 64-bit floats
bool before(Key a, Key b) { return double(a.words[0]) < double(b.words[0]); }
