// SPDX-License-Identifier: MIT
//!:4: 'in' : global storage input qualifier cannot be used in a compute shader
//!:4: 'location' : SPIR-V requires location for user input/output
in vec4 direction;
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
