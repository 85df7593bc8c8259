// SPDX-License-Identifier: MIT
//
// Segmented sort by size classes: jobs as full as segments allow, long segments by levels, and what bins refuse.
#include <algorithm>
#include <map>

#include "segment_layouts.h"
#include "shader_table.h"

namespace vksort::test {
namespace {

class SegmentedMsd : public DeviceTest {
protected:
    Random random_{test_seed()};
};

// Where keys are spread by skewed bins, jobs are left to the sort by merging; where a digit is the same throughout, a level
// moves nothing; and equal keys beyond a tile only have to end in the right slot.
TEST_F(SegmentedMsd, SkewedKeys) {
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

// As users get them: for flags before keys, and for pairs between offsets that go to other buffers.
TEST_F(SegmentedMsd, SpecializedKernels) {
    use_specialized_kernels();
    const uint64_t count = 12 * kTile + 77;
    const Layout shape =
        lengths("long ones among short ones", count, [](size_t i) { return i % 3 == 1 ? 2100 + i : 3 + i % 50; });
    Batch batch;
    SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES, .count = count, .overrides = kSmallTiles};
    batch.add(with(sort, shape));
    sort.value_size = 4;
    sort.descending = true;
    sort.result = VKSORT_RESULT_SEPARATE;
    sort.kind = VKSORT_SEGMENTS_OFFSETS;
    batch.add(with(sort, shape));
    batch.run();
}

// Skewed keys in the tiles that users get for short segments and for medium ones.
TEST_F(SegmentedMsd, SkewedKeysInRealTiles) {
    SKIP_BELOW_FULL_LEVEL();
    Batch batch;
    const uint64_t count = 30'011;
    for (uint64_t length : {30u, 1000u}) {
        const Layout shape =
            lengths("about " + std::to_string(length), count, [&](size_t i) { return length / 2 + i * 389 % length; });
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_I64}) {
            for (uint32_t value_size : {0u, 4u}) {
                for (Distribution distribution :
                     {Distribution::uniform, Distribution::zipf, Distribution::few, Distribution::and3}) {
                    batch.add(with({.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                                    .key = key,
                                    .value_size = value_size,
                                    .count = count,
                                    .kind = VKSORT_SEGMENTS_HEAD_INDICES,
                                    .distribution = distribution},
                                   shape));
                }
            }
        }
    }
    batch.run();
}

// Jobs, large ones and long segments that are to be, when each is to reach as far as it can, block by block.
struct Pieces {
    uint32_t jobs = 0;
    uint32_t large_jobs = 0;
    uint32_t large_digits = 0; // of long segments
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

// Digits of a long segment of u32 keys, on any level, that are for the large finish.
uint32_t large_digits(const std::vector<uint64_t>& keys, uint64_t tile, uint64_t large_tile, uint32_t level = 0) {
    std::map<uint64_t, std::vector<uint64_t>> digits;
    bool differs_below = false;
    const uint32_t shift = 24 - 8 * level;
    for (uint64_t key : keys) {
        digits[key >> shift & 255].push_back(key);
        differs_below = differs_below || ((key ^ keys[0]) & ((uint64_t{1} << shift) - 1)) != 0;
    }
    if (!differs_below) {
        return 0; // sorted by this digit
    }
    uint32_t count = 0;
    for (const auto& [digit, own] : digits) {
        const bool stays = digits.size() == 1; // however short
        if (stays || own.size() > large_tile) {
            count += large_digits(own, tile, large_tile, level + 1);
        } else if (own.size() > tile) {
            ++count;
        }
    }
    return count;
}

uint32_t large_digits(const SegmentedCase& sort, uint64_t tile, uint64_t large_tile) {
    uint32_t count = 0;
    for (const Segment& segment : sort.segments) {
        if (segment.end - segment.begin > std::max(tile, large_tile)) {
            count += large_digits({sort.ordered_keys.begin() + segment.begin, sort.ordered_keys.begin() + segment.end}, tile,
                                  large_tile);
        }
    }
    return count;
}

TEST_F(SegmentedMsd, JobsAreAsFullAsSegmentsAllow) {
    SKIP_BELOW_FULL_LEVEL();
    const uint64_t count = 78 * kTile + 21;
    uint32_t digits = 0;
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
                                  .kind = kKinds[(i + i / 4) % std::size(kKinds)],
                                  .overrides = kSmallTiles};
            // Uniform keys, ones of few first digits, of a few values.
            const uint64_t differing = i % 4 < 2 ? 0xFFFFFFFF : i % 4 == 2 ? 0x05FFFFFF : 0x04010000;
            sort.keys_name = "keys that differ in " + std::to_string(differing);
            for (uint64_t k = 0; k < count; ++k) {
                sort.ordered_keys.push_back(random_.below(uint64_t{1} << 32) & differing);
            }
            if (large) {
                sort.overrides.largeWorkgroupSize = 128;
                sort.overrides.largeKeysPerThread = i % 2 == 0 ? 11 : 12; // keys without values have an even number
            }
            sort = with(sort, layout);
            const uint64_t block = block_of(sort);
            EXPECT_LT(2 * block, count) << "too few blocks";
            const uint64_t large_tile = 128 * sort.overrides.largeKeysPerThread;
            expected.push_back(expected_pieces(layout, count, kTile, large_tile, block));
            expected.back().large_digits = large_digits(sort, kTile, large_tile);
            digits += expected.back().large_digits;
            names.push_back(layout.name);
            batch.add(sort);
        }
        batch.run();
        for (size_t i = 0; i < batch.outcomes().size(); ++i) {
            SCOPED_TRACE(names[i]);
            const Outcome& outcome = batch.outcomes()[i];
            EXPECT_EQ(outcome.large_jobs, expected[i].large_jobs + expected[i].large_digits);
            EXPECT_EQ(outcome.long_segments, expected[i].long_segments);
            if (expected[i].long_segments == 0) { // others make for jobs of their own
                EXPECT_EQ(outcome.jobs, expected[i].jobs);
            }
        }
    }
    EXPECT_GT(digits, 0u);
}

