// SPDX-License-Identifier: MIT
//!: ends inside something, or closes too much: a '}', ';' or #endif is missing or one too many
bool before(Key a, Key b) {
    return true;
