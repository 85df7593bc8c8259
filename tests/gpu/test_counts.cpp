// SPDX-License-Identifier: MIT
//
// Counts at which tiles, words and workgroups begin and end, told by the host and by the GPU.
#include <set>

#include "common.h"

namespace vksort::test {
namespace {

class Counts : public AlgorithmTest {};

struct Shape {
    VksortKeyType key;
    uint32_t value_size;
    bool argsort;
};

// Keys narrower than a word end inside one; 64-bit keys take two.
constexpr Shape kShapes[] = {
    {VKSORT_KEY_U32, 0, false}, {VKSORT_KEY_F32, 4, false}, {VKSORT_KEY_U8, 4, false},   {VKSORT_KEY_I8, 0, false},
    {VKSORT_KEY_U16, 0, false}, {VKSORT_KEY_F16, 0, true},  {VKSORT_KEY_I64, 12, false},
};

SortCase case_of(VksortAlgorithm algorithm, const Shape& shape) {
    return {.algorithm = algorithm, .key = shape.key, .value_size = wide_value(shape.value_size), .argsort = shape.argsort};
}

// Small ones, by default every third from `first` on; then what lies beside the tiles' ends and the powers of two.
std::set<uint64_t> counts_of(uint64_t tile, uint64_t most, uint64_t first) {
    std::set<uint64_t> counts = {0, 1};
    for (uint64_t count = first; count <= 70; count += is_full_level() ? 1 : 3) {
        counts.insert(count);
    }
    for (uint64_t edge = 128; edge <= most; edge *= 2) {
        counts.insert({edge - 1, edge, edge + 1});
    }
    for (uint64_t edge : {tile, 2 * tile, most}) {
        counts.insert({edge - 1, edge, edge + 1});
    }
    counts.erase(counts.upper_bound(most), counts.end());
    return counts;
}

// `first`: so that the shapes together have every small count.
void run_counts(SortCase sort, bool from_gpu, uint64_t first) {
    sort.overrides = kSmallTiles;
    uint64_t tile = tile_of(sort);
    uint64_t most = sort.algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP ? tile : 2 * tile + 1;
    Batch batch;
    Random random(test_seed());
    for (uint64_t count : counts_of(tile, most, is_full_level() ? 0 : first)) {
        sort.count = count;
        sort.max_count = most;
        sort.result = kResults[random.below(3)];
        sort.distribution = count % 2 == 0 ? Distribution::uniform : Distribution::few;
        take_turns(sort, count / 2);
        batch.add(from_gpu ? with_gpu_count(sort, static_cast<uint32_t>(count), most) : sort);
        if (batch.hopeless()) {
            break;
        }
    }
    batch.run();
}

TEST_P(Counts, AtTheEdgesFromTheHost) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    for (size_t i = 0; i < std::size(kShapes); ++i) {
        run_counts(case_of(GetParam(), kShapes[i]), false, i % 3);
    }
}

TEST_P(Counts, AtTheEdgesFromTheGpu) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    for (size_t i = 0; i < std::size(kShapes); ++i) {
        run_counts(case_of(GetParam(), kShapes[i]), true, (i + 1) % 3);
    }
}

// Every count up to two tiles and one, each with a plan of its own.
TEST_P(Counts, EveryOneToTwoTiles) {
    if (GetParam() == VKSORT_ALGORITHM_SAMPLE_SORT) {
        SKIP_BELOW_FULL_LEVEL();
    }
    SortCase sort = {.algorithm = GetParam(), .value_size = 4, .overrides = kSmallTiles};
    RETURN_IF_REFUSED(sort);
    uint64_t tile = tile_of(sort);
    uint64_t most = sort.algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP ? tile : 2 * tile + 1;
    Batch batch;
    uint64_t step = is_full_level() ? 1 : 3;
    for (uint64_t count = test_seed() % step; count <= most && !batch.hopeless(); count += step) {
        sort.count = count;
        sort.key = count / step % 2 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_U8;
        take_turns(sort, count / step / 2);
        batch.add(sort);
    }
    batch.run();
}

// The buffer may hold more than the plan's maximum: the maximum is sorted then.
TEST_P(Counts, FromTheGpuAreClamped) {
    SortCase sort = {.algorithm = GetParam(), .overrides = kSmallTiles};
    RETURN_IF_REFUSED(sort);
    Batch batch;
    for (const Shape& shape : kShapes) {
        SortCase shaped = case_of(GetParam(), shape);
        shaped.overrides = kSmallTiles;
        uint64_t most = ragged_count(shaped);
        for (uint64_t held : {most + 1, most * 2, uint64_t{0x80000000}, uint64_t{UINT32_MAX}}) {
            batch.add(with_gpu_count(shaped, static_cast<uint32_t>(held), most));
        }
        batch.add(with_gpu_count(shaped, 5, 0));
        batch.add(with_gpu_count(shaped, 5, 1));
    }
    batch.run();
}

// The tuning that users get: a few tiles, and sizes with many.
TEST_P(Counts, DefaultTuning) {
    // CPU drivers take half a minute to compile these kernels in users' tiles, and auto never takes them there.
    if (ranks_by_ballots_only(GetParam())) {
        SKIP_BELOW_FULL_LEVEL();
    }
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    for (const Shape& shape : kShapes) {
        SortCase sort = case_of(GetParam(), shape);
        uint64_t tile = tile_of(sort);
        Batch batch;
        if (sort.algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP) {
            for (uint64_t count : {tile / 2, tile - 1, tile}) {
                sort.count = count;
                batch.add(sort);
            }
            batch.run();
            SortCase beyond = sort;
            beyond.count = tile + 1;
            expect_refused(beyond, VK_ERROR_FORMAT_NOT_SUPPORTED, std::to_string(tile));
        } else {
            for (uint64_t count : {tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1}) {
                sort.count = count;
                batch.add(sort);
            }
            batch.run();
        }
    }
}

TEST_P(Counts, Large) {
    if (GetParam() == VKSORT_ALGORITHM_SAMPLE_SORT) {
        SKIP_BELOW_FULL_LEVEL();
    }
    SortCase sort = {.algorithm = GetParam(), .value_size = 4};
    RETURN_IF_REFUSED(sort);
    if (sort.algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP) {
        sort.count = 200'003;
        expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, "one_workgroup");
        return;
    }
    // sample_sort takes fewer on CPU drivers.
    const auto within_limit = [&sort](uint64_t count) {
        SortCase one = sort;
        one.count = 1;
        return std::min(count, planned(one).info.largestCount);
    };
    Batch batch;
    for (uint64_t count : {50'021u, 65'537u, 131'071u, 200'003u}) {
        sort.count = within_limit(count);
        batch.add(sort);
    }
    sort.key = VKSORT_KEY_F64;
    sort.argsort = true;
    sort.value_size = 0;
    sort.distribution = Distribution::special;
    const uint64_t most = within_limit(131'000);
    batch.add(with_gpu_count(sort, static_cast<uint32_t>(most - 7'543), most));
    batch.run();
}

INSTANTIATE_TEST_SUITE_P(All, Counts, ::testing::ValuesIn(kAlgorithms), algorithm_name);

} // namespace
} // namespace vksort::test
