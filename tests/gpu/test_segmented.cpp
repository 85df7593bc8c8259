// SPDX-License-Identifier: MIT
//
// Segmented sort: lengths and places of segments, the three ways to tell them, and what the work queues did.
#include <cmath>

#include "common.h"
#include "shader_table.h"

namespace vksort::test {
namespace {

class Segmented : public DeviceTest {};

constexpr VksortAlgorithm kAlgorithms[] = {VKSORT_ALGORITHM_SEGMENTED, VKSORT_ALGORITHM_SIZE_CLASSES};
constexpr VksortSegments kKinds[] = {VKSORT_SEGMENTS_HEAD_FLAGS, VKSORT_SEGMENTS_HEAD_INDICES, VKSORT_SEGMENTS_OFFSETS};

struct Layout {
    std::string name;
    std::vector<Segment> segments;
};

// Segments of these lengths, one behind the other, until `count` elements are covered.
template <typename NextLength> Layout lengths(std::string name, uint64_t count, NextLength next) {
    Layout layout = {std::move(name), {}};
    for (uint64_t at = 0; at < count;) {
        const uint64_t length = std::clamp<uint64_t>(next(layout.segments.size()), 1, count - at);
        layout.segments.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(at + length)});
        at += length;
    }
    return layout;
}

std::vector<Layout> layouts(uint64_t count, uint64_t tile) {
    Random random(test_seed());
    std::vector<Layout> all;
    all.push_back({"none", {}});
    all.push_back(lengths("one", count, [&](size_t) { return count; }));
    all.push_back(lengths("all of length 1", count, [](size_t) { return 1; }));
    all.push_back(lengths("all of length 2", count, [](size_t) { return 2; }));
    all.push_back(lengths("0 to 3 tiles", count, [&](size_t) { return random.below(3 * tile); }));
    for (double mean : {3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 10000.0}) {
        all.push_back(lengths("mean " + std::to_string(static_cast<int>(mean)), count,
                              [&](size_t) { return static_cast<uint64_t>(-std::log(1.0 - random.unit()) * mean) + 1; }));
    }
    all.push_back(
        lengths("one huge among tiny", count, [&](size_t i) { return i == 40 ? count / 2 : 1 + random.below(4); }));
    all.push_back(lengths("whole tiles", count, [&](size_t) { return tile; }));
    all.push_back(lengths("heads just before tile edges", count, [&](size_t i) { return i == 0 ? tile - 1 : tile; }));
    all.push_back(lengths("heads just after tile edges", count, [&](size_t i) { return i == 0 ? tile + 1 : tile; }));
    all.push_back(lengths("two tiles and one", count, [&](size_t) { return 2 * tile + 1; }));
    all.push_back(lengths("a head every word", count, [](size_t) { return 32; }));
    return all;
}

SegmentedCase with(SegmentedCase sort, const Layout& layout) {
    sort.segments = layout.segments;
    sort.segments_name = layout.name;
    // No segments at all: by heads everything is one, by offsets everything is outside.
    if (sort.segments.empty() && sort.kind != VKSORT_SEGMENTS_OFFSETS) {
        sort.segments = {{0, static_cast<uint32_t>(sort.count)}};
        sort.leave_out_zero = true;
    }
    return sort;
}

constexpr uint64_t kTile = 512; // of kSmallTiles

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
                                      .kind = kKinds[i % 3],
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
                                      .kind = kKinds[i % 3],
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

// Offsets: elements between segments stay, empty segments do no harm.
TEST_F(Segmented, GapsAndEmptySegments) {
    Random random(test_seed());
    Batch batch;
    for (int round = 0; round < 12; ++round) {
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
                              .kind = VKSORT_SEGMENTS_OFFSETS,
                              .overrides = kSmallTiles};
        batch.add(with(sort, layout));
    }
    batch.run();
}

