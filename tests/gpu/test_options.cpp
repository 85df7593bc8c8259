// SPDX-License-Identifier: MIT
//
// Bit ranges, keys inside structs, where the result lands, and bytes that are not ours.
#include "common.h"

namespace vksort::test {
namespace {

class Options : public AlgorithmTest {};

struct Bits {
    VksortKeyType key;
    uint32_t begin;
    uint32_t end;
};

constexpr Bits kBitRanges[] = {
    {VKSORT_KEY_U32, 0, 8},   {VKSORT_KEY_U32, 3, 17},  {VKSORT_KEY_U32, 31, 32}, {VKSORT_KEY_U32, 0, 1},
    {VKSORT_KEY_U32, 0, 32},  {VKSORT_KEY_I32, 24, 32}, {VKSORT_KEY_I32, 31, 32}, {VKSORT_KEY_F32, 16, 32},
    {VKSORT_KEY_F32, 9, 10},  {VKSORT_KEY_U64, 0, 8},   {VKSORT_KEY_U64, 28, 36}, {VKSORT_KEY_U64, 31, 33},
    {VKSORT_KEY_U64, 32, 64}, {VKSORT_KEY_U64, 0, 32},  {VKSORT_KEY_I64, 63, 64}, {VKSORT_KEY_F64, 48, 64},
    {VKSORT_KEY_F64, 3, 61},  {VKSORT_KEY_U16, 0, 4},   {VKSORT_KEY_U16, 5, 14},  {VKSORT_KEY_I16, 8, 16},
    {VKSORT_KEY_F16, 15, 16}, {VKSORT_KEY_U8, 0, 1},    {VKSORT_KEY_I8, 7, 8},    {VKSORT_KEY_I8, 2, 5},
};

TEST_P(Options, BitRanges) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    if (!takes_bit_ranges(GetParam())) {
        Batch whole_keys;
        for (const Bits& bits : kBitRanges) {
            const SortCase sort = {
                .algorithm = GetParam(), .key = bits.key, .begin_bit = bits.begin, .end_bit = bits.end, .count = 1000};
            if (bits.begin == 0 && bits.end == reference::key_bits(bits.key)) {
                whole_keys.add(sort);
            } else {
                expect_bits_refused(sort);
            }
        }
        whole_keys.run();
        return;
    }
    Batch batch;
    for (const Bits& bits : kBitRanges) {
        for (bool descending : {false, true}) {
            SortCase sort = {.algorithm = GetParam(),
                             .key = bits.key,
                             .value_size = 4, // equal digits are many: the payload shows whether their order was kept
                             .descending = descending,
                             .begin_bit = bits.begin,
                             .end_bit = bits.end,
                             .distribution = descending ? Distribution::special : Distribution::uniform,
                             .overrides = kSmallTiles};
            sort.count = ragged_count(sort);
            batch.add(sort);
            sort.value_size = 0;
            sort.result = VKSORT_RESULT_SEPARATE;
            batch.add(sort);
        }
    }
    batch.run();
    for (size_t i = 0; i < batch.outcomes().size(); ++i) {
        const Bits& bits = kBitRanges[i / 4];
        const VksortPlanInfo& info = batch.outcomes()[i].info;
        EXPECT_EQ(info.keyBits, bits.end - bits.begin);
        EXPECT_EQ(info.digitPasses, (bits.end - bits.begin + 7) / 8) << "fewer bits are fewer passes";
    }
}

// Every key with a random range of bits.
TEST_P(Options, RandomBitRanges) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    if (!takes_bit_ranges(GetParam())) {
        return; // see BitRanges
    }
    Batch batch;
    Random random(test_seed());
    for (VksortKeyType key : reference::kAllKeyTypes) {
        for (int round = 0; round < (is_full_level() ? 40 : 5); ++round) {
            SortCase sort = {.algorithm = GetParam(), .key = key, .overrides = kSmallTiles};
            sort.begin_bit = static_cast<uint32_t>(random.below(reference::key_bits(key)));
            sort.end_bit =
                sort.begin_bit + 1 + static_cast<uint32_t>(random.below(reference::key_bits(key) - sort.begin_bit));
            sort.descending = random.below(2) == 0;
            sort.argsort = random.below(2) == 0;
            sort.result = kResults[random.below(3)];
            sort.distribution = kAllDistributions[random.below(std::size(kAllDistributions))];
            sort.count = 1 + random.below(ragged_count(sort));
            batch.add(sort);
        }
    }
    batch.run();
}

