// SPDX-License-Identifier: MIT
//!:4: syntax error, unexpected RIGHT_BRACE, expecting COMMA or SEMICOLON
bool before(Key a, Key b) {
    return true }
