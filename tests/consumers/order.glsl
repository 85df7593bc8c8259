// SPDX-License-Identifier: MIT
// By the last two decimal places.
bool before(Key a, Key b) {
    return a.words[0] % 100 < b.words[0] % 100;
}
