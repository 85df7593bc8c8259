// SPDX-License-Identifier: MIT
//
// Which segments go on from one word of head flags to the next, for segments in any order that do not overlap. Level 0 has a
// bit for each such word, every further level one for 32 bits of the level before. A bit is set if an odd number of segments
// begin or end in its span. Behind the field of ends, level 0 first.

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

// Changes the bits of both ends of the segment [begin, end), end <= count, up to the level where one bit has both: few
// segments get far, so that few invocations meet in a word.
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

// Whether of the begins and ends in all words before word w one has no counterpart there: a segment that goes on in word w,
// or ends with its first bit.
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
