// SPDX-License-Identifier: MIT
//
// Compressed kernels: whole ones, damaged ones, and memory that is not there.
#include "inflate.h"

#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace vksort::test {
namespace {

// Words that compress to some extent, as those of SPIR-V do.
std::vector<uint32_t> some_words() {
    std::vector<uint32_t> words(10'000);
    for (uint32_t i = 0; i < words.size(); ++i) {
        words[i] = i * i % 1000;
    }
    return words;
}

std::vector<unsigned char> gzip(const std::vector<uint32_t>& words) {
    z_stream stream = {};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::vector<uint32_t> input = words;
    std::vector<unsigned char> output(deflateBound(&stream, static_cast<uLong>(4 * words.size())));
    stream.next_in = reinterpret_cast<unsigned char*>(input.data());
    stream.avail_in = static_cast<uInt>(4 * input.size());
    stream.next_out = output.data();
    stream.avail_out = static_cast<uInt>(output.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    output.resize(stream.total_out);
    deflateEnd(&stream);
    return output;
}

// Counts what is allocated, and refuses everything beyond `most` allocations.
struct Memory {
    int alive = 0;
    int most = 1000;

    VkAllocationCallbacks callbacks() {
        VkAllocationCallbacks result = {};
        result.pUserData = this;
        result.pfnAllocation = [](void* user, size_t size, size_t, VkSystemAllocationScope) -> void* {
            auto& self = *static_cast<Memory*>(user);
            if (self.most-- <= 0) {
                return nullptr;
            }
            ++self.alive;
            return std::malloc(size);
        };
        result.pfnFree = [](void* user, void* memory) {
            static_cast<Memory*>(user)->alive -= memory != nullptr;
            std::free(memory);
        };
        return result;
    }
};

class Inflate : public testing::Test {
protected:
    // Words behind the output are not written.
    VkResult inflate(const std::vector<unsigned char>& code, size_t wordCount) {
        constexpr uint32_t kGuard = 0xABCDABCD;
        ShaderModule shader = {"some", nullptr, wordCount, false, code.data(), code.size()};
        output.assign(wordCount + 1, kGuard);
        const VkAllocationCallbacks callbacks = memory.callbacks();
        const VkResult result = inflate_code(shader, HostAllocator(&callbacks), output.data());
        EXPECT_EQ(memory.alive, 0);
        EXPECT_EQ(output.back(), kGuard);
        output.pop_back();
        return result;
    }

    const std::vector<uint32_t> words = some_words();
    const std::vector<unsigned char> compressed = gzip(words);
    std::vector<uint32_t> output;
    Memory memory;
};

TEST_F(Inflate, Whole) {
    EXPECT_LT(compressed.size(), 2 * words.size());
    EXPECT_EQ(inflate(compressed, words.size()), VK_SUCCESS);
    EXPECT_EQ(output, words);
}

TEST_F(Inflate, Damaged) {
    for (const size_t at : {size_t{0}, compressed.size() / 2, compressed.size() - 6}) { // header, data, checksum
        std::vector<unsigned char> damaged = compressed;
        damaged[at] ^= 0x55;
        EXPECT_EQ(inflate(damaged, words.size()), VK_ERROR_INITIALIZATION_FAILED) << at;
    }
}

TEST_F(Inflate, OfAnotherLength) {
    EXPECT_EQ(inflate(compressed, words.size() - 1), VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(inflate(compressed, words.size() + 1), VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(inflate({compressed.begin(), compressed.end() - 100}, words.size()), VK_ERROR_INITIALIZATION_FAILED);
}

TEST_F(Inflate, WithoutMemory) {
    memory.most = 0;
    EXPECT_EQ(inflate(compressed, words.size()), VK_ERROR_OUT_OF_HOST_MEMORY);
}

} // namespace
} // namespace vksort::test
