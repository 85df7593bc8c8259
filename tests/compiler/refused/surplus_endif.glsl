// SPDX-License-Identifier: MIT
//!: ends inside something, or closes too much: a '}', ';' or #endif is missing or one too many
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
#endif
