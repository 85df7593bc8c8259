// SPDX-License-Identifier: MIT
//
// bucket_sort: keys that are for buckets, over every kind of range; buckets that are full, and those that overflow; and what
// is left to onesweep or msd, before anything is scattered, while it is, and when buckets are sorted.
#include <algorithm>
#include <utility>

#include "bucket_sorts.h"

namespace vksort::test {
namespace {

TEST_F(BucketSort, EveryKindOfUniformKeys) {
    std::vector<SortCase> sorts;
    for (const Way& way : ways_here()) {
        for (VksortKeyType key :
             {VKSORT_KEY_U32, VKSORT_KEY_I32, VKSORT_KEY_F32, VKSORT_KEY_U64, VKSORT_KEY_I64, VKSORT_KEY_F64}) {
            for (bool descending : {false, true}) {
                SortCase sort = bucket_sort(way, key);
                sort.descending = descending;
                sort.result = sorts.size() % 4 < 2 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
                if (sorts.size() % 4 == 3) {
                    sort.stride = 16;
                    sort.offset = 8;
                }
                // In ordered form, so that floats are even, too.
                const uint64_t most = reference::low_bits(reference::key_bits(key));
                sorts.push_back(with_keys(sort, "even", uniform_keys(sort.count, 0, most, random_)));
            }
        }
    }
    sorts.push_back(bucket_sort(kWays[0]));
    sorts.back().distribution = Distribution::reversed;
    expect(sorts, true);
}

// For another compiler, which this is to tell apart from lavapipe's: kernels of keys, of floats and of values, on one level
// and in coarse buckets.
TEST_F(BucketSort, EveryKernelOnce) {
    std::vector<SortCase> sorts;
    for (const auto& [key, value_size] : {std::pair{VKSORT_KEY_U32, 0u},
                                          {VKSORT_KEY_U32, 4u},
                                          {VKSORT_KEY_F32, 0u},
                                          {VKSORT_KEY_U64, 0u},
                                          {VKSORT_KEY_F64, 4u}}) {
        SortCase sort = bucket_sort(kWays[value_size == 0 ? 0 : 1], key);
        sort.value_size = value_size;
        sorts.push_back(
            with_keys(sort, "even", uniform_keys(sort.count, 0, reference::low_bits(reference::key_bits(key)), random_)));
    }
    expect(sorts, true);
}

// From ranges of hardly more values than keys to all of them, anywhere.
TEST_F(BucketSort, EveryRange) {
    std::vector<SortCase> sorts;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        const uint32_t bits = reference::key_bits(key);
        for_each_range(17, bits == 32 ? 5 : 6, bits, random_, [&](uint32_t, uint64_t span, uint64_t least) {
            const SortCase sort = bucket_sort(kWays[sorts.size() % std::size(kWays)], key);
            sorts.push_back(with_keys(sort, range_name(span, least), uniform_keys(sort.count, least, span, random_)));
        });
    }
    expect(sorts, true);
}

// Over a part of the range buckets have to be as many more as the margins of its sample are wide, a 32nd together.
TEST_F(BucketSort, AsManyBucketsAsTheRangeNeeds) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    constexpr uint64_t kBuckets = 200;
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        const uint32_t bits = reference::key_bits(key);
        SortCase sort = bucket_sort(kWays[0], key);
        sort.count = kBuckets * bucket_mean();
        batch.add(with_keys(sort, "whole range", uniform_keys(sort.count, 0, reference::low_bits(bits), random_)));
        batch.add(with_keys(sort, "a quarter",
                            uniform_keys(sort.count, uint64_t{1} << (bits - 2), reference::low_bits(bits - 2), random_)));
    }
    batch.run();
    ASSERT_EQ(batch.outcomes().size(), 4u);
    for (size_t i : {0u, 2u}) {
        EXPECT_EQ(batch.outcomes()[i].buckets, kBuckets);
        EXPECT_GE(batch.outcomes()[i + 1].buckets, kBuckets + 3);
        EXPECT_LE(batch.outcomes()[i + 1].buckets, kBuckets + 8);
    }
}

