// SPDX-License-Identifier: MIT
//!: there is no function 'bool before(Key a, Key b)'
bool before(uint a, uint b) { return a < b; }
