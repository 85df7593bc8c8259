// SPDX-License-Identifier: MIT
//!:5: 'x' : undeclared identifier

bool before(Key a, Key b) {
    return x < b.words[0];
}
