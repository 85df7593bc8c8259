// SPDX-License-Identifier: MIT
//
// selection: keys and values of every kind, results that are not in place, bins that are just full, that several workgroups share, and that are divided
// down to a key and to places, at every level; counts from the GPU; refusals.
#include "uneven_keys.h"

namespace vksort::test {
namespace {

constexpr uint64_t kEach = 40; // elements that a workgroup writes

// Of up to 1024 elements, which workgroups of 128 invocations read.
constexpr PlanOverrides kSmall = [] {
    PlanOverrides overrides;
    overrides.workgroupSize = 128;
    overrides.keysPerThread = 8;
    overrides.selectedEach = kEach;
    return overrides;
}();

SortCase selection(VksortKeyType key = VKSORT_KEY_U32, uint32_t value_size = 0, uint64_t count = 1021) {
    return {.algorithm = VKSORT_ALGORITHM_SELECTION, .key = key, .value_size = value_size, .result = VKSORT_RESULT_SEPARATE, .count = count, .overrides = kSmall};
}

class Selection : public DeviceTest {
protected:
    Random random_ = Random(test_seed());

    uint32_t any_value_size() { return random_.below(2) == 0 ? 0 : 4; }

    Keys uniform(uint64_t count, uint64_t least, uint64_t values) {
        return made_keys(count, [&](uint64_t) { return least + random_.below(values); });
    }
};

TEST_F(Selection, EveryKindOfSort) {
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_I32, VKSORT_KEY_F32, VKSORT_KEY_U64, VKSORT_KEY_I64, VKSORT_KEY_F64}) {
        for (uint32_t value_size : {0u, 4u, 8u, 12u, 16u}) {
            for (VksortResult result : {VKSORT_RESULT_SEPARATE, VKSORT_RESULT_PING_PONG}) {
                SortCase sort = selection(key, value_size);
                sort.result = result;
                sort.descending = random_.below(2) == 0;
                sort.discard_keys = value_size > 0 && random_.below(3) == 0;
                sort.distribution = result == VKSORT_RESULT_SEPARATE ? Distribution::special : kAllDistributions[random_.below(std::size(kAllDistributions))];
                batch.add(sort);
            }
        }
        SortCase sort = selection(key);
        sort.argsort = true;
        batch.add(sort);
        sort.discard_keys = true;
        for (VksortResult result : kResults) { // in place, too: the keys are read only
            sort.result = result;
            batch.add(sort);
        }
        sort = selection(key);
        sort.stride = 24;
        sort.offset = 8;
        batch.add(sort);
    }
    batch.run();
}

TEST_F(Selection, EveryDistributionAndCount) {
    Batch batch;
    for (Distribution distribution : kAllDistributions) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_I64}) {
            for (uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{2}, kEach - 1, kEach, kEach + 1, uint64_t{129}, 10 * kEach, uint64_t{1023}, uint64_t{1024}}) {
                SortCase sort = selection(key, any_value_size(), count);
                sort.distribution = distribution;
                sort.descending = random_.below(2) == 0;
                batch.add(sort);
            }
        }
    }
    batch.run();
}

// So many elements in a bin, of which there are 2048 over all of the range; what else there is begins and ends in the middle of workgroups' ranks. Bins
// of more than kMostInSelectionBin are divided: into keys, down to one key at the last of up to six levels, and then by places.
TEST_F(Selection, CrowdsInABin) {
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        const uint32_t key_bits = reference::key_bits(key);
        for (uint64_t crowd : {kMostInSelectionBin - 1u, kMostInSelectionBin, kMostInSelectionBin + 1u, 300u, 1000u}) {
            for (uint32_t bits = 0; bits < key_bits - 11; bits += 7) { // of the crowd's keys, as far as they differ
                SortCase sort = selection(key, any_value_size());
                const uint64_t begin = random_.below(2047) << (key_bits - 11) | (random_.next() & reference::low_bits(key_bits - 11) & ~reference::low_bits(bits));
                Keys keys = made_keys(1021, [&](uint64_t i) {
                    return i < crowd ? begin + (random_.next() & reference::low_bits(bits)) : random_.next() & reference::low_bits(key_bits);
                });
                shuffle(keys, random_);
                batch.add(with_keys(sort, std::to_string(crowd) + " of " + std::to_string(bits) + " bits", std::move(keys)));
            }
        }
    }
    batch.run();
}

// Crowds next to each other, and crowds within crowds.
TEST_F(Selection, SeveralCrowds) {
    Batch batch;
    for (uint32_t value_size : {0u, 4u}) {
        for (uint64_t values : {2u, 3u, 5u, 7u, 40u}) {
            for (uint32_t shift : {0u, 11u, 20u, 31u}) {
                SortCase sort = selection(VKSORT_KEY_U32, value_size);
                batch.add(with_keys(sort, std::to_string(values) + " values << " + std::to_string(shift),
                                    made_keys(1021, [&](uint64_t) { return (random_.below(values) << shift) & UINT32_MAX; })));
            }
        }
        SortCase sort = selection(VKSORT_KEY_U64, value_size);
        batch.add(with_keys(sort, "products", made_keys(1024, [&](uint64_t) {
                                uint64_t product = 1;
                                for (int i = 0; i < 6; ++i) {
                                    product *= 1 + random_.below(1 << 10);
                                }
                                return product;
                            })));
        batch.add(with_keys(sort, "both ends", made_keys(1024, [&](uint64_t i) { return i % 2 == 0 ? i : UINT64_MAX - i; })));
        batch.add(with_keys(sort, "of one high word", uniform(1024, uint64_t{77} << 32, uint64_t{1} << 32)));
        batch.add(with_keys(sort, "of two high words", uniform(1024, (uint64_t{77} << 32) - 500, 1000)));
    }
    batch.run();
}

TEST_F(Selection, CountsFromTheGpu) {
    Batch batch;
    for (uint32_t held : {0u, 1u, 39u, 40u, 41u, 700u, 1024u, 1025u, 0xFFFFFFFFu}) {
        batch.add(with_gpu_count(selection(VKSORT_KEY_F32, held % 2 * 4), held, 1024));
    }
    batch.run();
}

// The tiles that users get.
TEST_F(Selection, InTheDefaultTuning) {
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
        for (uint32_t value_size : {0u, 4u}) {
            for (Distribution distribution : {Distribution::uniform, Distribution::and4, Distribution::few, Distribution::special}) {
                SortCase sort = selection(key, value_size);
                sort.distribution = distribution;
                sort.overrides = {};
                sort.count = 0;
                sort.count = planned(sort).info.largestCount - random_.below(3);
                batch.add(sort);
            }
        }
    }
    batch.run();
}

TEST_F(Selection, Refusals) {
    SortCase sort = selection();
    sort.result = VKSORT_RESULT_IN_PLACE;
    const char* const kSentence = "selection sorts keys of 4 and 8 bytes by all their bits, to other buffers than it reads";
    expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, kSentence);
    sort = selection(VKSORT_KEY_U16);
    expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, kSentence);
    sort = selection();
    sort.end_bit = 16;
    expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, kSentence);
    sort = selection();
    sort.count = 1025;
    expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, "too many for selection");
}

} // namespace
} // namespace vksort::test
