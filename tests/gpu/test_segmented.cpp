// SPDX-License-Identifier: MIT
//
// Segmented sort: lengths and places of segments, the four ways to tell them, and what the work queues did.
#include <cmath>

#include "segment_layouts.h"

namespace vksort::test {
namespace {

class Segmented : public DeviceTest {};

constexpr VksortAlgorithm kAlgorithms[] = {VKSORT_ALGORITHM_SEGMENTED, VKSORT_ALGORITHM_SIZE_CLASSES};

TEST_F(Segmented, EveryLayoutByEveryKind) {
    const uint64_t count = 11 * kTile + 100;
    for (size_t mixed = 0; mixed < std::size(kKinds) * std::size(kAlgorithms); ++mixed) {
        const VksortSegments kind = kKinds[mixed / std::size(kAlgorithms)];
        Batch batch;
        size_t i = 0;
        for (const Layout& layout : layouts(count, kTile)) {
            ++i;
            SegmentedCase sort = {.by = kAlgorithms[mixed % std::size(kAlgorithms)],
                                  .value_size = i % 2 == 0 ? 4u : 0u,
                                  .descending = i % 3 == 0,
                                  .result = i % 4 < 2 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE,
                                  .count = count,
                                  .kind = kind,
                                  .leave_out_zero = i % 5 == 0,
                                  .distribution = i % 2 == 0 ? Distribution::few : Distribution::uniform,
                                  .overrides = kSmallTiles};
            if (i % 3 != 0) {
                sort.overrides.largeWorkgroupSize = 128;
                sort.overrides.largeKeysPerThread = 10;
            }
            batch.add(with(sort, layout));
        }
        batch.run();
    }
}

TEST_F(Segmented, EveryKeyAndValue) {
    const uint64_t count = 5 * kTile + 7;
    const std::vector<Layout> all = layouts(count, kTile);
    for (VksortKeyType key : reference::kAllKeyTypes) {
        Batch batch;
        size_t i = 0;
        for (uint32_t value_size : {0u, 4u, 8u, 12u, 16u, 1u}) { // 1: argsort
            if (!tests_pair(key, value_size == 1 ? 4 : value_size)) {
                continue;
            }
            for (bool descending : {false, true}) {
                ++i;
                SegmentedCase sort = {.by = kAlgorithms[(i + i / 2) % 2],
                                      .key = key,
                                      .value_size = value_size == 1 ? 0 : value_size,
                                      .argsort = value_size == 1,
                                      .descending = descending,
                                      .result = i % 4 < 2 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE,
                                      .count = count,
                                      .kind = kKinds[i / 3 % std::size(kKinds)],
                                      .distribution = Distribution::few,
                                      .overrides = kSmallTiles};
                sort.discard_keys = value_size != 0 && i % 5 == 0;
                batch.add(with(sort, all[4 + i % 10]));
            }
        }
        batch.run();
    }
}

TEST_F(Segmented, KeysInsideStructs) {
    const uint64_t count = 3 * kTile + 7;
    Batch batch;
    size_t i = 0;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64, VKSORT_KEY_I16}) {
        for (VksortAlgorithm algorithm : kAlgorithms) {
            for (uint32_t value_size : {0u, 4u}) {
                ++i;
                SegmentedCase sort = {.by = algorithm,
                                      .key = key,
                                      .value_size = value_size,
                                      .descending = i % 2 == 0,
                                      .result = VKSORT_RESULT_SEPARATE,
                                      .stride = 20,
                                      .offset = 8,
                                      .count = count,
                                      .kind = kKinds[(i + i / 4) % std::size(kKinds)],
                                      .distribution = Distribution::special,
                                      .overrides = kSmallTiles};
                batch.add(with(sort, layouts(count, kTile)[1 + i % 9]));
                sort.discard_keys = value_size != 0;
                batch.add(with(sort, layouts(count, kTile)[4]));
            }
        }
    }
    batch.run();
}

