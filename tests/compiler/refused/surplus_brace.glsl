// SPDX-License-Identifier: MIT
//!:3: syntax error, unexpected RIGHT_BRACE
bool before(Key a, Key b) { return a.words[0] < b.words[0]; } }
