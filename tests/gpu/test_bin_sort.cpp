// SPDX-License-Identifier: MIT
//
// The sort of up to a tile by bins, which one_workgroup, msd and size_classes end in: bins that lie across the windows of
// the odd-even rounds in every way, bins with too many keys, the range that the bins divide.
#include <algorithm>
#include <cmath>

#include "skewed_keys.h"

namespace vksort::test {
namespace {

// Cases with keys of this many in a bin. The bins are as many equal parts of the keys' range as there are keys.
struct Clusters {
    uint64_t size = 0;
    uint64_t before = 0;          // keys that are alone in their bins, before the first cluster
    uint64_t most = UINT64_MAX;   // clusters
    uint64_t values = UINT64_MAX; // distinct keys of a cluster
};

// Sorted. The first and the last key are the ends of the range of the highest 32 bits; what is below them is random.
Keys clusters_of(VksortKeyType type, uint64_t count, const Clusters& clusters, Random& random) {
    const uint32_t below = reference::key_bits(type) - 32;
    const double width = std::exp2(32) / static_cast<double>(count);
    Keys keys;
    // In the middle half of a bin, so that rounding does not matter.
    const auto in_bin = [&](uint64_t bin) {
        const double part = clusters.values == UINT64_MAX
                                ? random.unit()
                                : static_cast<double>(random.below(clusters.values)) / static_cast<double>(clusters.values);
        const auto high = static_cast<uint64_t>(width * (static_cast<double>(bin) + 0.25 + part / 2));
        const uint64_t low = clusters.values == UINT64_MAX ? random.next() : 0;
        return high << below | (low & reference::low_bits(below));
    };
    keys.push_back(0);
    for (uint64_t made = 0; keys.size() + 1 < count;) {
        const uint64_t bin = keys.size();
        const bool alone = bin <= clusters.before || made == clusters.most;
        const uint64_t size = alone ? 1 : std::min(clusters.size, count - 1 - bin);
        for (uint64_t i = 0; i < size; ++i) {
            keys.push_back(in_bin(bin));
        }
        made += alone ? 0 : 1;
    }
    if (count > 1) {
        keys.push_back(reference::low_bits(reference::key_bits(type)));
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

// A bin takes its keys as they come: reversed ones have the longest way.
void rearrange(Keys& keys, uint64_t how, Random& random) {
    if (how % 2 == 0) {
        std::reverse(keys.begin(), keys.end());
    } else {
        shuffle(keys, random);
    }
}

std::string name_of(const Clusters& clusters, uint64_t how) {
    return "clusters of " + std::to_string(clusters.size) + " behind " + std::to_string(clusters.before) +
           (how % 2 == 0 ? ", reversed" : ", shuffled");
}

SortCase clustered(const SortCase& sort, uint64_t count, const Clusters& clusters, uint64_t how, Random& random) {
    Keys keys = clusters_of(sort.key, count, clusters, random);
    rearrange(keys, how, random);
    return with_keys(sort, name_of(clusters, how), std::move(keys));
}

constexpr VksortAlgorithm kByBins[] = {VKSORT_ALGORITHM_ONE_WORKGROUP, VKSORT_ALGORITHM_MSD};

// These many in a bin are never too many.
constexpr uint64_t kFew = 16;

class BinSort : public AlgorithmTest {};

// What the sort counted, where it counts.
void expect_fallbacks(const Batch& batch, size_t item, bool any) {
    ASSERT_LT(item, batch.outcomes().size());
    if (batch.outcomes()[item].info.algorithm != VKSORT_ALGORITHM_ONE_WORKGROUP) {
        EXPECT_EQ(batch.outcomes()[item].statistics.fallbacks, any ? 1u : 0u) << "case " << item + 1;
    }
}

TEST_P(BinSort, ClustersOfEverySize) {
    Random random(test_seed());
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
        for (uint32_t value_size : {0u, 4u}) {
            SortCase sort = {.algorithm = GetParam(), .key = key, .value_size = value_size, .overrides = kSmallTiles};
            const uint64_t tile = tile_of(sort);
            Batch batch;
            std::vector<uint64_t> sizes;
            for (uint64_t size = 2; size <= 64; ++size) {
                // Windows are of four keys: clusters begin at each of them. Values mostly go another way, without windows
                // (IndexedBins has those that do not).
                for (uint64_t before = 0; before < (value_size == 0 ? 4u : 1u); ++before) {
                    sort.descending = size % 7 == 0;
                    const uint64_t count = before % 2 == 0 ? tile : tile - size;
                    const Clusters clusters = {.size = size, .before = before};
                    batch.add(clustered(sort, count, clusters, is_full_level() ? before / 2 + size : 0, random));
                    sizes.push_back(size);
                }
            }
            batch.run();
            for (size_t i = 0; i < sizes.size() && !HasFailure(); ++i) {
                if (sizes[i] <= kFew) {
                    expect_fallbacks(batch, i, false);
                }
            }
        }
    }
}

class BinSortWindows : public DeviceTest {};

// The networks that sort windows depend on how many keys an invocation has. By ballots neighbouring invocations exchange
// windows by shuffles.
TEST_F(BinSortWindows, OfEveryLength) {
    SKIP_WITHOUT_BALLOTS();
    Random random(test_seed());
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
        for (uint32_t keys : {2u, 4u, 6u, 8u, 10u, 12u, 14u}) {
            if (!is_full_level() && keys != 6 && (keys != 10 || key != VKSORT_KEY_U32)) {
                continue;
            }
            SortCase sort = {.algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP, .key = key};
            sort.overrides.rank = kRankBallots;
            sort.overrides.workgroupSize = small_ballot_workgroup();
            sort.overrides.keysPerThread = keys;
            const uint64_t tile = uint64_t{sort.overrides.workgroupSize} * keys;
            for (uint64_t size : {1u, 2u, 3u, 4u, 5u, 7u, 9u, 12u, 16u, 25u}) {
                for (uint64_t before = 0; before < keys; ++before) {
                    batch.add(clustered(sort, tile - before, {.size = size, .before = before}, size + before, random));
                }
            }
        }
    }
    batch.run();
}

// Few values in a bin: equal keys, whose values show their order.
TEST_P(BinSort, EqualKeysInABin) {
    Random random(test_seed());
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
        for (uint32_t value_size : {0u, 4u, 8u}) {
            if (value_size == 8 && tests_few_pairs()) {
                continue;
            }
            SortCase sort = {.algorithm = GetParam(), .key = key, .value_size = value_size, .overrides = kSmallTiles};
            const uint64_t tile = tile_of(sort);
            for (uint64_t size : {2u, 3u, 4u, 5u, 6u, 9u, 30u, 60u}) {
                for (uint64_t values : {1u, 2u, 5u}) {
                    sort.descending = values == 2;
                    batch.add(clustered(sort, tile - values, {.size = size, .before = values, .values = values}, size / 2,
                                        random));
                }
            }
        }
    }
    batch.run();
}

// More than a bin may hold: sorted another way, of which msd keeps count.
TEST_P(BinSort, TooManyInABin) {
    Random random(test_seed());
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
        for (uint32_t value_size : {0u, 4u}) {
            SortCase sort = {.algorithm = GetParam(), .key = key, .value_size = value_size, .overrides = kSmallTiles};
            const uint64_t tile = tile_of(sort);
            Batch batch;
            std::vector<uint64_t> sizes;
            // A counter of a bin has 8 bits.
            for (uint64_t size :
                 {uint64_t{65}, uint64_t{128}, uint64_t{255}, uint64_t{256}, uint64_t{257}, uint64_t{300}, tile - 2}) {
                for (uint64_t values : {uint64_t{1}, uint64_t{3}, UINT64_MAX}) {
                    for (uint64_t most : {uint64_t{1}, UINT64_MAX}) {
                        const Clusters clusters = {.size = size, .before = size % 5, .most = most, .values = values};
                        sort.descending = size % 2 == 0;
                        batch.add(clustered(sort, tile, clusters, sizes.size(), random));
                        sizes.push_back(size);
                    }
                }
            }
            batch.run();
            for (size_t i = 0; i < sizes.size() && !HasFailure(); ++i) {
                if (sizes[i] >= 128) {
                    expect_fallbacks(batch, i, true);
                }
            }
        }
    }
}