TEST_F(Segmented, CountsAtTheEdges) {
    Batch batch;
    for (uint64_t count : {0u, 1u, 2u, 31u, 32u, 33u, 511u, 512u, 513u, 1023u, 1024u, 1025u, 2047u, 2048u, 2049u}) {
        for (VksortSegments kind : kKinds) {
            for (VksortAlgorithm algorithm : kAlgorithms) {
                SegmentedCase sort = {.by = algorithm,
                                      .value_size = 4,
                                      .count = count,
                                      .max_count = 3000,
                                      .kind = kind,
                                      .overrides = kSmallTiles};
                const Layout layout = lengths("of 100", count, [](size_t) { return 100; });
                batch.add(with(sort, layout));
                sort.gpu_count = static_cast<uint32_t>(count);
                sort.gpu_segment_count = kind != VKSORT_SEGMENTS_HEAD_FLAGS;
                sort.max_segments = kind == VKSORT_SEGMENTS_HEAD_FLAGS ? 0 : 50;
                batch.add(with(sort, layout));
            }
        }
    }
    batch.run();
}

// Pairs: elements between segments stay, empty segments do no harm.
TEST_F(Segmented, GapsAndEmptySegments) {
    Random random(test_seed());
    Batch batch;
    for (int round = 0; round < 24; ++round) {
        const uint64_t count = 1 + random.below(6 * kTile);
        Layout layout = {"with gaps", {}};
        for (uint32_t at = 0; at < count;) {
            const auto gap = static_cast<uint32_t>(random.below(3) == 0 ? random.below(round % 2 == 0 ? 5 : 1000) : 0);
            const auto length = static_cast<uint32_t>(random.below(4) == 0 ? 0 : random.below(round % 3 == 0 ? 40 : 1500));
            const auto begin = static_cast<uint32_t>(std::min<uint64_t>(at + gap, count));
            const auto end = static_cast<uint32_t>(std::min<uint64_t>(begin + length, count));
            layout.segments.push_back({begin, end});
            at = end;
            if (layout.segments.size() > 4000) {
                break;
            }
        }
        SegmentedCase sort = {.by = kAlgorithms[round % 2],
                              .value_size = 4,
                              .count = count,
                              .kind = kPairKinds[round / 2 % 2],
                              .overrides = kSmallTiles};
        batch.add(with(sort, layout));
    }
    batch.run();
}

