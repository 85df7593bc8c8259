// SPDX-License-Identifier: MIT
//
// The harness itself: that the validation layer listens, and that a wrong byte is found wherever it is.
#include "../harness/exact_bindings.h"
#include "../harness/gpu_validation.h"
#include "../harness/manual.h"
#include "common.h"

namespace vksort::test {
namespace {

class Harness : public DeviceTest {};

TEST_F(Harness, ValidationAndSynchronizationValidationListen) {
    if (!wants_validation()) {
        GTEST_SKIP() << "validation is off: VKSORT_TEST_VALIDATION=0";
    }
    if (checks_bounds() || checks_races()) {
        GTEST_SKIP() << "synchronization is not validated where the layer checks kernels";
    }
    host::Buffer buffer(device(), 256);
    host::Buffer other(device(), 256);
    device().run([&](VkCommandBuffer commands) {
        VkBufferCopy copy = {0, 0, 256};
        vk().cmd_copy_buffer(commands, other.handle(), buffer.handle(), 1, &copy);
        vk().cmd_copy_buffer(commands, buffer.handle(), other.handle(), 1, &copy); // without a barrier between
    });
    std::vector<std::string> messages = take_messages();
    ASSERT_FALSE(messages.empty()) << "the missing barrier was not seen";
    EXPECT_NE(messages.front().find("SYNC-HAZARD"), std::string::npos) << messages.front();
}

// One byte written by somebody else: in the result, in a guard, in an input, in the guard of the scratch.
TEST_F(Harness, FindsAWrongByte) {
    Arena arena(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    arena.clear(1);
    Region first = arena.allocate(10, 4, "first");
    Region second = arena.allocate(100, 16, "second");
    EXPECT_NE(first.offset, 0u);
    EXPECT_GE(second.offset, first.offset + first.size + 1024);
    auto guards_after_writing = [&](uint64_t word) {
        arena.upload();
        device().run([&](VkCommandBuffer commands) {
            arena.record_upload(commands);
            memory_barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
            if (word != UINT64_MAX) {
                vk().cmd_fill_buffer(commands, arena.at(first).buffer, word, 4, 0x12345678);
            }
            memory_barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
            arena.record_download(commands);
        });
        arena.download();
        return arena.check_guards();
    };
    EXPECT_EQ(guards_after_writing(UINT64_MAX), "");
    EXPECT_NE(guards_after_writing(0).find("before first"), std::string::npos);
    EXPECT_NE(guards_after_writing(first.offset + 4).find("inside first"), std::string::npos);
    EXPECT_NE(guards_after_writing(first.offset + 12).find("behind the end of first"), std::string::npos);
    EXPECT_NE(guards_after_writing(second.offset + 96).find("inside second"), std::string::npos);
    EXPECT_NE(guards_after_writing(second.offset + 100).find("behind the end of second"), std::string::npos);
    arena.exclude(second);
    EXPECT_EQ(guards_after_writing(second.offset + 48), "");
    EXPECT_NE(guards_after_writing(second.offset + 100), "");
}

// The data is what its name says; a generator that gives one thing under every name would test little.
TEST_F(Harness, DistributionsAreWhatTheyAreCalled) {
    constexpr uint64_t kCount = 2'000;
    for (VksortKeyType type : reference::kAllKeyTypes) {
        const uint32_t size = reference::key_size(type);
        auto ordered = [&](Distribution distribution) {
            Bytes keys = generate_keys(type, kCount, distribution, 5);
            EXPECT_EQ(keys.size(), kCount * size);
            std::vector<uint64_t> result;
            for (uint64_t i = 0; i < kCount; ++i) {
                result.push_back(reference::ordered_from_bits(type, reference::load_bits(keys.data() + i * size, size)));
            }
            return result;
        };
        auto distinct = [](std::vector<uint64_t> keys) {
            std::sort(keys.begin(), keys.end());
            return std::unique(keys.begin(), keys.end()) - keys.begin();
        };
        std::vector<uint64_t> sorted = ordered(Distribution::sorted);
        EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
        std::vector<uint64_t> reversed = ordered(Distribution::reversed);
        EXPECT_TRUE(std::is_sorted(reversed.rbegin(), reversed.rend()));
        std::vector<uint64_t> nearly = ordered(Distribution::nearly_sorted);
        EXPECT_FALSE(std::is_sorted(nearly.begin(), nearly.end()));
        EXPECT_EQ(distinct(ordered(Distribution::equal)), 1);
        EXPECT_LE(distinct(ordered(Distribution::few)), 5);
        EXPECT_GE(distinct(ordered(Distribution::uniform)), size == 1 ? 250 : 1'900);
        std::vector<uint64_t> low16 = ordered(Distribution::low16);
        EXPECT_TRUE(std::all_of(low16.begin(), low16.end(), [&](uint64_t key) { return key >> 16 == low16[0] >> 16; }));
        EXPECT_GE(distinct(low16), size == 1 ? 250 : 1'900);
    }
}

} // namespace
} // namespace vksort::test
