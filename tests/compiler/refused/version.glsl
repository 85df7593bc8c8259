// SPDX-License-Identifier: MIT
//!:3: '#version' : not in a comparator: the kernels have their own
#version 450
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