// In the tiles that users get, which have little room to spare: few buckets, and many, that are as full as they come, over
// ranges whose ends a sample does not show.
TEST_F(BucketSort, BucketsThatAreJustFull) {
    SKIP_BELOW_FULL_LEVEL();
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    std::vector<SortCase> sorts;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        const uint32_t bits = reference::key_bits(key);
        for (uint64_t buckets : {2u, 3u, 4u, 5u, 6u, 7u, 8u, 10u, 12u, 16u, 40u, 63u, 64u, 65u, 100u, 300u}) {
            const BucketRecord record = {bits / 32, 0, false};
            const uint64_t full = buckets * bucket_tuning(context().info(), record, buckets * 1000, {}).mean;
            for (uint64_t sixteenths : {9u, 11u, 13u, 15u}) {
                // Full if the range were known, or with the margins that it has.
                const uint64_t count = sixteenths < 12 ? full - 7 : full / 33 * 32;
                if (count < kLeastSampled) {
                    continue;
                }
                const uint64_t span = (sixteenths << (bits - 4)) + 0x1234567;
                const SortCase sort = {.algorithm = VKSORT_ALGORITHM_BUCKET_SORT, .key = key, .count = count};
                sorts.push_back(with_keys(sort, range_name(span, 0x10000000),
                                          uniform_keys(count, 0x10000000 >> (sixteenths == 15 ? 8 : 0), span, random_)));
            }
        }
    }
    expect(sorts, true);
}

// Bins that an invocation of the kernels without subgroups has to put in order by more insertions than lavapipe lets it do.
TEST_F(BucketSort, HotNeighbouringBins) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    constexpr uint64_t kBuckets = 100;
    constexpr uint64_t kHotKeys = 7;
    constexpr uint64_t kHot = 240;
    const uint64_t mean = bucket_tuning(context().info(), {}, kBuckets * 1000, {}).mean;
    const SortCase sort = {.algorithm = VKSORT_ALGORITHM_BUCKET_SORT, .count = kBuckets * mean};
    const double bucket = 4294967296.0 / kBuckets;
    Keys keys = made_keys(sort.count, [&](uint64_t i) {
        const double part = static_cast<double>(random_.below(1 << 20)) / (1 << 20);
        if (i >= kHotKeys * kHot && i < mean) { // the others of the hot digits' bucket
            return static_cast<uint64_t>((16 + part) * bucket);
        }
        if (i >= mean) { // of the other buckets
            const uint64_t other = i % (kBuckets - 1);
            return static_cast<uint64_t>((static_cast<double>(other < 16 ? other : other + 1) + part) * bucket);
        }
        const double bin = static_cast<double>(mean / 2 / 22 * 22 + i % kHotKeys) + 0.25 + part / 2;
        return static_cast<uint64_t>((16 + bin / static_cast<double>(mean)) * bucket);
    });
    shuffle(keys, random_);
    Batch batch;
    batch.add(with_keys(sort, "clusters", std::move(keys)));
    batch.run();
}

TEST_F(BucketSort, FullAndOverflowing) {
    std::vector<SortCase> enough;
    std::vector<SortCase> overflow;
    for (const Way& way : ways_here()) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
            if (has_many_sweeps(way, key)) {
                continue;
            }
            SortCase sort = bucket_sort(way, key);
            const auto with_heavy = [&](uint64_t heavy, uint64_t buckets, uint64_t first = 16) {
                return with_keys(sort,
                                 std::to_string(heavy) + " in " + std::to_string(buckets) + " from " + std::to_string(first),
                                 heavy_keys(sort.count, heavy, first, buckets, reference::key_bits(key), random_));
            };
            enough.push_back(with_heavy(kBucket, 1));
            overflow.push_back(with_heavy(kBucket + 1, 1));
            sort.result = VKSORT_RESULT_SEPARATE;
            overflow.push_back(with_heavy(kBucket + 100, 1));
            // At the first level; of so many keys that no sample shows it.
            if (way.two_levels && !has_many_sweeps(way, key, kManyBuckets)) {
                const uint64_t fewer = std::exchange(sort.count, kManyBuckets * bucket_mean());
                overflow.push_back(with_heavy(8 * kBucket + 9, 8));
                sort.count = fewer;
            }
            if (way.chunks > 0) { // of the last chunk, when all others have been sorted in place
                sort.result = VKSORT_RESULT_IN_PLACE;
                overflow.push_back(with_heavy(kBucket + 1, 1, 39));
                sort.descending = true;
                overflow.push_back(with_heavy(kBucket + 1, 1, 38));
            }
        }
    }
    expect(enough, true);
    expect(overflow, false);
}

// One key that no sample shows.
TEST_F(BucketSort, OutOfRange) {
    std::vector<SortCase> sorts;
    for (const Way& way : ways_here()) {
        for (uint64_t outlier :
             {uint64_t{0}, uint64_t{0xFFFFFFFF}, uint64_t{0x3FFFFFFF} - (1u << 27), uint64_t{0x5FFFFFFF} + (1u << 27)}) {
            SortCase sort = bucket_sort(way);
            sort.result = sorts.size() % 2 == 0 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
            Keys keys = uniform_keys(sort.count, 0x40000000, 0x1FFFFFFF, random_);
            keys[sort.count / 2 + 3] = outlier;
            sorts.push_back(with_keys(sort, "but " + std::to_string(outlier), std::move(keys)));
        }
    }
    expect(sorts, false);
}

