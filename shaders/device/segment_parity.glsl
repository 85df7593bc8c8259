// SPDX-License-Identifier: MIT
//
// Whether a segment goes on from one word of head flags to the next, for segments in any order that do not overlap. Level 0
// has a bit for each word, every further level a bit for 32 bits of the level before. A bit is set if the begins and ends of
// segments in its span are odd in number. The levels follow the field of ends, level 0 first.

// Words of the level whose last bit is `last`.
uint parity_words_of(uint last) {
    return last / 32 + 1;
}

uint parity_words(uint count) {
    uint words = 0;
    for (uint last = count / 32; last > 0; last /= 32) {
        words += parity_words_of(last);
    }
    return words;
}

uint first_parity_level(uint count) {
    return pc.endsOffset + divide_up(count, 32);
}

// Toggles the bits of both ends of the segment [begin, end), end <= count, below the level where one bit spans both. Few
// segments reach the upper levels, so few invocations write the same word.
void toggle_parities(uint begin, uint end, uint count) {
    uint level = first_parity_level(count);
    uint first = begin / 32;
    uint past = end / 32;
    for (uint last = count / 32; first != past; last /= 32) {
        uint first_bit = 1u << (first % 32);
        uint past_bit = 1u << (past % 32);
        if (first / 32 == past / 32) {
            atomicXor(state[level + first / 32], first_bit | past_bit);
        } else {
            atomicXor(state[level + first / 32], first_bit);
            atomicXor(state[level + past / 32], past_bit);
        }
        level += parity_words_of(last);
        first /= 32;
        past /= 32;
    }
}

// Whether element 32 * w - 1 is in a segment: then the begins and ends in the words before word w are odd in number.
bool goes_on(uint w, uint count) {
    uint level = first_parity_level(count);
    uint changes = 0;
    for (uint last = count / 32; w > 0; last /= 32) {
        changes += bitCount(state[level + w / 32] & ((1u << (w % 32)) - 1));
        level += parity_words_of(last);
        w /= 32;
    }
    return changes % 2 == 1;
}
