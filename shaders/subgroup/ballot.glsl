// SPDX-License-Identifier: MIT
//
// The lanes of the subgroup that hold the same digit, by one ballot a digit bit. Written with a select and not with
// arithmetic on the bit: compilers make a single instruction of it. Masks are uvec4: subgroups have up to 128 lanes.
uvec4 sg_match(uint digit) {
    uvec4 peers = uvec4(0xFFFFFFFFu);
    if (SUBGROUP_SIZE < 32) {
        peers.x = (1u << SUBGROUP_SIZE) - 1u;
    }
    [[unroll]] for (uint bit = 0; bit < kRadixBits; ++bit) {
        bool set = (digit & (1u << bit)) != 0;
        uvec4 ballot = subgroupBallot(set);
        peers.x &= set ? ballot.x : ~ballot.x;
        if (SUBGROUP_SIZE > 32) {
            peers.y &= set ? ballot.y : ~ballot.y;
        }
        if (SUBGROUP_SIZE > 64) {
            peers.z &= set ? ballot.z : ~ballot.z;
            peers.w &= set ? ballot.w : ~ballot.w;
        }
    }
    return peers;
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
