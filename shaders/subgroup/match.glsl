// SPDX-License-Identifier: MIT
//
// The lanes of the subgroup that hold the same digit, by one ballot a digit bit: all but those whose ballots differ somewhere. Written with a
// select and not with arithmetic on the bit: compilers make a single instruction of it. Masks are uvec4: subgroups have up to 128 lanes.
uvec4 sg_match(uint digit) {
    uvec4 others = uvec4(0);
    if (SUBGROUP_SIZE < 32) {
        others.x = 0xFFFFFFFFu << SUBGROUP_SIZE % 32;
    }
    [[unroll]] for (uint bit = 0; bit < kRadixBits; ++bit) {
        bool set = (digit & (1u << bit)) != 0;
        uvec4 ballot = subgroupBallot(set);
        uint own = set ? 0xFFFFFFFFu : 0;
        others.x |= ballot.x ^ own;
        if (SUBGROUP_SIZE > 32) {
            others.y |= ballot.y ^ own;
        }
        if (SUBGROUP_SIZE > 64) {
            others.z |= ballot.z ^ own;
            others.w |= ballot.w ^ own;
        }
    }
    return ~others;
}

uint sg_count(uvec4 mask) {
    uint count = bitCount(mask.x);
    if (SUBGROUP_SIZE > 32) {
        count += bitCount(mask.y);
    }
    if (SUBGROUP_SIZE > 64) {
        count += bitCount(mask.z) + bitCount(mask.w);
    }
    return count;
}

bool sg_any(uvec4 mask) {
    return mask.x != 0 || (SUBGROUP_SIZE > 32 && mask.y != 0) || (SUBGROUP_SIZE > 64 && (mask.z | mask.w) != 0);
}
