// SPDX-License-Identifier: MIT
//!:3: '#extension' : not in a comparator: the device may not have what it adds
#extension GL_EXT_shader_explicit_arithmetic_types : require
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