struct Strided {
    VksortKeyType key;
    uint32_t stride;
    uint32_t offset;
};

constexpr Strided kStrided[] = {
    {VKSORT_KEY_U32, 4, 0},    {VKSORT_KEY_U32, 8, 0},  {VKSORT_KEY_U32, 12, 4}, {VKSORT_KEY_F32, 16, 12},
    {VKSORT_KEY_I32, 100, 60}, {VKSORT_KEY_U16, 2, 0},  {VKSORT_KEY_U16, 6, 2},  {VKSORT_KEY_F16, 6, 4},
    {VKSORT_KEY_I16, 10, 8},   {VKSORT_KEY_U8, 1, 0},   {VKSORT_KEY_U8, 3, 1},   {VKSORT_KEY_I8, 7, 6},
    {VKSORT_KEY_U64, 16, 0},   {VKSORT_KEY_U64, 16, 8}, {VKSORT_KEY_I64, 12, 4}, {VKSORT_KEY_F64, 20, 12},
};

TEST_P(Options, KeysInsideStructs) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    Batch batch;
    for (const Strided& strided : kStrided) {
        SortCase sort = {.algorithm = GetParam(),
                         .key = strided.key,
                         .result = VKSORT_RESULT_SEPARATE,
                         .stride = strided.stride,
                         .offset = strided.offset,
                         .distribution = Distribution::special,
                         .overrides = kSmallTiles};
        sort.count = ragged_count(sort);
        batch.add(sort);
        sort.argsort = true;
        sort.descending = true;
        batch.add(sort);
        sort.discard_keys = true;
        batch.add(sort);
        sort.argsort = false;
        sort.discard_keys = false;
        sort.value_size = 4;
        sort.digit_mask = 1; // one pass: the same one reads by stride and writes the result
        batch.add(with_gpu_count(sort, static_cast<uint32_t>(sort.count - 1), sort.count));
        sort.digit_mask = 0; // no pass: the copy reads by stride
        batch.add(sort);
        sort.digit_mask.reset();
        for (uint64_t count : {0u, 1u, 2u, 3u, 5u}) {
            sort.count = count;
            batch.add(sort);
        }
    }
    batch.run();
}

TEST_P(Options, EveryResultWithAndWithoutKeys) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    Batch batch;
    for (VksortResult result : kResults) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64, VKSORT_KEY_U16, VKSORT_KEY_I8}) {
            for (uint32_t value_size : {4u, 8u, 12u, 16u}) {
                if (value_size != wide_value(value_size)) {
                    continue;
                }
                SortCase sort = {.algorithm = GetParam(), .key = key, .value_size = value_size, .result = result};
                sort.overrides = kSmallTiles;
                sort.count = ragged_count(sort);
                batch.add(sort);
                sort.discard_keys = true;
                batch.add(sort);
                if (!takes_bit_ranges(GetParam())) {
                    continue;
                }
                sort.end_bit = reference::key_bits(key) <= 8 ? 4 : reference::key_bits(key) - 8; // the other parity
                batch.add(sort);
                sort.discard_keys = false;
                batch.add(sort);
            }
        }
    }
    batch.run();
}

// 8- and 16-bit keys whose last word is shared with the caller's bytes. The batch compares every byte around them.
TEST_P(Options, BytesBesideNarrowKeysStay) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U8, VKSORT_KEY_I8, VKSORT_KEY_U16, VKSORT_KEY_I16, VKSORT_KEY_F16}) {
        for (VksortResult result : kResults) {
            for (uint64_t extra : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
                SortCase sort = {.algorithm = GetParam(), .key = key, .result = result, .overrides = kSmallTiles};
                sort.count = ragged_count(sort) / 8 * 8 + extra;
                sort.value_size = extra % 2 == 0 ? 0 : 4;
                batch.add(sort);
                sort.count = extra;
                batch.add(sort);
                // Room for more keys than there are: those behind the count are the caller's too.
                sort.max_count = sort.count + 2;
                batch.add(sort);
                batch.add(with_gpu_count(sort, static_cast<uint32_t>(extra), extra + 3));
            }
        }
    }
    batch.run();
}

INSTANTIATE_TEST_SUITE_P(All, Options, ::testing::ValuesIn(kAlgorithms), algorithm_name);

} // namespace
} // namespace vksort::test