// The bins divide what lies between the least and the greatest key, of 64-bit keys by the highest 32 bits that differ.
TEST_P(BinSort, RangesOfEveryWidth) {
    Random random(test_seed());
    Batch batch;
    size_t added = 0;
    std::vector<size_t> all_equal;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F32, VKSORT_KEY_U64}) {
        for (uint32_t value_size : {0u, 4u}) {
            SortCase sort = {.algorithm = GetParam(), .key = key, .value_size = value_size, .overrides = kSmallTiles};
            const uint64_t count = tile_of(sort) - 1;
            const uint32_t bits = reference::key_bits(key);
            all_equal.push_back(added);
            for (uint32_t width = 0; width <= bits; width += key == VKSORT_KEY_U64 ? 3 : 1) { // 0: all are equal
                const uint64_t base = random.next() & reference::low_bits(bits);
                sort.descending = width % 3 == 0;
                // From the base on, which often carries beyond the width; or within the lowest bits.
                batch.add(with_keys(sort, std::to_string(width) + " bits from " + std::to_string(base),
                                    made_keys(count, [&](uint64_t) {
                                        const uint64_t offset = random.next() & reference::low_bits(width);
                                        return base > reference::low_bits(bits) - offset ? base - offset : base + offset;
                                    })));
                batch.add(with_keys(sort, "lowest " + std::to_string(width) + " bits", made_keys(count, [&](uint64_t) {
                                        return (base & ~reference::low_bits(width)) |
                                               (random.next() & reference::low_bits(width));
                                    })));
                added += 2;
            }
        }
    }
    batch.run();
    for (size_t item : all_equal) {
        expect_fallbacks(batch, item, false);
    }
}