// More in a bin than its counter holds, in a bucket that has room for them: the last step leaves them.
TEST_F(BucketSort, TooManyInABin) {
    std::vector<SortCase> sorts;
    for (const Way& way : ways_here()) {
        for (VksortKeyType key : {VKSORT_KEY_I32, VKSORT_KEY_I64}) {
            if (has_many_sweeps(way, key, kManyBuckets)) {
                continue;
            }
            SortCase sort = bucket_sort(way, key);
            sort.result = sorts.size() % 3 == 0 ? VKSORT_RESULT_SEPARATE : VKSORT_RESULT_IN_PLACE;
            sorts.push_back(with_keys(sort, "300 equal", keys_with_hot_bin(reference::key_bits(key), random_)));
        }
    }
    expect(sorts, false);
}

// What the sample shows not to be for buckets. Some have an odd number of digits that differ, or none, and belong elsewhere
// than they were.
TEST_F(BucketSort, OtherKeys) {
    std::vector<SortCase> sorts;
    for (const Way& way : ways_here()) {
        for (Distribution distribution : {Distribution::and2, Distribution::and4, Distribution::few, Distribution::zipf,
                                          Distribution::sorted, Distribution::equal, Distribution::nearly_sorted}) {
            const bool wide = sorts.size() % 3 == 0 && !has_many_sweeps(way, VKSORT_KEY_U64);
            SortCase sort = bucket_sort(way, wide ? VKSORT_KEY_U64 : VKSORT_KEY_U32);
            sort.distribution = distribution;
            // Which would be in reverse, and even.
            sort.descending = sorts.size() % 5 == 0 && distribution != Distribution::sorted;
            if (distribution == Distribution::nearly_sorted) {
                sort.count = 5000; // of few values
                sorts.push_back(with_keys(sort, "300 values",
                                          made_keys(sort.count, [&](uint64_t) { return random_.below(300) << 23; })));
                continue;
            }
            sorts.push_back(sort);
            sort.result = VKSORT_RESULT_SEPARATE;
            sorts.push_back(sort);
        }
        for (uint32_t digits = 1; digits <= 3; ++digits) {
            for (VksortResult result : {VKSORT_RESULT_IN_PLACE, VKSORT_RESULT_SEPARATE}) {
                SortCase sort = bucket_sort(way);
                sort.result = result;
                sorts.push_back(with_keys(sort, std::to_string(digits) + " digits", made_keys(sort.count, [&](uint64_t) {
                                              return random_.below(random_.below(uint64_t{1} << 8 * digits) + 1) << 4;
                                          })));
            }
        }
        // In order but for some, so that the sample is more even than chance would have it, over three quarters of the
        // range.
        const SortCase sort = bucket_sort(way);
        Keys keys = uniform_keys(sort.count, 0, 0xBFFFFFFF, random_);
        std::sort(keys.begin(), keys.end());
        for (size_t i = 0; i < keys.size(); i += 50) {
            keys[i] = random_.below(uint64_t{1} << 32);
        }
        sorts.push_back(with_keys(sort, "three quarters in order", std::move(keys)));
    }
    expect(sorts, false, false);
}

// Of each value there are 136 keys, and yet no two samples are equal: the range shows it.
TEST_F(BucketSort, FewValuesThatNoSampleRepeats) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    constexpr uint64_t kValues = 2048;
    constexpr uint64_t kCount = kValues * 136;
    std::vector<SortCase> narrow;
    std::vector<SortCase> wide;
    for (VksortKeyType key : {VKSORT_KEY_I32, VKSORT_KEY_U64}) {
        const PlainTuning sample = bucket_sample_tuning(context().info(), reference::key_bits(key) / 32, false, kCount);
        const uint32_t samples = sample.workgroupSize * sample.keysPerThread;
        ASSERT_LE(samples, kValues);
        for (uint64_t factor : {1u, 4u}) { // 4: values that are 4 apart are of 34 keys each, if all between occur
            const SortCase sort = {.algorithm = VKSORT_ALGORITHM_BUCKET_SORT, .key = key, .count = kCount};
            Keys keys = uniform_keys(kCount, 0x70000000, kValues * factor - 1, random_);
            Keys values = made_keys(samples, [&](uint64_t i) { return 0x70000000 + i * (kValues / samples) * factor; });
            shuffle(values, random_);
            for (uint32_t i = 0; i < samples; ++i) {
                keys[sampled_element(i, samples, kCount)] = values[i];
            }
            (factor == 1 ? narrow : wide)
                .push_back(with_keys(sort, std::to_string(factor * kValues) + " values", std::move(keys)));
        }
    }
    expect(narrow, false, false);
    expect(wide, true);
}

