// SPDX-License-Identifier: MIT
//
// bucket_sort with values, where source indices tell equal keys apart: that values come where their keys go, that equal keys
// keep their order, and that what overflows is sorted by the passes behind, whose input still stands.
#include "bucket_sorts.h"

namespace vksort::test {
namespace {

// Values that move along, that are the places, and that are read by them.
constexpr struct {
    uint32_t size;
    bool argsort;
} kValues[] = {{4, false}, {0, true}, {8, false}, {16, false}, {12, false}};

constexpr Way kLevels[] = {kWays[0], kWays[1], kWays[2], kWays[3]};

class BucketValues : public BucketSort {
protected:
    // A case with the next kind of values, in place or not.
    SortCase next_sort(const Way& way, VksortKeyType key = VKSORT_KEY_U32) {
        SortCase sort = bucket_sort(way, key);
        const auto& values = kValues[made_ % std::size(kValues)];
        sort.value_size = wide_value(values.size);
        sort.argsort = values.argsort;
        sort.result = made_ / 2 % 2 == 0 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
        ++made_;
        return sort;
    }

private:
    size_t made_ = 0;
};

TEST_F(BucketValues, EveryKindOfUniformKeys) {
    SKIP_BELOW_FULL_LEVEL();
    std::vector<SortCase> sorts;
    for (const Way& level : ways_here(kLevels)) {
        for (VksortKeyType key :
             {VKSORT_KEY_U32, VKSORT_KEY_I32, VKSORT_KEY_F32, VKSORT_KEY_U64, VKSORT_KEY_I64, VKSORT_KEY_F64}) {
            const uint64_t most = reference::low_bits(reference::key_bits(key));
            for (uint32_t kind = 0; kind < 10; ++kind) {
                SortCase sort = next_sort(level, key);
                sort.descending = kind % 2 == 1;
                sort.discard_keys = kind % 4 == 3;
                if (kind % 3 == 2 && sort.result == VKSORT_RESULT_SEPARATE) {
                    sort.stride = 16;
                    sort.offset = 8;
                }
                sorts.push_back(with_keys(sort, "even", uniform_keys(sort.count, 0, most, random_)));
            }
        }
    }
    expect(sorts, true);
}

// Of a narrow range many keys are equal, and tell whether their order is kept.
TEST_F(BucketValues, EveryRange) {
    std::vector<SortCase> sorts;
    for (const Way& level : ways_here(kLevels)) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
            const uint32_t key_bits = reference::key_bits(key);
            for_each_range(14, key_bits == 32 ? 3 : 5, key_bits, random_, [&](uint32_t bits, uint64_t span, uint64_t least) {
                SortCase sort = next_sort(level, key);
                if (key == VKSORT_KEY_U32 && !sort.argsort) {
                    sort.value_size = 4 * static_cast<uint32_t>(sorts.size() % 4 + 1);
                }
                sort.descending = bits % 2 == 0;
                sorts.push_back(with_keys(sort, range_name(span, least), uniform_keys(sort.count, least, span, random_)));
            });
        }
    }
    expect(sorts, true);
}

TEST_F(BucketValues, FullAndOverflowing) {
    std::vector<SortCase> enough;
    std::vector<SortCase> overflow;
    for (const Way& level : ways_here(kLevels)) {
        for (size_t kind = 0; kind < 2 * std::size(kValues); ++kind) {
            SortCase sort = next_sort(level, kind % 2 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_U64);
            const uint32_t bits = reference::key_bits(sort.key);
            const auto with_heavy = [&](uint64_t heavy) {
                return with_keys(sort, std::to_string(heavy) + " in a bucket",
                                 heavy_keys(sort.count, heavy, 16, 1, bits, random_));
            };
            enough.push_back(with_heavy(kBucket));
            overflow.push_back(with_heavy(kBucket + 1));
            Keys keys = uniform_keys(sort.count, uint64_t{1} << (bits - 2), reference::low_bits(bits - 3), random_);
            keys[sort.count / 2 + 3] = reference::low_bits(bits);
            overflow.push_back(with_keys(sort, "but one in the range", std::move(keys)));
        }
    }
    expect(enough, true);
    expect(overflow, false);
}

