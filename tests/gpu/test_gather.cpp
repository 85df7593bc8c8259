// SPDX-License-Identifier: MIT
//
// Gather of records of 4 to 64 bytes and more, with indices past the end.
#include "common.h"

namespace vksort::test {
namespace {

class Gather : public DeviceTest {};

TEST_F(Gather, EveryRecordSize) {
    Batch batch;
    for (uint32_t record_size = 4; record_size <= 64; record_size += 4) {
        for (bool out_of_range : {false, true}) {
            batch.add(GatherCase{.record_size = record_size, .count = 3'001, .out_of_range = out_of_range});
        }
    }
    batch.add(GatherCase{.record_size = 4'000, .count = 77, .out_of_range = true});
    batch.run();
}

TEST_F(Gather, Counts) {
    Batch batch;
    for (uint32_t record_size : {4u, 12u, 16u, 36u}) {
        for (uint64_t count :
             {0u, 1u, 2u, 3u, 5u, 63u, 64u, 65u, 127u, 128u, 255u, 256u, 257u, 1'023u, 1'024u, 1'025u, 20'011u}) {
            batch.add(GatherCase{.record_size = record_size, .count = count, .max_count = count + 7, .out_of_range = true});
            batch.add(GatherCase{.record_size = record_size,
                                 .count = count,
                                 .max_count = count + 7,
                                 .gpu_count = static_cast<uint32_t>(count),
                                 .out_of_range = true});
            // Clamped to the maximum.
            batch.add(GatherCase{.record_size = record_size, .count = count, .max_count = count, .gpu_count = UINT32_MAX});
        }
    }
    batch.run();
}

// Fewer and more records than indices.
TEST_F(Gather, RecordCountOfItsOwn) {
    Batch batch;
    for (uint64_t record_count : {1u, 2u, 100u, 5'000u}) {
        for (bool out_of_range : {false, true}) {
            batch.add(
                GatherCase{.record_size = 12, .count = 1'000, .record_count = record_count, .out_of_range = out_of_range});
        }
    }
    batch.run();
}

TEST_F(Gather, WithoutPushDescriptors) {
    Batch batch;
    batch.add(GatherCase{.record_size = 12, .count = 1'000, .limits = kLeastLimits});
    batch.run();
}

} // namespace
} // namespace vksort::test