// The tiles that users get have wider windows.
TEST_P(BinSort, DefaultTuning) {
    Random random(test_seed());
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_U64}) {
        if (key == VKSORT_KEY_U64 && !is_full_level()) {
            continue; // for which no other test has the kernels of these tiles
        }
        SortCase sort = {.algorithm = GetParam(), .key = key};
        const uint64_t most = tile_of(sort);
        std::vector<uint64_t> counts = {most};
        for (uint64_t count = 512; count < most; count *= 2) { // one_workgroup has tiles of several sizes
            counts.push_back(count);
        }
        for (uint64_t count : counts) {
            for (uint64_t size : {2u, 5u, 9u, 17u, 31u, 33u, 50u, 64u}) {
                for (uint64_t before : {0u, 1u, 3u, 7u}) {
                    batch.add(clustered(sort, count, {.size = size, .before = before}, 0, random));
                }
            }
        }
    }
    batch.run();
}

INSTANTIATE_TEST_SUITE_P(All, BinSort, ::testing::ValuesIn(kByBins), algorithm_name);

class IndexedBins : public DeviceTest {};

// Keys of 4 bytes with values, whose words are a part of the key and the element: where bins end in the middle of windows,
// the ends of ranges of every width, many equal keys, and tiles of fewer elements than there are bins.
TEST_F(IndexedBins, InOneWorkgroup) {
    SKIP_WITHOUT_BALLOTS();
    Random random(test_seed());
    Batch batch;
    for (uint32_t keys_per_thread : {4u, 6u}) {
        for (uint32_t value_size : {4u, wide_value(16)}) {
            SortCase sort = {.algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP, .value_size = value_size};
            sort.overrides.rank = kRankBallots;
            sort.overrides.workgroupSize = small_ballot_workgroup();
            sort.overrides.keysPerThread = keys_per_thread;
            const uint64_t most = uint64_t{sort.overrides.workgroupSize} * sort.overrides.keysPerThread;
            for (uint64_t count : {most, most - 1, most / 2 + 1, most / 2, uint64_t{2}}) {
                sort.count = count;
                sort.overrides.ownSharedMemory = count != most - 1; // once as where there is no room
                // Not by bins; first, since shared memory may have the same values in the same places later.
                SortCase some_bits = sort;
                some_bits.begin_bit = 3;
                some_bits.end_bit = 17;
                batch.add(some_bits);
                for (uint64_t span : {0ull, 1ull, 2ull, 63ull, 64ull, 65ull, 0xFFFFull, 0x10000ull, 0x7FFFFFFFull,
                                      0x80000000ull, 0x80000001ull, 0xFFFFFFFFull}) {
                    for (uint64_t least : {uint64_t{0}, 0xFFFFFFFF - span}) {
                        batch.add(with_keys(sort, std::to_string(span) + " from " + std::to_string(least),
                                            made_keys(count, [&](uint64_t i) {
                                                // Both ends.
                                                return least + (i == 0 ? span : i == 1 ? 0 : random.below(span + 1));
                                            })));
                    }
                }
                for (uint64_t size : {2u, 3u, 4u, 5u, 7u, 16u, 40u}) {
                    batch.add(clustered(sort, count, {.size = size, .before = size % 3}, size, random));
                    batch.add(clustered(sort, count, {.size = size, .before = size % 3, .values = 2}, size, random));
                }
                SortCase other = sort;
                other.key = VKSORT_KEY_F32;
                other.descending = true;
                other.result = VKSORT_RESULT_SEPARATE;
                batch.add(other);
                other.argsort = true;
                other.value_size = 4;
                other.discard_keys = true;
                batch.add(other);
            }
        }
    }
    batch.run();
}

