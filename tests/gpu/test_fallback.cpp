// SPDX-License-Identifier: MIT
//
// Look-back when predecessors do not answer: chosen tiles withhold their status, so that others must count for them.
#include <cstdio>

#include "common.h"

namespace vksort::test {
namespace {

class Fallback : public DeviceTest {};

// Tiles that withhold their status and have a successor: for each of them somebody must have counted, in every pass but the
// first one of keys without values, which has no look-back.
uint64_t least_fallbacks(const SortCase& sort, uint32_t modulo, const VksortStatistics& statistics) {
    const uint64_t tile = tile_of(sort);
    const uint64_t tiles = (statistics.count + tile - 1) / tile;
    const bool alone = sort.value_size == 0 && !sort.argsort;
    return tiles == 0 ? 0 : (tiles - 1) / modulo * (statistics.digitPassesRun - (alone ? 1 : 0));
}

// Every stalled kernel is one of its own to compile, so only some tests run all kinds of sorts.
std::vector<SortCase> every_kind() {
    return {
        {.key = VKSORT_KEY_U32},
        {.key = VKSORT_KEY_F32, .value_size = 4, .descending = true, .distribution = Distribution::special},
        {.key = VKSORT_KEY_U32, .value_size = 4, .distribution = Distribution::few},
        {.key = VKSORT_KEY_U64, .argsort = true, .distribution = Distribution::and5},
        {.key = VKSORT_KEY_I8, .value_size = 4},
        {.key = VKSORT_KEY_F16, .result = VKSORT_RESULT_SEPARATE},
        {.key = VKSORT_KEY_U32, .value_size = 4, .digit_mask = 10},
        {.key = VKSORT_KEY_U16, .result = VKSORT_RESULT_SEPARATE, .stride = 6, .offset = 2},
    };
}

std::vector<SortCase> pairs_only() {
    return {
        {.key = VKSORT_KEY_F32, .value_size = 4, .distribution = Distribution::special},
        {.key = VKSORT_KEY_I32, .value_size = 4, .descending = true},
    };
}

void run_stalled(std::vector<SortCase> sorts, uint32_t modulo, const PlanOverrides& tuning, uint64_t tiles) {
    Batch batch;
    for (SortCase& sort : sorts) {
        sort.algorithm = VKSORT_ALGORITHM_ONESWEEP;
        sort.overrides = tuning;
        sort.overrides.stallModulo = modulo;
        uint64_t tile = tile_of(sort);
        sort.count = tiles * tile - 7;
        batch.add(sort);
        batch.add(with_gpu_count(sort, static_cast<uint32_t>(sort.count - 2 * tile), sort.count));
    }
    batch.run();
    ASSERT_EQ(batch.outcomes().size(), 2 * sorts.size());
    for (size_t i = 0; i < batch.outcomes().size(); ++i) {
        const Outcome& outcome = batch.outcomes()[i];
        EXPECT_GE(outcome.statistics.fallbacks, least_fallbacks(sorts[i / 2], modulo, outcome.statistics))
            << describe(sorts[i / 2]);
    }
    const VksortStatistics& first = batch.outcomes()[0].statistics;
    std::printf("    every %u. tile silent, %llu tiles, %u passes: %u tiles counted by a successor\n", modulo,
                static_cast<unsigned long long>(tiles), first.digitPassesRun, first.fallbacks);
    EXPECT_GT(first.fallbacks, 0u);
}

TEST_F(Fallback, EveryThirdTileIsSilent) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    run_stalled(every_kind(), 3, kSmallTiles, 25);
}

TEST_F(Fallback, EveryThirdTileIsSilentInTheDefaultTuning) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    run_stalled(is_full_level() ? every_kind() : pairs_only(), 3, {}, 7);
}

TEST_F(Fallback, EveryTileIsSilent) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    run_stalled(is_full_level() ? every_kind() : pairs_only(), 1, kSmallTiles, 9);
}

TEST_F(Fallback, NoPatienceAtAll) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    PlanOverrides impatient = kSmallTiles;
    impatient.spinLimit = 1;
    run_stalled(pairs_only(), 3, impatient, 25);
}

// Tiles are numbered by tickets or by workgroups, which nothing has to start in order: backwards all predecessors come
// later, and whoever does not wait for them counts for them. Dispatches are folded, too, so that some workgroups have no
// tile.
TEST_F(Fallback, TilesNumberedInAnyWay) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    using TileNumbers = PlanOverrides::TileNumbers;
    for (TileNumbers numbers : {TileNumbers::tickets, TileNumbers::groups, TileNumbers::groups_backwards}) {
        Batch batch;
        for (SortCase sort : is_full_level() ? every_kind() : pairs_only()) {
            sort.algorithm = VKSORT_ALGORITHM_ONESWEEP;
            sort.overrides = kSmallTiles;
            sort.overrides.tileNumbers = numbers;
            sort.overrides.spinLimit = 1;
            const uint64_t tile = tile_of(sort);
            sort.count = 25 * tile - 7;
            batch.add(sort);
            batch.add(with_gpu_count(sort, static_cast<uint32_t>(sort.count - 2 * tile), sort.count));
            sort.limits = {.groups_x = 3};
            batch.add(sort);
        }
        batch.run();
        ASSERT_FALSE(batch.outcomes().empty());
        const uint32_t fallbacks = batch.outcomes()[0].statistics.fallbacks;
        std::printf("    tile numbers %u: %u tiles counted by a successor\n", static_cast<unsigned>(numbers), fallbacks);
        // Which runs few workgroups at once, the first ones first.
        if (numbers == TileNumbers::groups_backwards && is_cpu(context().info())) {
            EXPECT_GE(fallbacks, 24u);
        }
    }
}