// Several levels: more keys under each digit than a tile holds.
TEST_F(SegmentedMsd, LevelsOfLongSegments) {
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
    sort.key = VKSORT_KEY_F32;
    sort.kind = VKSORT_SEGMENTS_HEAD_INDICES; // their number tells the mean length, which GPUs scan by more invocations
    batch.add(with(sort, lengths("one", sort.count, [](size_t) { return 300'000; })));
    batch.run();
}

// Null if there is none of that name.
const Pass* find_pass(const Plan& plan, const char* name) {
    const Pass* begin = plan.passes;
    const Pass* end = begin + plan.info.passCount;
    const Pass* pass = std::find_if(begin, end, [name](const Pass& other) { return std::strcmp(other.name, name) == 0; });
    return pass != end ? pass : nullptr;
}

// What is read where the caller has it: segments of a job, longer ones, those that no level moves, and jobs that bins
// refuse.
TEST_F(SegmentedMsd, ToOtherBuffers) {
    Batch batch;
    for (Distribution distribution :
         {Distribution::uniform, Distribution::equal, Distribution::few, Distribution::and3, Distribution::sorted}) {
        for (uint32_t value_size : {0u, 4u, 16u}) {
            if (value_size == 16 && tests_few_pairs()) {
                continue;
            }
            SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                                  .key = value_size == 4 ? VKSORT_KEY_U64 : VKSORT_KEY_F32,
                                  .value_size = value_size,
                                  .result = VKSORT_RESULT_SEPARATE,
                                  .count = 60'000,
                                  .distribution = distribution,
                                  .overrides = kSmallTiles};
            batch.add(with(sort, lengths("short and long", sort.count, [](size_t i) { return i % 3 == 0 ? 20'000 : 300; })));
            EXPECT_EQ(find_pass(planned(sort), "copy"), nullptr);
            sort.stride = 8;
            EXPECT_NE(find_pass(planned(sort), "copy"), nullptr);
        }
    }
    batch.run();
}

// The next head is more blocks away than a workgroup looks at once, and the last block has none, but flags behind the end.
TEST_F(SegmentedMsd, HeadsFarApart) {
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

PlanOverrides in_tiles_of(uint64_t tile) {
    PlanOverrides overrides = kSmallTiles;
    overrides.keysPerThread = static_cast<uint32_t>(tile) / overrides.workgroupSize;
    return overrides;
}

TEST_F(SegmentedMsd, LargeTiles) {
    SKIP_WITHOUT_BALLOTS();
    const PlanOverrides overrides = in_tiles_of(kTile);
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

// Whether what the finish, or the large one, leaves is sorted by that kernel.
bool skewed_by(const SegmentedCase& sort, const char* kernel, const char* pass = "skewed") {
    const Plan plan = planned(sort);
    const Pass* found = find_pass(plan, pass);
    return found != nullptr && std::strncmp(kShaderModules[found->module].name, kernel, std::strlen(kernel)) == 0;
}

// What bins refuse is sorted by merging where jobs are whole segments,
TEST_F(SegmentedMsd, KeysOfSkewedDigits) {
    SKIP_BELOW_FULL_LEVEL();
    SKIP_WITHOUT_BALLOTS();
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
                                      .overrides = in_tiles_of(kTwice)};
                sort.overrides.largeWorkgroupSize = large != 0 ? sort.overrides.workgroupSize : 0;
                sort.overrides.largeKeysPerThread = large * sort.overrides.keysPerThread;
                EXPECT_TRUE(skewed_by(sort, "msd_skewed"));
                for (const Layout& shape : shapes) {
                    sort.result = few.size() % 2 == 0 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
                    batch.add(with(sort, shape));
                    few.push_back(distribution == Distribution::few);
                }
            }
        }
        batch.run();
        ASSERT_EQ(batch.outcomes().size(), few.size());
        for (size_t i = 0; i < few.size(); ++i) {
            if (few[i]) {
                EXPECT_GT(batch.outcomes()[i].statistics.fallbacks, 0u)
                    << shapes[i % std::size(shapes)].name << ", few keys, case " << i;
            }
        }
    }
}

// and by digits where most of them are digits of long segments; then by segments: one in a job, some, more than a digit
// tells apart.
TEST_F(SegmentedMsd, SkewedKeysInLongSegments) {
    SKIP_BELOW_FULL_LEVEL();
    SKIP_WITHOUT_BALLOTS();
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
        EXPECT_TRUE(skewed_by(with(sort, shape), "msd_digits")) << shape.name;
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
                                      .result = value_size == 4 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE,
                                      .kind = VKSORT_SEGMENTS_HEAD_INDICES, // their number tells the mean length
                                      .distribution = distribution,
                                      .overrides = in_tiles_of(kTwice)};
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

// Digits of a long segment that fit the large tile only, of uniform keys and of few.
TEST_F(SegmentedMsd, DigitsForTheLargeTile) {
    SKIP_BELOW_FULL_LEVEL();
    SKIP_WITHOUT_BALLOTS();
    constexpr uint64_t kDigits = 8;
    const uint64_t count = kDigits * kTile * 3 / 2;
    const Layout one = lengths("one", count, [=](size_t) { return count; });
    Batch batch;
    std::vector<bool> few;
    for (const auto& [key, value_size] : {std::pair{VKSORT_KEY_U32, 0u}, {VKSORT_KEY_U32, 4u}, {VKSORT_KEY_I64, 8u}}) {
        if (value_size == 8 && !is_full_level()) {
            continue;
        }
        for (uint64_t values : {uint64_t{5}, uint64_t{1} << 24}) {
            SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                                  .key = key,
                                  .value_size = value_size,
                                  .result = value_size == 4 ? VKSORT_RESULT_SEPARATE : VKSORT_RESULT_IN_PLACE,
                                  .count = count,
                                  .kind = VKSORT_SEGMENTS_HEAD_INDICES,
                                  .keys_name = "of " + std::to_string(values) + " values a digit",
                                  .overrides = in_tiles_of(kTile)};
            sort.overrides.largeWorkgroupSize = sort.overrides.workgroupSize;
            sort.overrides.largeKeysPerThread = 2 * sort.overrides.keysPerThread;
            const uint32_t below = reference::key_bits(key) - 8;
            for (uint64_t i = 0; i < count; ++i) {
                sort.ordered_keys.push_back((i * 5 % kDigits * 17) << below | random_.below(values) << (below - 24));
            }
            EXPECT_TRUE(skewed_by(with(sort, one), "msd_digits", "large skewed"));
            batch.add(with(sort, one));
            few.push_back(values == 5);
        }
    }
    batch.run();
    ASSERT_EQ(batch.outcomes().size(), few.size());
    for (size_t i = 0; i < few.size(); ++i) {
        EXPECT_EQ(batch.outcomes()[i].large_jobs, kDigits);
        EXPECT_EQ(batch.outcomes()[i].statistics.fallbacks, few[i] ? kDigits : 0) << "case " << i;
    }
}

} // namespace
} // namespace vksort::test