// Few segments, many of them long, so that words of flags far from their ends have to tell whether they are inside.
TEST_F(Segmented, GapsAndSegmentsOfManyWords) {
    Batch batch;
    for (uint64_t count : {uint64_t{32 * 32}, uint64_t{32 * 32 * 32}, uint64_t{32 * 32 * 32 + 1}, uint64_t{81'234}}) {
        for (uint64_t step : {uint64_t{32}, uint64_t{1024}, uint64_t{9000}, uint64_t{33'000}}) {
            for (VksortAlgorithm algorithm : kAlgorithms) {
                const auto at = [count](uint64_t element) { return static_cast<uint32_t>(std::min(element, count)); };
                Layout layout = {"and gaps, step " + std::to_string(step), {}};
                for (uint64_t i = 0; i * step < count; ++i) {
                    if (i % 3 != 1) { // some touch, some begin or end with a word
                        layout.segments.push_back({at(i * step + (i % 5 == 0 ? i % 31 : 0)), at((i + 1) * step)});
                    }
                }
                SegmentedCase sort = {.by = algorithm,
                                      .value_size = 4,
                                      .count = count,
                                      .kind = kPairKinds[step == 1024 ? 0 : 1],
                                      .overrides = kSmallTiles};
                batch.add(with(sort, layout));
            }
        }
    }
    batch.run();
}

// What reaches past the count is left out, and the elements before it are sorted.
TEST_F(Segmented, PairsPastTheCount) {
    Batch batch;
    for (uint64_t count : {0u, 1u, 32u, 700u, 1024u, 2777u}) {
        for (VksortSegments kind : kPairKinds) {
            for (VksortAlgorithm algorithm : kAlgorithms) {
                const auto end = static_cast<uint32_t>(count);
                SegmentedCase sort = {.by = algorithm,
                                      .value_size = 4,
                                      .count = count,
                                      .max_count = 4000,
                                      .kind = kind,
                                      .overrides = kSmallTiles};
                batch.add(with(sort, {"one beyond", {{end / 4, end / 2}, {end - end / 3, end + 900}, {end + 950, 4000}}}));
                batch.add(with(sort, {"to the last position", {{end / 4, end / 2}, {end - end / 3, UINT32_MAX}}}));
                sort.gpu_count = end;
                sort.gpu_segment_count = true;
                sort.max_segments = 10;
                batch.add(with(sort, {"at the count", {{end / 3, end}, {end, end + 40}, {UINT32_MAX - 1, UINT32_MAX}}}));
            }
        }
    }
    batch.run();
}

// What the GPU may find in a buffer when nobody has checked it: some permutation comes out, and nothing else changes.
TEST_F(Segmented, BadSegmentsDoNoHarm) {
    Random random(test_seed());
    Batch batch;
    for (VksortSegments kind : {VKSORT_SEGMENTS_HEAD_INDICES, VKSORT_SEGMENTS_OFFSETS, VKSORT_SEGMENTS_OFFSET_COUNTS}) {
        for (uint64_t reach : {uint64_t{3000}, uint64_t{10'000}, uint64_t{UINT32_MAX}}) {
            SegmentedCase sort = {.value_size = 4, .count = 2777, .kind = kind, .overrides = kSmallTiles};
            sort.any_permutation = true;
            sort.segments_name = "anything up to " + std::to_string(reach);
            for (int i = 0; i < 200; ++i) {
                sort.segments.push_back(
                    {static_cast<uint32_t>(random.below(reach + 1)), static_cast<uint32_t>(random.below(reach + 1))});
            }
            for (VksortAlgorithm algorithm : kAlgorithms) {
                sort.by = algorithm;
                batch.add(sort);
            }
        }
    }
    batch.run();
}

TEST_F(Segmented, RealTilesAndSmallDevices) {
    SKIP_BELOW_FULL_LEVEL();
    Batch batch;
    for (const Limits& limits : {Limits{}, kLeastLimits, Limits{.groups_x = 2}}) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64, VKSORT_KEY_I16}) {
            const uint64_t count = 20'011;
            for (VksortAlgorithm algorithm : kAlgorithms) {
                if (!context(limits).can_run(algorithm)) {
                    continue;
                }
                SegmentedCase sort = {.by = algorithm,
                                      .key = key,
                                      .value_size = 4,
                                      .count = count,
                                      .kind = VKSORT_SEGMENTS_HEAD_INDICES,
                                      .limits = limits};
                batch.add(with(sort, layouts(count, 1024)[10]));
                if (algorithm == VKSORT_ALGORITHM_SIZE_CLASSES) {
                    sort.value_size = 0;
                    batch.add(with(sort, layouts(count, 2500)[4])); // some for the large finish, where the device has one
                }
            }
        }
    }
    batch.run();
}

TEST_F(Segmented, AnyNumberOfWorkgroupsDrains) {
    const uint64_t count = 20 * kTile + 3;
    for (uint32_t groups : {1u, 2u, 1000u}) {
        SegmentedCase sort = {.value_size = 4, .count = count, .overrides = kSmallTiles};
        sort.overrides.drainGroups = groups;
        Batch batch;
        batch.add(with(sort, layouts(count, kTile)[10]));
        batch.run();
    }
}

// Short segments end within tiles: only those that cross a tile's edge are merged, and most tiles soon hold still.
TEST_F(Segmented, ShortSegmentsAreMergedLittle) {
    const uint64_t count = 64 * kTile;
    SegmentedCase sort = {.count = count, .overrides = kSmallTiles};
    Batch batch;
    batch.add(with(sort, lengths("of 500", count, [](size_t) { return 500; })));
    batch.add(with(sort, lengths("of one tile", count, [](size_t) { return kTile; })));
    batch.run();
    ASSERT_EQ(batch.outcomes().size(), 2u);
    const VksortWorkStatistics& crossing = batch.outcomes()[0].work;
    EXPECT_EQ(crossing.mergePasses, 6u);
    for (uint32_t pass = 0; pass < crossing.mergePasses; ++pass) {
        // A segment spans the middle of each pair of lists, and so two tiles.
        EXPECT_LE(crossing.passes[pass].merged, 2u * (64u >> (pass + 1))) << "pass " << pass;
    }
    const VksortWorkStatistics& apart = batch.outcomes()[1].work;
    for (uint32_t pass = 0; pass < apart.mergePasses; ++pass) {
        EXPECT_EQ(apart.passes[pass].merged, 0u);
        EXPECT_EQ(apart.passes[pass].copied, pass == 0 ? 64u : 0u);
    }
}

// The share of tiles that pass `pass` has to merge when heads stand at random, one in `mean` elements. Only the segment that
// spans the middle of two lists moves. Leftwards and rightwards it reaches k whole tiles further with probability q^k,
// within lists of 2^pass tiles.
double expected_share(double mean, double tile, uint32_t pass) {
    const double q = std::pow(1.0 - 1.0 / mean, tile);
    const double list = std::exp2(pass);
    return (1.0 - std::pow(q, list)) / (1.0 - q) / list;
}

// The tables that Modern GPU prints, for its tiles of 128 x 11: docs/algorithms/segmented.md has their sums beside each
// other.
TEST_F(Segmented, MergesOnlyWhatSpansTwoLists) {
    const uint64_t count = is_full_level() ? 10'000'000 : 500'000;
    for (uint32_t mean : {300u, 10'000u}) {
        // Fixed: of some 50 heads the share that is merged may by chance be further off than a tenth.
        Random random(mix(1, hash("Segmented.MergesOnlyWhatSpansTwoLists")));
        std::vector<bool> heads(count);
        for (uint64_t i = 0; i < count / mean; ++i) {
            heads[random.below(count)] = true;
        }
        Layout layout = {"random heads, mean " + std::to_string(mean), {{0, 0}}};
        for (uint32_t i = 1; i < count; ++i) {
            if (heads[i]) {
                layout.segments.back().end = i;
                layout.segments.push_back({i, 0});
            }
        }
        layout.segments.back().end = static_cast<uint32_t>(count);
        SegmentedCase sort = {.count = count};
        sort.overrides.workgroupSize = 128;
        sort.overrides.keysPerThread = 11;
        Batch batch;
        batch.add(with(sort, layout));
        batch.run();
        ASSERT_EQ(batch.outcomes().size(), 1u);
        const VksortWorkStatistics& work = batch.outcomes()[0].work;
        double merged = 0, copied = 0, expected = 0;
        for (uint32_t pass = 0; pass < work.mergePasses; ++pass) {
            const double share = static_cast<double>(work.passes[pass].merged) / work.tiles;
            const double copies = static_cast<double>(work.passes[pass].copied) / work.tiles;
            std::printf("    mean %5u, pass %2u: %5u merged %6.2f %%  %5u copied %6.2f %%\n", mean, pass,
                        work.passes[pass].merged, 100 * share, work.passes[pass].copied, 100 * copies);
            merged += share;
            copied += copies;
            expected += expected_share(mean, 1408, pass);
        }
        std::printf("    mean %5u: %.2f passes of merging, %.2f of copying\n", mean, merged, copied);
        EXPECT_NEAR(merged, expected, 0.1 * expected);
    }
}

TEST_F(Segmented, AutoTakesMsdForSegmentsWhereBallotsPay) {
    const VksortPlanDesc desc = description_of(SegmentedCase{.by = VKSORT_ALGORITHM_AUTO, .count = 1000});
    VksortPlanInfo info = {};
    ASSERT_EQ(vksortDescribePlan(&context().info(), &desc, &info, nullptr, 0), VK_SUCCESS);
    EXPECT_EQ(info.algorithm,
              prefers_ballots(context().info()) ? VKSORT_ALGORITHM_SIZE_CLASSES : VKSORT_ALGORITHM_SEGMENTED);
}

TEST_F(Segmented, RefusedInWords) {
    const SegmentedCase sort = {.count = 100};
    VksortPlan plan = VK_NULL_HANDLE;
    VksortPlanDesc desc = description_of(sort);
    desc.maxSegments = 5;
    EXPECT_EQ(context().plan(desc, {}, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    expect_message("head flags are not counted");
    desc = description_of(sort);
    desc.result = VKSORT_RESULT_PING_PONG;
    EXPECT_EQ(context().plan(desc, {}, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    expect_message("VKSORT_RESULT_IN_PLACE or VKSORT_RESULT_SEPARATE");
    desc = description_of(sort);
    desc.algorithm = VKSORT_ALGORITHM_MERGE;
    EXPECT_EQ(context().plan(desc, {}, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    expect_message("segmented, size_classes or auto");
    expect_refused(SortCase{.algorithm = VKSORT_ALGORITHM_SEGMENTED, .count = 10}, VK_ERROR_FORMAT_NOT_SUPPORTED,
                   "VKSORT_OPERATION_SEGMENTED_SORT");
}

} // namespace
} // namespace vksort::test
