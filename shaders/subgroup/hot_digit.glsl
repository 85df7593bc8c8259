// SPDX-License-Identifier: MIT
//
// A digit that many keys of a subgroup have: additions to its count would take their turns, where ballots count all of them
// at once.
const uint kHot = SUBGROUP_SIZE / 8 + 2; // lanes

// The digit made of the bits that most lanes have, if enough lanes have it, else kRadix. A digit that half of the lanes
// have is found always, one of keys whose bits are mostly alike nearly so.
uint hot_digit(uint digit) {
    uint hot = 0;
    [[unroll]] for (uint bit = 0; bit < kRadixBits; ++bit) {
        uint lanes = subgroupBallotBitCount(subgroupBallot((digit & (1u << bit)) != 0));
        hot |= lanes > SUBGROUP_SIZE / 2 ? 1u << bit : 0;
    }
    return subgroupBallotBitCount(subgroupBallot(digit == hot)) >= kHot ? hot : kRadix;
}
