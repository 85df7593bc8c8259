// SPDX-License-Identifier: MIT
//
// Counting digits in shared memory where many lanes may have the same: their additions to one address are serialized. One
// addition for all lanes that have the first lane's digit makes sorted and equal input as quick as any, but costs a ballot,
// so a subgroup looks at one key first.

// Lanes with the same digit from which on a ballot is cheaper.
const uint kHot = SUBGROUP_SIZE / 8 + 1;

uint lanes_in(uvec4 ballot) {
    return subgroupBallotBitCount(ballot);
}

bool sg_none(bool found) {
    return lanes_in(subgroupBallot(found)) == 0;
}

// Adds `each` to counts[digit], a shared array, for each lane; all lanes have the same digit.
#define ADD_DIGIT_OF_ALL(counts, digit, each)              \
    if (gl_SubgroupInvocationID == 0) {                    \
        atomicAdd(counts[digit], (each) * SUBGROUP_SIZE);  \
    }

// Whether many lanes of the subgroup have the first lane's digit. Uniform in a subgroup, all of whose lanes take part.
bool is_hot(uint digit) {
    return lanes_in(subgroupBallot(digit == subgroupBroadcast(digit, 0))) >= kHot;
}

// Adds 1 to counts[digit], a shared array, by all lanes of a subgroup.
#define ADD_HOT_DIGIT(counts, digit)                                   \
    {                                                                      \
        uint added = digit;                                                \
        bool same = added == subgroupBroadcast(added, 0);                  \
        uint peers = lanes_in(subgroupBallot(same));                       \
        if (!same || gl_SubgroupInvocationID == 0) {                       \
            atomicAdd(counts[added], same ? peers : 1);                    \
        }                                                                  \
    }

// The same; `before` becomes what counts[digit] would have been had the lanes come one after another.
#define TAKE_HOT_DIGIT(counts, digit, before)                          \
    {                                                                      \
        uint added = digit;                                                \
        bool same = added == subgroupBroadcast(added, 0);                  \
        uvec4 peers = subgroupBallot(same);                                \
        if (!same || gl_SubgroupInvocationID == 0) {                       \
            before = atomicAdd(counts[added], same ? lanes_in(peers) : 1); \
        }                                                                  \
        uint first = subgroupBroadcast(before, 0);                         \
        if (same) {                                                        \
            before = first + subgroupBallotExclusiveBitCount(peers);       \
        }                                                                  \
    }
