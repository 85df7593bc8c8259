// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "runner.h"

namespace vksort::test {

namespace {

constexpr const char* kDistributions[] = {"uniform", "sorted", "reversed",      "equal",  "few",
                                          "and2",    "and3",   "nearly-sorted", "normal", "zipf"};

// FNV-1a
uint64_t hash_of(const Bytes& bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (std::byte byte : bytes) {
        hash = (hash ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3;
    }
    return hash;
}

std::vector<uint64_t> ordered_keys(const Bytes& bytes, VksortKeyType type) {
    const uint32_t size = reference::key_size(type);
    std::vector<uint64_t> keys(bytes.size() / size);
    for (size_t i = 0; i < keys.size(); ++i) {
        keys[i] = reference::ordered_from_bits(type, reference::load_bits(bytes.data() + i * size, size));
    }
    return keys;
}

std::vector<uint32_t> words_of(const Bytes& bytes) {
    std::vector<uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

} // namespace

class Generate : public CliTest {
protected:
    Bytes generate(const std::string& words) {
        run_well("generate -o @keys.bin " + words);
        return read("keys.bin");
    }
};

TEST_F(Generate, WritesEveryTypeAndDistribution) {
    for (const NamedType& type : kNamedTypes) {
        for (const char* distribution : kDistributions) {
            SCOPED_TRACE(std::string(type.name) + " " + distribution);
            const Bytes keys = generate(std::string("--count 1000 --type ") + type.name + " --distribution " + distribution);
            ASSERT_EQ(keys.size(), 1000 * reference::key_size(type.type));
            if (reference::kind_of(type.type) != reference::Kind::floating) {
                continue;
            }
            const uint64_t infinity = type.type == VKSORT_KEY_F16   ? 0x7c00
                                      : type.type == VKSORT_KEY_F32 ? 0x7f800000
                                                                    : 0x7ff0000000000000;
            for (uint64_t key : ordered_keys(keys, type.type)) {
                EXPECT_NE(reference::bits_from_ordered(type.type, key) & infinity, infinity) << "not finite";
            }
        }
    }
}

TEST_F(Generate, GivesTheSameKeysForTheSameSeed) {
    const Bytes first = generate("--type u32 --count 5000 --seed 7");
    EXPECT_EQ(first, generate("--type u32 --count 5000 --seed 7"));
    EXPECT_NE(first, generate("--type u32 --count 5000 --seed 8"));
}

// The same on every platform and in every release: what these hashes were once, they are for ever.
TEST_F(Generate, GivesTheSameKeysEverywhere) {
    std::map<std::string, uint64_t> found;
    for (const char* distribution : kDistributions) {
        found[std::string("u32 ") + distribution] =
            hash_of(generate(std::string("--type u32 --count 1000 --seed 1 --distribution ") + distribution));
    }
    for (const char* type : {"u8", "i16", "f16", "f32", "i64", "f64"}) {
        found[type] = hash_of(generate(std::string("--count 1000 --seed 2 --distribution normal --type ") + type));
    }
    found["draws"] = hash_of(generate("--scene draws --count 1000"));
    const std::map<std::string, uint64_t> expected = {
        {"draws", 0xdcc8f4aca6632c01},
        {"f16", 0xdaac235f2fe68683},
        {"f32", 0xf1c255239554548f},
        {"f64", 0xdad4638032c0a679},
        {"i16", 0x1861f7a4bb509ac8},
        {"i64", 0x0ebc919cae7bf283},
        {"u32 and2", 0x05a927056d38a0f2},
        {"u32 and3", 0x42f8b3e6dd0b96cc},
        {"u32 equal", 0xd32e18a99b477665},
        {"u32 few", 0xeba68666fc4e691b},
        {"u32 nearly-sorted", 0x37c378a95cd491c1},
        {"u32 normal", 0xe1b4cf373b056fce},
        {"u32 reversed", 0xd0b98ae67616bc33},
        {"u32 sorted", 0x1533c91636e8e555},
        {"u32 uniform", 0xc58836a685ee998d},
        {"u32 zipf", 0x5876c14edf7d8b9b},
        {"u8", 0x77fcd0a9fb6b78e4},
    };
    EXPECT_EQ(found, expected);
}

TEST_F(Generate, UniformReachesTheWholeRange) {
    std::set<uint32_t> high;
    for (uint32_t key : words_of(generate("--type u32 --count 10000"))) {
        high.insert(key >> 24);
    }
    EXPECT_EQ(high.size(), 256u);
}

TEST_F(Generate, SortedAndReversedAreWhatTheySay) {
    for (const NamedType& type : kNamedTypes) {
        SCOPED_TRACE(type.name);
        std::vector<uint64_t> up =
            ordered_keys(generate(std::string("--count 3001 --distribution sorted --type ") + type.name), type.type);
        EXPECT_TRUE(std::is_sorted(up.begin(), up.end()));
        std::vector<uint64_t> down =
            ordered_keys(generate(std::string("--count 3001 --distribution reversed --type ") + type.name), type.type);
        EXPECT_TRUE(std::is_sorted(down.rbegin(), down.rend()));
        EXPECT_LT(up.front(), up.back());
    }
}

TEST_F(Generate, NearlySortedIsNearlySorted) {
    const std::vector<uint32_t> keys = words_of(generate("--type u32 --count 100000 --distribution nearly-sorted"));
    size_t descents = 0;
    for (size_t i = 1; i < keys.size(); ++i) {
        descents += keys[i - 1] > keys[i] ? 1 : 0;
    }
    EXPECT_GT(descents, 1000u);
    EXPECT_LT(descents, 5000u);
}

TEST_F(Generate, EqualAndFewHaveFewKeys) {
    const std::vector<uint32_t> equal = words_of(generate("--type u32 --count 1000 --distribution equal"));
    EXPECT_EQ(std::set(equal.begin(), equal.end()).size(), 1u);
    const std::vector<uint32_t> few = words_of(generate("--type u32 --count 1000 --distribution few"));
    EXPECT_EQ(std::set(few.begin(), few.end()).size(), 16u);
}

TEST_F(Generate, AndDistributionsThinOutTheBits) {
    for (int terms : {2, 3}) {
        const std::vector<uint32_t> keys =
            words_of(generate("--type u32 --count 10000 --distribution and" + std::to_string(terms)));
        double bits = 0;
        for (uint32_t key : keys) {
            bits += std::popcount(key);
        }
        EXPECT_NEAR(bits / static_cast<double>(keys.size()), 32 * std::pow(0.5, terms), 0.2);
    }
}

TEST_F(Generate, NormalHasMeanZeroAndDeviationOne) {
    const Bytes bytes = generate("--type f64 --count 20000 --distribution normal");
    std::vector<double> keys(20000);
    std::memcpy(keys.data(), bytes.data(), bytes.size());
    double sum = 0;
    double squares = 0;
    for (double key : keys) {
        sum += key;
        squares += key * key;
    }
    EXPECT_NEAR(sum / 20000, 0, 0.03);
    EXPECT_NEAR(squares / 20000, 1, 0.05);
}

TEST_F(Generate, ZipfRanksFollowTheirLaw) {
    std::map<uint32_t, double> times;
    for (uint32_t key : words_of(generate("--type u32 --count 200000 --distribution zipf"))) {
        times[key] += 1;
    }
    EXPECT_EQ(times.count(0), 0u);
    EXPECT_NEAR(times[1] / times[2], 2, 0.1);
    EXPECT_NEAR(times[1] / times[4], 4, 0.3);
    EXPECT_NEAR(times[1] / times[10], 10, 1.2);
}

TEST_F(Generate, DrawsOfASceneHaveAllPassesAndEqualNeighbours) {
    const Bytes bytes = generate("--scene draws --count 10000 --values-out @values.bin");
    std::vector<uint64_t> keys(10000);
    ASSERT_EQ(bytes.size(), 80000u);
    std::memcpy(keys.data(), bytes.data(), bytes.size());
    std::set<uint64_t> passes;
    for (uint64_t key : keys) {
        passes.insert(key >> 60);
    }
    EXPECT_EQ(passes, (std::set<uint64_t>{0, 1, 2, 3}));
    EXPECT_LT(std::set(keys.begin(), keys.end()).size(), 8000u);

    std::vector<uint32_t> indices(10000);
    std::iota(indices.begin(), indices.end(), 0u);
    EXPECT_EQ(read("values.bin"), to_bytes(indices));
}

TEST_F(Generate, TakesPowersAndZeroAsCounts) {
    EXPECT_EQ(generate("--type u16 --count 2^10").size(), 2048u);
    EXPECT_EQ(generate("--type u16 --count 0").size(), 0u);
    EXPECT_EQ(generate("--type u16 --count 1 --distribution sorted").size(), 2u);
}

TEST_F(Generate, WritesToStandardOutput) {
    const Bytes keys = generate("--type u32 --count 1000");
    EXPECT_EQ(run_well("generate --type u32 --count 1000 -o -"), to_string(keys));
    EXPECT_EQ(files(), std::vector<std::string>{"keys.bin"});
}

TEST_F(Generate, SurvivesAReaderThatLeaves) {
    RunOptions options;
    options.closed_output = true;
    expect_failure(2, "generate --type u32 --count 100000 -o -", {"cannot write to standard output"}, options);
}

TEST_F(Generate, RefusesWhatItDoesNotKnow) {
    expect_failure(2, "generate --type u33 --count 1 -o @x", {"unknown key type 'u33'", "u32 i32 f32"});
    expect_failure(2, "generate --type u32 --count 1 --distribution odd -o @x",
                   {"unknown distribution 'odd'", "nearly-sorted"});
    expect_failure(2, "generate --type u32 --count ten -o @x", {"--count 'ten' is not a count", "2^20"});
    expect_failure(2, "generate --type u32 --count 2^40 -o @x", {"--count 2^40 is too large"});
    expect_failure(2, "generate --type u32 --count 2^99 -o @x", {"is not a count"});
    expect_failure(2, "generate --count 1 -o @x", {"give --type, or --scene draws"});
    expect_failure(2, "generate --scene film --count 1 -o @x", {"unknown scene 'film'"});
    expect_failure(2, "generate --scene draws --type f32 --count 1 -o @x", {"u64"});
    expect_failure(2, "generate --type u32 --count 1", {"--output is required", "vksort generate --help"});
    expect_failure(2, "generate --type u32 --count 1 -o @no/x", {"there is no folder", "create it first"});
    expect_failure(2, "generate --type u32 --count 1 -o @x --values-out @x", {"cannot both go to"});
}

} // namespace vksort::test
