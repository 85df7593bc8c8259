// SPDX-License-Identifier: MIT
//
// Every algorithm with every key type, every kind of value, in both orders.
#include "common.h"

namespace vksort::test {
namespace {

class Matrix : public AlgorithmTest {};

// Bytes of values; argsort has a member of its own.
constexpr uint32_t kValueSizes[] = {0, 4, 8, 12, 16};
constexpr int kArgsort = static_cast<int>(std::size(kValueSizes));

TEST_P(Matrix, EveryKeyValueAndOrder) {
    SortCase probe = {.algorithm = GetParam()};
    RETURN_IF_REFUSED(probe);
    Batch batch;
    Random random(test_seed());
    for (VksortKeyType key : reference::kAllKeyTypes) {
        for (int value = 0; value <= kArgsort; ++value) {
            const uint32_t value_size = value == kArgsort ? 4 : kValueSizes[value];
            if (!tests_pair(key, value_size)) {
                continue;
            }
            for (bool descending : {false, true}) {
                SortCase sort = probe;
                sort.key = key;
                sort.argsort = value == kArgsort;
                sort.value_size = sort.argsort ? 0 : value_size;
                sort.descending = descending;
                sort.overrides = quick_tiles();
                uint64_t tile = tile_of(sort);
                uint64_t most = sort.algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP ? tile : 2 * tile + 1;
                // One sort of more than a tile, where NaNs and zeros of both signs lie dense.
                sort.distribution = Distribution::special;
                sort.count = most - random.below(3);
                take_turns(sort, descending ? 1 : 0);
                batch.add(sort);
                // The others roam over counts, distributions and places of the result.
                uint64_t rounds = is_full_level() ? 12 : 1;
                for (uint64_t round = 0; round < rounds; ++round) {
                    sort.distribution = kAllDistributions[random.below(std::size(kAllDistributions))];
                    sort.result = kResults[random.below(3)];
                    sort.count = random.below(random.below(2) == 0 ? 70 : most);
                    take_turns(sort, round + (descending ? 0u : 1u));
                    batch.add(sort);
                }
                if (batch.hopeless()) {
                    batch.run();
                    return;
                }
            }
        }
    }
    batch.run();
}

INSTANTIATE_TEST_SUITE_P(All, Matrix,
                         ::testing::Values(VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_ONE_WORKGROUP, VKSORT_ALGORITHM_ONESWEEP,
                                           VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_SAMPLE_SORT),
                         algorithm_name);

} // namespace
} // namespace vksort::test