// On a device with 16 KiB of shared memory and 128 invocations a workgroup, in the tiles that it gets.
TEST_F(BucketSort, LittleSharedMemory) {
    SKIP_BELOW_FULL_LEVEL();
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    std::vector<SortCase> sorts;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        SortCase sort = {
            .algorithm = VKSORT_ALGORITHM_BUCKET_SORT, .key = key, .limits = {.shared_memory = 16384, .invocations = 128}};
        for (uint32_t at_once : {0u, 4u}) {
            sort.overrides.bucketsAtOnce = at_once;
            if (!has_too_little_shared_memory(sort)) {
                sorts.push_back(with_keys(sort, "even",
                                          uniform_keys(50'000, 0, reference::low_bits(reference::key_bits(key)), random_)));
            }
        }
    }
    if (sorts.empty()) {
        GTEST_SKIP() << "bucket_sort is refused with so little shared memory";
    }
    expect(sorts, true);
}

TEST_F(BucketSort, CountsFromTheGpu) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    constexpr uint64_t kLeast = 4096; // of which a sample is taken
    for (const Way& way : ways_here()) {
        const uint64_t most = bucket_sort(way).count;
        Batch batch;
        std::vector<uint64_t> counts = {0,          1,        2,        kBucket, kLeast - 1, kLeast,
                                        kLeast + 1, most / 2, most - 1, most,    most + 1};
        for (uint64_t count : counts) {
            SortCase sort = bucket_sort(way, count % 2 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_I64);
            sort.result = count % 3 == 0 ? VKSORT_RESULT_SEPARATE : VKSORT_RESULT_IN_PLACE;
            batch.add(with_gpu_count(sort, static_cast<uint32_t>(count), most));
        }
        batch.run();
        ASSERT_EQ(batch.outcomes().size(), counts.size());
        for (size_t i = 0; i < counts.size(); ++i) {
            EXPECT_EQ(batch.outcomes()[i].by_buckets, counts[i] >= kLeast) << way.name << ", " << counts[i];
        }
    }
}

// Fewer keys than the plan is for, as the host says.
TEST_F(BucketSort, FewerKeys) {
    std::vector<SortCase> sorts;
    for (const Way& way : ways_here()) {
        // Both kinds of keys, either first.
        const VksortKeyType keys[] = {VKSORT_KEY_U64, VKSORT_KEY_F32};
        const size_t first = sorts.size() / 2 % 2;
        SortCase sort = bucket_sort(way, keys[first]);
        sort.max_count = sort.count;
        sorts.push_back(with_keys(
            sort, "fewer", uniform_keys(sort.count / 2, 0, reference::low_bits(reference::key_bits(sort.key)), random_)));
        // Dispatches folded into two dimensions, with workgroups that are not needed: 15 for the 14 tiles of two coarse
        // buckets.
        sort.key = keys[1 - first];
        sort.limits.groups_x = 5;
        sort.overrides.partitionKeysPerThread = 5;
        sorts.push_back(with_keys(
            sort, "fewer", uniform_keys(sort.count / 3, 0, reference::low_bits(reference::key_bits(sort.key)), random_)));
    }
    expect(sorts, true);
}

// An odd number of keys, staged in more rounds than two.
TEST_F(BucketSort, InThreeRounds) {
    std::vector<SortCase> sorts;
    for (VksortKeyType key : {VKSORT_KEY_U64, VKSORT_KEY_F32}) {
        for (const Way& way : ways_here()) {
            // Below the full level one kind of keys each.
            if (way.two_levels && (!tests_few_pairs() || (way.chunks == 0) == (key == VKSORT_KEY_U64))) {
                SortCase sort = bucket_sort(way, key);
                sort.overrides.bucketsAtOnce = 2;
                sort.overrides.partitionKeysPerThread = 15;
                sort.overrides.stageRounds = 3;
                sorts.push_back(
                    with_keys(sort, "in three rounds",
                              uniform_keys(sort.count, 0, reference::low_bits(reference::key_bits(key)), random_)));
            }
        }
    }
    expect(sorts, true);
}

TEST_F(BucketSort, Refusals) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    const char* const kWhat = "keys of 4 and 8 bytes by all their bits";
    SortCase sort = {
        .algorithm = VKSORT_ALGORITHM_BUCKET_SORT, .key = VKSORT_KEY_U64, .result = VKSORT_RESULT_PING_PONG, .count = 5000};
    expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, kWhat);
    sort.result = VKSORT_RESULT_IN_PLACE;
    sort.key = VKSORT_KEY_U16;
    expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, kWhat);
}

} // namespace
} // namespace vksort::test