class SkewedBins : public DeviceTest {};

// Bins that follow keys which those of equal width are not for, in the kernels that rank by ballots: of 4-byte keys without
// values in larger tiles, of packed keys and indices and of 8-byte keys in any.
TEST_F(SkewedBins, InOneWorkgroup) {
    SKIP_WITHOUT_BALLOTS();
    Random random(test_seed());
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F32, VKSORT_KEY_F64}) {
        for (uint32_t value_size : {0u, 4u}) {
            if (key == VKSORT_KEY_F64 && value_size == 0 && !is_full_level()) {
                continue; // CPU drivers take seconds to compile each kernel
            }
            SortCase sort = {.algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP, .key = key, .value_size = value_size};
            sort.overrides.rank = kRankBallots;
            sort.overrides.workgroupSize = small_ballot_workgroup();
            sort.overrides.keysPerThread = 6;
            sort.overrides.skewedBins = true;
            const uint64_t most = uint64_t{sort.overrides.workgroupSize} * sort.overrides.keysPerThread;
            for (uint64_t count : {most, most - 77}) {
                sort.count = count;
                sort.overrides.ownSharedMemory = count == most; // or as where there is no room
                for (Distribution distribution :
                     {Distribution::and2, Distribution::and4, Distribution::zipf, Distribution::special}) {
                    sort.distribution = distribution;
                    batch.add(sort);
                }
                SortCase by_bits = sort; // by digits, since bins have whole keys
                by_bits.distribution = Distribution::and2;
                by_bits.begin_bit = 3;
                by_bits.end_bit = 21;
                batch.add(by_bits);
                // Half of the numbers have one exponent, half of the others the next one.
                const uint32_t bits = reference::key_bits(key);
                const uint32_t fraction = bits == 32 ? 23 : 52;
                for (uint64_t exponents : {4u, 20u}) {
                    batch.add(with_keys(sort, std::to_string(exponents) + " exponents", made_keys(count, [&](uint64_t) {
                                            uint64_t exponent = 0;
                                            while (exponent + 1 < exponents && random.below(2) == 0) {
                                                ++exponent;
                                            }
                                            const uint64_t half = uint64_t{1} << (bits - 2);
                                            const uint64_t sign = random.below(2) << (bits - 1);
                                            return sign + half - (exponent << fraction) +
                                                   (random.next() & reference::low_bits(fraction));
                                        })));
                }
            }
        }
    }
    batch.run();
}

class SegmentedBinSort : public DeviceTest {};

// Segments side by side in a job, each with bins of its own, which no round may carry keys across.
TEST_F(SegmentedBinSort, SideBySide) {
    SKIP_BELOW_FULL_LEVEL();
    Random random(test_seed());
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
        for (uint32_t value_size : {0u, 4u}) {
            for (uint64_t length : {3u, 21u, 70u, 131u, 200u}) {
                for (uint64_t size = 2; size <= 64; size += is_full_level() ? 1 : 3) {
                    SegmentedCase sort = {
                        .by = VKSORT_ALGORITHM_SIZE_CLASSES,
                        .key = key,
                        .value_size = value_size,
                        .descending = size % 5 == 0,
                        // Kernels for many heads and for few: where heads are flags, the number is not known.
                        .kind = size % 2 == 0 ? VKSORT_SEGMENTS_HEAD_FLAGS : VKSORT_SEGMENTS_HEAD_INDICES,
                        .overrides = kSmallTiles};
                    for (uint64_t segment = 0; segment < 6; ++segment) {
                        const Clusters clusters = {
                            .size = size, .before = segment, .values = size % 4 == 0 ? 3 : UINT64_MAX};
                        Keys keys = clusters_of(key, length + segment, clusters, random);
                        rearrange(keys, segment / 3, random);
                        const auto begin = static_cast<uint32_t>(sort.ordered_keys.size());
                        sort.ordered_keys.insert(sort.ordered_keys.end(), keys.begin(), keys.end());
                        sort.segments.push_back({begin, static_cast<uint32_t>(sort.ordered_keys.size())});
                    }
                    sort.count = sort.ordered_keys.size();
                    sort.keys_name = "clusters of " + std::to_string(size);
                    sort.segments_name = "of " + std::to_string(length) + " and more";
                    batch.add(sort);
                }
            }
        }
    }
    batch.run();
}

} // namespace
} // namespace vksort::test
