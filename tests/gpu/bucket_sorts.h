// SPDX-License-Identifier: MIT
//
// Sorts by bucket_sort in small tiles, keys for them, and what becomes of them.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "skewed_keys.h"
#include "tuning.h"

namespace vksort::test {

// Keys that it has room for.
inline constexpr uint64_t kBucket = uint64_t{kSmallTiles.workgroupSize} * kSmallTiles.keysPerThread;

// Uniform keys that a bucket gets.
inline uint64_t bucket_mean() { return bucket_tuning(context().info(), {}, 1, kSmallTiles).mean; }

// By one level or, in coarse buckets, by two; which passes come behind; in how many chunks coarse buckets have passes of
// their own; whether those behind are one dispatch; and whether the setup sizes the others, as it does before msd.
struct Way {
    const char* name;
    bool two_levels = false;
    bool before_msd = false;
    uint32_t chunks = 0;
    bool together = false;
    bool args = false;
    bool always = false; // also where little is tested
    bool shared = false; // beside a plan for smaller counts, where those passes behind stand beside the others
};
inline constexpr Way kWays[] = {
    {.name = "one level", .always = true},
    {.name = "coarse buckets", .two_levels = true, .args = true, .always = true},
    {.name = "before msd", .before_msd = true},
    {.name = "coarse buckets before msd", .two_levels = true, .before_msd = true},
    {.name = "coarse buckets in chunks", .two_levels = true, .before_msd = true, .chunks = 3, .always = true},
    {.name = "one level, then one dispatch", .together = true, .args = true},
    {.name = "coarse buckets, then one dispatch", .two_levels = true, .together = true},
    {.name = "one level, shared", .always = true, .shared = true},
    {.name = "coarse buckets, shared", .two_levels = true, .always = true, .shared = true}};

// Of kWays or some of them those to test here. Each is half a dozen kernels to compile.
inline std::vector<Way> ways_here(std::span<const Way> ways = kWays) {
    std::vector<Way> here;
    std::copy_if(ways.begin(), ways.end(), std::back_inserter(here),
                 [](const Way& way) { return way.always || !tests_few_pairs(); });
    return here;
}

inline constexpr uint64_t kFewBuckets = 40;

// Whether what bucket_sort leaves of these buckets' keys could be too much for one workgroup of lavapipe
// (kMostSweptTiles).
inline bool has_many_sweeps(const Way& way, VksortKeyType key, uint64_t buckets = kFewBuckets) {
    const uint64_t tiles = (buckets * bucket_mean() + kBucket - 1) / kBucket;
    return (way.together || way.shared) && tiles * reference::key_size(key) > kMostSweptTiles;
}

inline SortCase bucket_sort(const Way& way, VksortKeyType key = VKSORT_KEY_U32) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_BUCKET_SORT, .key = key, .overrides = kSmallTiles};
    sort.overrides.partitionWorkgroupSize = 128;
    sort.overrides.partitionKeysPerThread = 6;
    sort.overrides.bucketsAtOnce = way.two_levels ? 8 : 0;
    sort.overrides.coarseBucketChunks = way.chunks;
    sort.overrides.bucketArgs = way.args;
    sort.overrides.sweeps = way.together ? PlanOverrides::Sweeps::together : PlanOverrides::Sweeps::apart;
    sort.overrides.manyElements = way.before_msd ? 1 : UINT32_MAX;
    sort.overrides.smaller = way.shared ? kOneSmallerPlan : SmallerPlans{};
    sort.count = kFewBuckets * bucket_mean() - 7;
    return sort;
}

inline uint64_t product_high(uint64_t a, uint64_t b) {
    const uint64_t middle = (a & UINT32_MAX) * (b >> 32) + ((a & UINT32_MAX) * (b & UINT32_MAX) >> 32);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (((middle & UINT32_MAX) + (a >> 32) * (b & UINT32_MAX)) >> 32);
}

