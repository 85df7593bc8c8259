// SPDX-License-Identifier: MIT
//!:3: 'layout' : not in a comparator: a comparator has no interface but its two keys
layout(push_constant) Push { uint column; } push;
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
