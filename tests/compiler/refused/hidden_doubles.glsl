// SPDX-License-Identifier: MIT
//!: needs what the device may not have, such as 64-bit floats (SPIR-V capability 10)
bool before(Key a, Key b) { return uintBitsToFloat(a.words[0]) < 1.0lf; }
