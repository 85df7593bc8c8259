// SPDX-License-Identifier: MIT
//
// Strings of 16 bytes, filled up with zeros, by the alphabet without regard to case (ASCII). KEY_SIZE 16.

uint letter_at(Key key, uint i) {
    uint letter = key.words[i / 4] >> (i % 4 * 8) & 0xFFu; // the first byte is the lowest of its word
    return letter >= 0x61u && letter <= 0x7Au ? letter - 0x20u : letter;
}

bool before(Key a, Key b) {
    for (uint i = 0; i < 16; ++i) {
        uint letter_a = letter_at(a, i);
        uint letter_b = letter_at(b, i);
        if (letter_a != letter_b) {
            return letter_a < letter_b;
        }
    }
    return false;
}
