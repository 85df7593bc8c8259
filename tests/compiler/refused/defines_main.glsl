// SPDX-License-Identifier: MIT
//!:4: 'main' : not in a comparator: the kernels have their own
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
void main() {}
