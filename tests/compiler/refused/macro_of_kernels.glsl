// SPDX-License-Identifier: MIT
//!: the kernels have a 'KEY_LOOP' of their own: choose another name
#define KEY_LOOP for (;;)
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
