// SPDX-License-Identifier: MIT
//
// What the tool finds wrong with a result before it writes it.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "../../tools/cli/permutation.hpp"

namespace vksort::test {

namespace {

constexpr uint64_t kCount = 1000;

// Records of bytes that differ from record to record, a key of `key_size` and a value of `value_size` bytes each.
struct Arrays {
    uint32_t key_size;
    uint32_t value_size;
    std::vector<std::byte> keys;
    std::vector<std::byte> values;

    Arrays(uint32_t key, uint32_t value) : key_size(key), value_size(value), keys(kCount * key), values(kCount * value) {
        std::mt19937 random(1);
        for (std::vector<std::byte>* bytes : {&keys, &values}) {
            for (std::byte& byte : *bytes) {
                byte = static_cast<std::byte>(random());
            }
        }
    }

    Records records() const { return {keys, values}; }
    void swap_keys(uint64_t i, uint64_t j) { swap(keys, key_size, i, j); }
    void swap_values(uint64_t i, uint64_t j) { swap(values, value_size, i, j); }
    void swap_records(uint64_t i, uint64_t j) {
        swap_keys(i, j);
        swap_values(i, j);
    }
    void shuffle(uint64_t begin, uint64_t end) {
        std::mt19937 random(2);
        for (uint64_t i = begin; i + 1 < end; ++i) {
            swap_records(i, i + random() % (end - i));
        }
    }

private:
    static void swap(std::vector<std::byte>& bytes, uint32_t size, uint64_t i, uint64_t j) {
        const auto at = [&](uint64_t index) { return bytes.begin() + static_cast<ptrdiff_t>(index * size); };
        if (i != j) {
            std::swap_ranges(at(i), at(i + 1), at(j));
        }
    }
};

bool is_right(const Arrays& in, const Arrays& out, const Segments* segments = nullptr) {
    return is_permutation({{in.records()}, segments}, out.records(), in.key_size, in.value_size);
}

std::span<const std::byte> bytes_of(const std::vector<uint32_t>& words) { return std::as_bytes(std::span(words)); }

} // namespace

TEST(Permutation, OfRecordsOfEverySize) {
    for (const uint32_t key_size : {1u, 2u, 4u, 8u, 12u, 64u}) {
        for (const uint32_t value_size : {0u, 4u, 8u, 12u, 16u}) {
            SCOPED_TRACE(testing::Message() << key_size << " + " << value_size);
            const Arrays in(key_size, value_size);
            Arrays out = in;
            EXPECT_TRUE(is_right(in, out));
            out.shuffle(0, kCount);
            EXPECT_TRUE(is_right(in, out));
            for (const uint64_t byte :
                 {uint64_t{0}, in.keys.size() / 2, in.keys.size() - 1}) { // of the first and last keys, too
                Arrays wrong = out;
                wrong.keys[byte] ^= std::byte{1};
                EXPECT_FALSE(is_right(in, wrong)) << byte;
            }
            if (value_size != 0) {
                Arrays wrong = out;
                wrong.values.back() ^= std::byte{0x80};
                EXPECT_FALSE(is_right(in, wrong));
            }
        }
    }
}

TEST(Permutation, LostAndDoubledKeysAreSeen) {
    const Arrays in(4, 0);
    Arrays out = in;
    std::copy_n(out.keys.begin(), 4, out.keys.begin() + 400);
    EXPECT_FALSE(is_right(in, out));
    out = in;
    out.keys.resize(4 * (kCount - 1));
    EXPECT_FALSE(is_right(in, out));
    // Two more of the one and two fewer of the other keep the sum of the keys.
    const std::vector<uint32_t> keys = {1, 1, 4, 4};
    const std::vector<uint32_t> wrong = {2, 2, 3, 3};
    EXPECT_FALSE(is_permutation({{{bytes_of(keys), {}}}}, {bytes_of(wrong), {}}, 4, 0));
}

TEST(Permutation, ValuesStayWithTheirKeys) {
    const Arrays in(4, 8);
    Arrays out = in;
    out.swap_values(10, 700);
    EXPECT_FALSE(is_right(in, out));
    out.swap_keys(10, 700);
    EXPECT_TRUE(is_right(in, out));
}

TEST(Permutation, OfBothListsOfAMerge) {
    const Arrays a(4, 4);
    Arrays b(4, 4);
    for (std::byte& byte : b.keys) {
        byte = ~byte;
    }
    Arrays out = a;
    out.keys.insert(out.keys.end(), b.keys.begin(), b.keys.end());
    out.values.insert(out.values.end(), b.values.begin(), b.values.end());
    out.shuffle(0, 2 * kCount);
    const JobInput input = {{a.records(), b.records()}};
    EXPECT_TRUE(is_permutation(input, out.records(), 4, 4));
    std::copy_n(out.keys.begin(), 4, out.keys.begin() + 40);
    EXPECT_FALSE(is_permutation(input, out.records(), 4, 4));
}

TEST(Permutation, WithinSegments) {
    const Arrays in(4, 4);
    Segments segments;
    segments.ranges = {{10, 200}, {200, 201}, {500, kCount - 1}};
    Arrays out = in;
    out.shuffle(10, 200);
    out.shuffle(500, kCount - 1);
    EXPECT_TRUE(is_right(in, out, &segments));
    for (const auto& [i, j] :
         std::vector<std::pair<uint64_t, uint64_t>>{{150, 600}, {0, 1}, {300, 301}, {200, 10}, {998, 999}}) {
        Arrays wrong = out;
        wrong.swap_records(i, j);
        EXPECT_FALSE(is_right(in, wrong, &segments)) << i << " and " << j;
    }
    segments.ranges = {};
    EXPECT_TRUE(is_right(in, in, &segments));
    EXPECT_FALSE(is_right(in, out, &segments));
}

TEST(Permutation, OfIndices) {
    const JobInput all = {};
    std::vector<uint32_t> indices(kCount);
    std::iota(indices.begin(), indices.end(), 0);
    std::swap(indices[0], indices[999]);
    std::swap(indices[20], indices[150]);
    EXPECT_TRUE(is_permutation_of_indices(all, bytes_of(indices), kCount));
    EXPECT_FALSE(is_permutation_of_indices(all, bytes_of(indices), kCount + 1));

    Segments segments;
    segments.ranges = {{10, 200}};
    const JobInput within = {{}, &segments};
    EXPECT_FALSE(is_permutation_of_indices(within, bytes_of(indices), kCount));
    std::swap(indices[0], indices[999]);
    EXPECT_TRUE(is_permutation_of_indices(within, bytes_of(indices), kCount));

    indices[7] = 8;
    EXPECT_FALSE(is_permutation_of_indices(all, bytes_of(indices), kCount));
    indices[7] = kCount;
    EXPECT_FALSE(is_permutation_of_indices(all, bytes_of(indices), kCount));
}

} // namespace vksort::test