// More in a bin than its counter holds: their bucket is sorted by comparing.
TEST_F(BucketValues, TooManyInABin) {
    std::vector<SortCase> sorts;
    for (const Way& level : ways_here(kLevels)) {
        for (size_t kind = 0; kind < 2 * std::size(kValues); ++kind) {
            const VksortKeyType key = kind % 2 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_I64;
            sorts.push_back(
                with_keys(next_sort(level, key), "300 equal", keys_with_hot_bin(reference::key_bits(key), random_)));
        }
    }
    expect(sorts, true);
}

// Left to the passes behind. Some have an odd number of digits that differ, or none, and an argsort of keys in order has
// work to do.
TEST_F(BucketValues, OtherKeys) {
    std::vector<SortCase> sorts;
    for (size_t kind = 0; kind < 2 * std::size(kValues); ++kind) {
        for (Distribution distribution :
             {Distribution::and3, Distribution::few, Distribution::sorted, Distribution::equal}) {
            const Way& level = kLevels[kind % std::size(kLevels)];
            SortCase sort = next_sort(level, kind % 3 == 0 ? VKSORT_KEY_F64 : VKSORT_KEY_U32);
            sort.result = kind < std::size(kValues) ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
            sort.value_size = wide_value(kValues[kind % std::size(kValues)].size);
            sort.argsort = kValues[kind % std::size(kValues)].argsort;
            sort.distribution = distribution;
            sorts.push_back(sort);
        }
        for (uint32_t digits = 1; digits <= 3; ++digits) {
            SortCase sort = next_sort(kLevels[2 * (digits % 2)]);
            sort.result = kind < std::size(kValues) ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
            sort.discard_keys = kind % 3 == 0;
            sorts.push_back(with_keys(sort, std::to_string(digits) + " digits", made_keys(sort.count, [&](uint64_t) {
                                          return random_.below(random_.below(uint64_t{1} << 8 * digits) + 1) << 4;
                                      })));
        }
    }
    expect(sorts, false, false);
}

TEST_F(BucketValues, CountsFromTheGpu) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    constexpr uint64_t kLeast = 4096; // of which a sample is taken
    for (const Way& level : ways_here(kLevels)) {
        const uint64_t most = bucket_sort(level).count;
        Batch batch;
        std::vector<uint64_t> counts = {0, 1, 2, kLeast - 1, kLeast, most / 2, most - 1, most, most + 1};
        for (uint64_t count : counts) {
            const VksortKeyType key = count % 2 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_I64;
            batch.add(with_gpu_count(next_sort(level, key), static_cast<uint32_t>(count), most));
        }
        batch.run();
        ASSERT_EQ(batch.outcomes().size(), counts.size());
        for (size_t i = 0; i < counts.size(); ++i) {
            EXPECT_EQ(batch.outcomes()[i].by_buckets, counts[i] >= kLeast) << level.name << ", " << counts[i];
        }
    }
}

// Fewer elements than the plan is for, as the host says: what is in scratch stands elsewhere.
TEST_F(BucketValues, FewerElements) {
    std::vector<SortCase> sorts;
    for (const Way& level : ways_here(kLevels)) {
        for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_F64}) {
            for (uint64_t part : {1u, 2u, 3u}) {
                SortCase sort = next_sort(level, key);
                sort.max_count = sort.count;
                const uint64_t count = part == 1 ? sort.count - bucket_mean() : sort.count / part;
                // Of floats the highest words tell how they are distributed.
                const uint64_t most = key == VKSORT_KEY_F64 ? uint64_t{0xFFFFF} << 32 : 0xFFFFF;
                sorts.push_back(with_keys(sort, "fewer", uniform_keys(count, 0, most, random_)));
            }
        }
    }
    expect(sorts, true);
}

// More elements than the bits of a place that stand beside a slot: in the library's own tiles.
TEST_F(BucketValues, IndicesOfManyBits) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_BUCKET_SORT, .value_size = 4};
    std::vector<SortCase> sorts;
    for (uint64_t count : {(1u << 19) - 1u, 1u << 19, (1u << 20) + 5u}) {
        sorts.push_back(with_keys(sort, "many", uniform_keys(count, 0, 0xFFFFF, random_)));
    }
    expect(sorts, true);
}

} // namespace
} // namespace vksort::test