// What the GPU may find in a buffer when nobody has checked it: some permutation comes out, and nothing else changes.
TEST_F(Segmented, BadSegmentsDoNoHarm) {
    Random random(test_seed());
    Batch batch;
    for (VksortSegments kind : {VKSORT_SEGMENTS_HEAD_INDICES, VKSORT_SEGMENTS_OFFSETS}) {
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
    Batch batch;
    for (const Limits& limits : {Limits{}, kLeastLimits, Limits{.groups_x = 2}}) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64, VKSORT_KEY_I16}) {
            const uint64_t count = 20'011;
            for (VksortAlgorithm algorithm : kAlgorithms) {
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

// The tables that Modern GPU prints, for its tiles of 128 x 11: docs/algorithms.md has both beside each other.
TEST_F(Segmented, MergesOnlyWhatSpansTwoLists) {
    const uint64_t count = is_full_level() ? 10'000'000 : 500'000;
    for (uint32_t mean : {300u, 10'000u}) {
        Random random(test_seed());
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

class SizeClasses : public DeviceTest {};

// Where keys are spread unevenly, jobs are left to the sort by merging; where a digit is the same throughout, a level moves
// nothing; and equal keys beyond a tile only have to end in the right slot.
TEST_F(SizeClasses, SkewedKeys) {
    const uint64_t count = 12 * kTile + 77;
    const Layout shapes[] = {
        lengths("one", count, [&](size_t) { return count; }),
        lengths("long ones among short ones", count, [](size_t i) { return i % 3 == 1 ? 2100 + i : 3 + i % 50; }),
        lengths("a tile each", count, [](size_t) { return kTile; }),
        lengths("of 60", count, [](size_t) { return 60; }),
        lengths("of 900", count, [](size_t) { return 900; }), // for the large finish
    };
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F32, VKSORT_KEY_I64}) {
        Batch batch;
        size_t i = 0;
        for (Distribution distribution : kAllDistributions) {
            for (const Layout& shape : shapes) {
                ++i;
                SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                                      .key = key,
                                      .value_size = i % 2 == 0 ? 4u : 0u,
                                      .descending = i % 5 == 0,
                                      .count = count,
                                      .distribution = distribution,
                                      .overrides = kSmallTiles};
                sort.overrides.largeWorkgroupSize = 128;
                sort.overrides.largeKeysPerThread = 8;
                batch.add(with(sort, shape));
            }
        }
        batch.run();
        size_t unit = 0;
        for (Distribution distribution : kAllDistributions) {
            for (size_t shape = 0; shape < std::size(shapes) && unit < batch.outcomes().size(); ++shape, ++unit) {
                const uint32_t merged = batch.outcomes()[unit].statistics.fallbacks;
                if (distribution == Distribution::uniform && key == VKSORT_KEY_U32) {
                    EXPECT_EQ(merged, 0u) << shapes[shape].name;
                }
                if (distribution == Distribution::few &&
                    (shape == 2 || shape == 4)) { // five keys in a tile: bins of a hundred each
                    EXPECT_GT(merged, 0u);
                }
            }
        }
    }
}

// Jobs, large ones and long segments that are to be, when each is to reach as far as it can, block by block.
struct Pieces {
    uint32_t jobs = 0;
    uint32_t large_jobs = 0;
    uint32_t long_segments = 0;
};

Pieces expected_pieces(const Layout& layout, uint64_t count, uint64_t tile, uint64_t large_tile, uint64_t block) {
    std::vector<uint64_t> heads;
    for (const Segment& segment : layout.segments) {
        heads.push_back(segment.begin);
    }
    heads.push_back(count);
    Pieces pieces;
    for (uint64_t begin = 0; begin < count; begin += block) {
        uint64_t at = *std::lower_bound(heads.begin(), heads.end(), begin);
        const uint64_t end = *std::lower_bound(heads.begin(), heads.end(), std::min(begin + block, count));
        const auto reach = [&](uint64_t length) {
            return std::min(*std::prev(std::upper_bound(heads.begin(), heads.end(), at + length)), end);
        };
        while (at < end) {
            const uint64_t job = reach(tile);
            const uint64_t large = reach(std::max(tile, large_tile));
            if (job != at) {
                ++pieces.jobs;
                at = job;
            } else if (large != at) {
                ++pieces.large_jobs;
                at = large;
            } else {
                ++pieces.long_segments;
                at = *std::upper_bound(heads.begin(), heads.end(), at);
            }
        }
    }
    return pieces;
}

// Elements of a block of segments, of which one workgroup makes jobs.
uint64_t block_of(const SegmentedCase& sort) {
    const Plan plan = planned(sort);
    for (uint32_t i = 0; i < plan.info.passCount; ++i) {
        if (std::strcmp(plan.passes[i].name, "jobs") == 0) {
            return uint64_t{32} * kClassBlock * plan.passes[i].specialization[kSpecKeysPerThread];
        }
    }
    return 0;
}

TEST_F(SizeClasses, JobsAreAsFullAsSegmentsAllow) {
    const uint64_t count = 78 * kTile + 21;
    for (bool large : {false, true}) {
        Batch batch;
        std::vector<Pieces> expected;
        std::vector<std::string> names;
        for (const Layout& layout : layouts(count, kTile)) {
            if (layout.segments.empty()) {
                continue;
            }
            const size_t i = names.size();
            SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                                  .value_size = i % 2 == 0 ? 4u : 0u,
                                  .count = count,
                                  .kind = kKinds[i % 3],
                                  .distribution = i % 4 < 2 ? Distribution::uniform : Distribution::few,
                                  .overrides = kSmallTiles};
            if (large) {
                sort.overrides.largeWorkgroupSize = 128;
                sort.overrides.largeKeysPerThread = i % 2 == 0 ? 11 : 12; // keys alone have an even number
            }
            sort = with(sort, layout);
            const uint64_t block = block_of(sort);
            EXPECT_LT(2 * block, count) << "too few blocks";
            expected.push_back(expected_pieces(layout, count, kTile, 128 * sort.overrides.largeKeysPerThread, block));
            names.push_back(layout.name);
            batch.add(sort);
        }
        batch.run();
        for (size_t i = 0; i < batch.outcomes().size(); ++i) {
            SCOPED_TRACE(names[i]);
            const Outcome& outcome = batch.outcomes()[i];
            EXPECT_EQ(outcome.large_jobs, expected[i].large_jobs);
            EXPECT_EQ(outcome.long_segments, expected[i].long_segments);
            if (expected[i].long_segments == 0) { // others make for jobs of their own
                EXPECT_EQ(outcome.jobs, expected[i].jobs);
            }
        }
    }
}

// Several levels: more keys under each digit than a tile holds.
TEST_F(SizeClasses, LevelsOfLongSegments) {
    SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                          .value_size = 4,
                          .result = VKSORT_RESULT_SEPARATE,
                          .count = 300'000,
                          .overrides = kSmallTiles};
    Batch batch;
    batch.add(with(sort, lengths("two", sort.count, [](size_t) { return 200'000; })));
    sort.value_size = 0;
    sort.result = VKSORT_RESULT_IN_PLACE;
    sort.distribution = Distribution::and3;
    batch.add(with(sort, lengths("of 70,000", sort.count, [](size_t) { return 70'000; })));
    sort.key = VKSORT_KEY_U16;
    sort.argsort = true;
    batch.add(with(sort, lengths("of 100,000", sort.count, [](size_t) { return 100'000; })));
    batch.run();
}

// The next head is more blocks away than a workgroup looks at once, and the last block has none, but flags behind the end.
TEST_F(SizeClasses, HeadsFarApart) {
    SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES, .value_size = 4, .count = 131 * 4096 + 7};
    sort.overrides.workgroupSize = 64;
    sort.overrides.keysPerThread = 2;
    sort.overrides.partitionWorkgroupSize = 128;
    sort.overrides.partitionKeysPerThread = 16;
    ASSERT_EQ(block_of(sort), 4096u);
    Batch batch;
    batch.add(with(sort, lengths("three", sort.count, [](size_t i) { return i == 0 ? 3 : 530'000; })));
    batch.run();
    ASSERT_EQ(batch.outcomes().size(), 1u);
    EXPECT_EQ(batch.outcomes()[0].long_segments, 2u);
}

// The partition has a histogram for each subgroup: sixteen fit everywhere.
PlanOverrides by_ballots(uint64_t tile) {
    PlanOverrides overrides;
    overrides.rank = kRankBallots;
    overrides.workgroupSize = small_ballot_workgroup();
    overrides.keysPerThread = static_cast<uint32_t>(tile) / overrides.workgroupSize;
    return overrides;
}

TEST_F(SizeClasses, WithSubgroups) {
    if (!can_rank_by_ballots()) {
        return;
    }
    const PlanOverrides overrides = by_ballots(kTile);
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_U64}) {
        SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                              .key = key,
                              .value_size = 4,
                              .count = 9 * kTile + 5,
                              .overrides = overrides};
        batch.add(with(sort, layouts(sort.count, kTile)[4]));
        sort.distribution = Distribution::few;
        batch.add(with(sort, layouts(sort.count, kTile)[12]));
        if (key == VKSORT_KEY_F32 || is_full_level()) { // other kernels, of the same code
            sort.value_size = 0;
            batch.add(with(sort, layouts(sort.count, kTile)[4]));
            sort.distribution = Distribution::uniform;
            batch.add(with(sort, layouts(sort.count, kTile)[12]));
            // Many heads, as their number tells; and a large tile, whose flags are more than 32 words.
            sort.kind = VKSORT_SEGMENTS_HEAD_INDICES;
            batch.add(with(sort, layouts(sort.count, kTile)[6]));
            sort.overrides.largeWorkgroupSize = overrides.workgroupSize;
            sort.overrides.largeKeysPerThread = 3 * overrides.keysPerThread;
            batch.add(with(sort, layouts(sort.count, 2 * kTile)[4]));
        }
    }
    batch.run();
}

// Whether what the finish leaves is sorted by that kernel.
bool skewed_by(const SegmentedCase& sort, const char* kernel) {
    const Plan plan = planned(sort);
    for (uint32_t i = 0; i < plan.info.passCount; ++i) {
        if (std::strcmp(plan.passes[i].name, "skewed") == 0) {
            return std::strncmp(kShaderModules[plan.passes[i].module].name, kernel, std::strlen(kernel)) == 0;
        }
    }
    return false;
}

// What bins refuse is sorted by merging where jobs are whole segments,
TEST_F(SizeClasses, UnevenKeysWithSubgroups) {
    if (!can_rank_by_ballots()) {
        return;
    }
    constexpr uint64_t kTwice = 2 * kTile;
    const uint64_t count = 11 * kTwice + 3;
    const Layout shapes[] = {
        lengths("a tile each", count, [](size_t) { return kTwice; }),
        lengths("of 400", count, [](size_t) { return 400; }),
        lengths("longer than the large tile", count, [](size_t i) { return i == 0 ? 5 * kTwice : 400; }),
        lengths("for the large tile", count, [](size_t) { return 3 * kTile; }),
    };
    for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_U64}) {
        Batch batch;
        std::vector<bool> few;
        for (uint32_t large : {0u, 2u}) {
            for (Distribution distribution : {Distribution::few, Distribution::zipf, Distribution::and2}) {
                SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                                      .key = key,
                                      .value_size = large == 0 ? 0u : 4u,
                                      .descending = large != 0,
                                      .count = count,
                                      .distribution = distribution,
                                      .overrides = by_ballots(kTwice)};
                sort.overrides.largeWorkgroupSize = large != 0 ? sort.overrides.workgroupSize : 0;
                sort.overrides.largeKeysPerThread = large * sort.overrides.keysPerThread;
                EXPECT_TRUE(skewed_by(sort, "classes_skewed"));
                for (const Layout& shape : shapes) {
                    batch.add(with(sort, shape));
                    few.push_back(distribution == Distribution::few);
                }
            }
        }
        batch.run();
        ASSERT_EQ(batch.outcomes().size(), few.size());
        for (size_t i = 0; i < few.size(); ++i) {
            if (few[i]) {
                EXPECT_GT(batch.outcomes()[i].statistics.fallbacks, 0u) << shapes[i % std::size(shapes)].name << ", few keys, case " << i;
            }
        }
    }
}

// and by digits where most of them are digits of long segments; then by segments: one in a job, some, more than a digit tells apart.
TEST_F(SizeClasses, UnevenKeysInLongSegmentsWithSubgroups) {
    if (!can_rank_by_ballots()) {
        return;
    }
    constexpr uint64_t kTwice = 2 * kTile;
    const auto with_long = [](const char* name, uint64_t singles, uint64_t others) {
        const uint64_t segments = singles + others + 1;
        const uint64_t count = 2 * kTwice * segments + 5;
        return lengths(name, count, [=](size_t i) { return i < singles ? 1 : i < singles + others ? 400 : count; });
    };
    const Layout few[] = {with_long("one", 0, 0), with_long("two of 400", 0, 2),
                          with_long("a third behind 20 of one", 20, 1)};
    const Layout many = with_long("400 behind 300 of one", 300, 1);
    const auto run = [](const SegmentedCase& sort, const Layout& shape) {
        EXPECT_TRUE(skewed_by(with(sort, shape), "classes_digits")) << shape.name;
        Batch batch;
        batch.add(with(sort, shape));
        batch.run();
        if (!batch.outcomes().empty() && sort.distribution == Distribution::few && shape.segments.size() > 1) {
            EXPECT_GT(batch.outcomes()[0].statistics.fallbacks, 0u) << shape.name;
        }
    };
    for (uint32_t value_size : {0u, 4u, 8u}) {
        for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_U64}) {
            for (Distribution distribution : {Distribution::few, Distribution::zipf, Distribution::and2}) {
                SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                                      .key = key,
                                      .value_size = value_size,
                                      .descending = value_size == 8,
                                      .kind = VKSORT_SEGMENTS_HEAD_INDICES, // their number tells the mean length
                                      .distribution = distribution,
                                      .overrides = by_ballots(kTwice)};
                for (const Layout& shape : few) {
                    sort.count = shape.segments.back().end;
                    run(sort, shape);
                }
                if (distribution == Distribution::few && (value_size == 0 || is_full_level())) {
                    sort.count = many.segments.back().end;
                    run(sort, many);
                }
            }
        }
    }
}

TEST_F(Segmented, AutoTakesSizeClasses) {
    const VksortPlanDesc desc = description_of(SegmentedCase{.by = VKSORT_ALGORITHM_AUTO, .count = 1000});
    VksortPlanInfo info = {};
    ASSERT_EQ(vksortDescribePlan(&context().info(), &desc, &info, nullptr, 0), VK_SUCCESS);
    EXPECT_EQ(info.algorithm, VKSORT_ALGORITHM_SIZE_CLASSES);
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
