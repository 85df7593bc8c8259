// SPDX-License-Identifier: MIT
//!: a function calls itself, which GLSL does not allow
bool before(Key a, Key b) { return before(b, a); }