PlanOverrides atomic_ranks(uint32_t disorder_modulo) {
    PlanOverrides overrides = kSmallTiles;
    overrides.rank = kRankAtomics;
    overrides.disorderModulo = disorder_modulo;
    return overrides;
}

std::vector<SortCase> keys_only() {
    return {
        {.key = VKSORT_KEY_U32},
        {.key = VKSORT_KEY_F32, .descending = true, .distribution = Distribution::special},
        {.key = VKSORT_KEY_U32, .distribution = Distribution::and4},
        {.key = VKSORT_KEY_I32, .distribution = Distribution::few},
        {.key = VKSORT_KEY_U32, .digit_mask = 10},
        {.key = VKSORT_KEY_I16},
        {.key = VKSORT_KEY_F16, .result = VKSORT_RESULT_SEPARATE},
        {.key = VKSORT_KEY_F16, .descending = true},
        {.key = VKSORT_KEY_U16, .result = VKSORT_RESULT_SEPARATE, .stride = 6, .offset = 2},
    };
}

// Keys without values ranked by what shared atomics return, on a device whose atomics do not follow the order of the lanes:
// tiles that come out of order are done once more. Such kernels stage in rounds, whose edges are looked at, too.
TEST_F(Fallback, AtomicsInAnotherOrder) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    for (const auto& [rounds, modulo] : {std::pair<uint32_t, uint32_t>{1, 1}, {2, 3}}) {
        Batch batch;
        for (SortCase sort : keys_only()) {
            sort.algorithm = VKSORT_ALGORITHM_ONESWEEP;
            sort.overrides = atomic_ranks(modulo);
            sort.overrides.stageRounds = rounds;
            sort.count = 9 * tile_of(sort) - 7;
            batch.add(sort);
        }
        batch.run();
        ASSERT_FALSE(batch.outcomes().empty());
        EXPECT_GT(batch.outcomes()[0].statistics.fallbacks, 0u) << modulo;
    }
}

SortCase in_two_rounds(uint32_t keys_per_thread) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_ONESWEEP, .overrides = kSmallTiles};
    sort.overrides.keysPerThread = keys_per_thread;
    sort.overrides.stageRounds = 2;
    return sort;
}

// Values of one word follow their keys round by round, by digits that are kept four to a word: three keys a round.
TEST_F(Fallback, ValuesInRounds) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    Batch batch;
    SortCase sort = in_two_rounds(6);
    for (Distribution distribution : {Distribution::uniform, Distribution::few}) {
        for (bool argsort : {false, true}) {
            sort.distribution = distribution;
            sort.argsort = argsort;
            sort.value_size = argsort ? 0 : 4;
            sort.count = 9 * tile_of(sort) - 7;
            batch.add(sort);
        }
    }
    batch.run();
}

// Keys without values are stored four at a time: with one less in each round, and with the last one of five.
TEST_F(Fallback, KeysOnlyInRounds) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    Batch batch;
    for (uint32_t keys_per_thread : {6u, 10u}) {
        SortCase sort = in_two_rounds(keys_per_thread);
        for (Distribution distribution : {Distribution::uniform, Distribution::few}) {
            sort.distribution = distribution;
            sort.count = 9 * tile_of(sort) - 7;
            batch.add(sort);
        }
    }
    batch.run();
}

// No kind of key has its tiles done once more for nothing. A single tile has none to look back at, so that nothing else is
// counted; a device whose atomics come in another order shows it with the first keys.
TEST_F(Fallback, AtomicsInOrderAreTaken) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    Batch batch;
    for (SortCase sort : keys_only()) {
        sort.algorithm = VKSORT_ALGORITHM_ONESWEEP;
        sort.overrides = atomic_ranks(0);
        for (const uint64_t missing : {0u, 7u}) {
            sort.count = tile_of(sort) - missing;
            batch.add(sort);
        }
    }
    batch.run();
    ASSERT_FALSE(batch.outcomes().empty());
    if (batch.outcomes()[0].statistics.fallbacks != 0) {
        return;
    }
    for (size_t i = 0; i < batch.outcomes().size(); ++i) {
        EXPECT_EQ(batch.outcomes()[i].statistics.fallbacks, 0u) << describe(keys_only()[i / 2]);
    }
}

// Status words are cleared by the recorded sort itself: a stalled sort after a sound one on the same poisoned memory, many
// times in one command buffer.
TEST_F(Fallback, ManySortsInOneCommandBuffer) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_ONESWEEP, .value_size = 4, .overrides = kSmallTiles};
    RETURN_IF_REFUSED(sort);
    sort.count = tile_of(sort) * 10 + 1;
    Batch batch;
    for (uint32_t round = 0; round < 12; ++round) {
        sort.overrides.stallModulo = round % 2 == 0 ? 3 : 0;
        batch.add(sort);
    }
    batch.run();
}

} // namespace
} // namespace vksort::test