// Evenly spread over `span`, which is one less than the number of values, from `least` on.
inline Keys uniform_keys(uint64_t count, uint64_t least, uint64_t span, Random& random) {
    return made_keys(count, [&](uint64_t) {
        const uint64_t wide = random.below(uint64_t{1} << 32) << 32 | random.below(uint64_t{1} << 32);
        return least + (span == UINT64_MAX ? wide : product_high(wide, span + 1));
    });
}

// visit(bits, span, least) for ranges of ever more bits: at the least key, up to the greatest, and anywhere.
template <typename Visit>
void for_each_range(uint32_t first_bits, uint32_t step, uint32_t key_bits, Random& random, const Visit& visit) {
    const uint64_t most = reference::low_bits(key_bits);
    for (uint32_t bits = first_bits; bits <= key_bits; bits += step) {
        const uint64_t span = reference::low_bits(bits) - random.below(uint64_t{1} << (bits - 3));
        for (uint64_t least : {uint64_t{0}, most - span, random.below(most - span + 1)}) {
            visit(bits, span, least);
        }
    }
}

inline std::string range_name(uint64_t span, uint64_t least) {
    return std::to_string(span) + " from " + std::to_string(least);
}

// Keys over all of the range, scattered evenly to buckets but for some from `first` on, which get `heavy`.
inline Keys heavy_keys(uint64_t count, uint64_t heavy, uint64_t first, uint64_t buckets_each, uint32_t bits,
                       Random& random) {
    const uint64_t buckets = (count + bucket_mean() - 1) / bucket_mean();
    const auto in_bucket = [&](uint64_t bucket) { // away from its ends
        const double part = 0.01 + 0.98 * static_cast<double>(random.below(1 << 20)) / (1 << 20);
        const double word = (static_cast<double>(bucket) + part) / static_cast<double>(buckets) * 4294967296.0;
        const auto high = static_cast<uint64_t>(word);
        return bits == 32 ? high : high << 32 | random.below(uint64_t{1} << 32);
    };
    Keys keys = made_keys(count, [&](uint64_t i) {
        if (i < heavy) {
            return in_bucket(first + i % buckets_each);
        }
        const uint64_t other = i % (buckets - buckets_each);
        return in_bucket(other < first ? other : other + buckets_each);
    });
    shuffle(keys, random);
    return keys;
}

// The keys of a number of buckets, among them a bucket of 400 with 300 equal ones: too many for a bin's counter, and too few
// for a sample to see.
inline constexpr uint64_t kManyBuckets = 160;
inline Keys keys_with_hot_bin(uint32_t bits, Random& random) {
    Keys keys = heavy_keys(kManyBuckets * bucket_mean(), 400, 16, 1, bits, random);
    const uint64_t begin = (uint64_t{16} << 32) / kManyBuckets + 5;
    const uint64_t end = (uint64_t{17} << 32) / kManyBuckets - 5;
    uint64_t equal = 0;
    for (uint64_t& made : keys) {
        const uint64_t word = bits == 32 ? made : made >> 32;
        if (word >= begin && word < end && equal < 300) {
            made = bits == 32 ? begin + 99 : (begin + 99) << 32;
            ++equal;
        }
    }
    EXPECT_EQ(equal, 300u);
    return keys;
}

class BucketSort : public DeviceTest {
protected:
    void SetUp() override {
        DeviceTest::SetUp();
        refused_ = is_refused(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    }

    // Sorted by buckets or left to the passes behind; if left, though keys have been scattered, or not.
    void expect(const std::vector<SortCase>& sorts, bool by_buckets, bool scattered = true) const {
        if (refused_) {
            return;
        }
        Batch batch;
        ASSERT_NO_FATAL_FAILURE(run_all(sorts, batch));
        for (size_t i = 0; i < sorts.size(); ++i) {
            EXPECT_EQ(batch.outcomes()[i].by_buckets, by_buckets) << describe(sorts[i]);
            if (sorts[i].overrides.manyElements == UINT32_MAX) { // msd's passes do not tell
                EXPECT_EQ(batch.outcomes()[i].buckets != 0, scattered) << describe(sorts[i]);
            }
        }
    }

    Random random_{test_seed()};

private:
    bool refused_ = false;
};

} // namespace vksort::test
