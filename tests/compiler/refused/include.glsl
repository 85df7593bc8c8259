// SPDX-License-Identifier: MIT
//!:3: '#include' : not in a comparator: a comparator is one text
#  include "config.glsl"
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
