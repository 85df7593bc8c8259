// SPDX-License-Identifier: MIT
//!: ends inside something, or closes too much: a '}', ';' or #endif is missing or one too many
#if 1
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
