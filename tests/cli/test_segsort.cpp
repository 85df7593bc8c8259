// SPDX-License-Identifier: MIT
//
// Segmented sorts of files, compared with a stable sort of each segment, byte for byte; and what --stats says.
#include <nlohmann/json.hpp>
#include <regex>

#include "runner.h"

namespace vksort::test {

using reference::Order;
using Words = std::vector<uint32_t>;

namespace {

// Positions where segments begin: 0, then steps of 1 to `longest`.
Words random_heads(uint32_t count, uint32_t longest, uint32_t seed) {
    const Bytes steps = random_bytes(count * 4, seed);
    Words heads;
    uint32_t next = 0;
    for (size_t i = 0; next < count; ++i) {
        heads.push_back(next);
        next += 1 + static_cast<uint32_t>(reference::load_bits(steps.data() + 4 * i, 4) % longest);
    }
    return heads;
}

Words flags_of(const Words& heads, uint32_t count) {
    Words flags((count + 31) / 32);
    for (const uint32_t head : heads) {
        flags[head / 32] |= 1u << head % 32;
    }
    return flags;
}

Words offsets_of(const Words& heads, uint32_t count) {
    Words offsets;
    for (size_t i = 0; i < heads.size(); ++i) {
        offsets.push_back(heads[i]);
        offsets.push_back(i + 1 < heads.size() ? heads[i + 1] : count);
    }
    return offsets;
}

// As pairs of offset and count, the last segment first.
Words pairs_of(const Words& offsets) {
    Words pairs;
    for (size_t i = offsets.size(); i > 0; i -= 2) {
        pairs.insert(pairs.end(), {offsets[i - 2], offsets[i - 1] - offsets[i - 2]});
    }
    return pairs;
}

// Where each place comes from when every range of `offsets` is sorted by itself, stably.
Words segment_order(const Bytes& keys, const Order& order, const Words& offsets) {
    const uint32_t size = reference::key_size(order.type);
    Words sources(keys.size() / size);
    std::iota(sources.begin(), sources.end(), 0);
    for (size_t i = 0; i < offsets.size(); i += 2) {
        const Bytes part(keys.begin() + ptrdiff_t{offsets[i]} * size, keys.begin() + ptrdiff_t{offsets[i + 1]} * size);
        const Words sorted = reference::argsort(part, order);
        std::transform(sorted.begin(), sorted.end(), sources.begin() + offsets[i],
                       [&](uint32_t index) { return offsets[i] + index; });
    }
    return sources;
}

} // namespace

class Segsort : public CliTest {
protected:
    static constexpr uint32_t kCount = 5001;
};
class SegmentInput : public CliTest {};

TEST_F(Segsort, TakesSegmentsInEveryForm) {
    struct Case {
        const char* option;
        const char* words;
        Order order;
    };
    const Case cases[] = {{"--heads", "u32", {VKSORT_KEY_U32}},
                          {"--flags", "i16 --descending", {VKSORT_KEY_I16, true}},
                          {"--offsets", "f64", {VKSORT_KEY_F64}},
                          {"--pairs", "u32 --descending", {VKSORT_KEY_U32, true}}};
    const Words heads = random_heads(kCount, 900, 1); // some longer than a tile, some of one key
    const Words offsets = offsets_of(heads, kCount);
    write("--heads", to_bytes(heads));
    write("--flags", to_bytes(flags_of(heads, kCount)));
    write("--offsets", to_bytes(offsets));
    write("--pairs", to_bytes(pairs_of(offsets)));
    for (const Case& one : cases) {
        SCOPED_TRACE(one.option);
        const uint32_t size = reference::key_size(one.order.type);
        const Bytes keys = random_bytes(kCount * size, 2);
        write("keys.bin", keys);
        run_well(std::string("segsort @keys.bin -o @out.bin ") + one.option + " @" + one.option + " --type " + one.words);
        EXPECT_EQ(read("out.bin"), reordered(keys, size, segment_order(keys, one.order, offsets)));
        EXPECT_EQ(run_well(std::string("verify @out.bin --input @keys.bin ") + one.option + " @" + one.option + " --type " +
                           one.words),
                  "verified: 5,001 " + std::string(one.words).substr(0, 3) +
                      (one.order.descending ? " keys, descending, in " : " keys, ascending, in ") +
                      std::to_string(heads.size()) + " segments, each a permutation of the input's\n");
    }
}

// One-byte keys, and values that show stability; every third segment is left out, so that there are gaps.
TEST_F(Segsort, MovesValuesAndLeavesGapsAlone) {
    const Words all = offsets_of(random_heads(kCount, 300, 3), kCount);
    Words offsets;
    for (size_t i = 0; i < all.size(); i += 2) {
        if (i % 3 != 2) {
            offsets.insert(offsets.end(), {all[i], all[i + 1]});
        } else {
            offsets.insert(offsets.end(), {all[i], all[i]}); // empty
        }
    }
    const Bytes keys = random_bytes(kCount, 4);
    const Bytes values = random_bytes(kCount * 8, 5);
    write("keys.bin", keys);
    write("values.bin", values);
    write("offsets.bin", to_bytes(offsets));
    run_well("segsort @keys.bin -o @out.bin --offsets @offsets.bin --type u8 --values @values.bin --value-size 8 "
             "--values-out @vout.bin");
    const Words order = segment_order(keys, {VKSORT_KEY_U8}, offsets);
    EXPECT_EQ(read("out.bin"), reordered(keys, 1, order));
    EXPECT_EQ(read("vout.bin"), reordered(values, 8, order));
}

TEST_F(Segsort, WritesIndicesInPlaceOfKeys) {
    const Words heads = random_heads(kCount, 2000, 6);
    const Bytes keys = random_bytes(kCount, 7);
    write("keys.bin", keys);
    write("heads.bin", to_bytes(heads));
    run_well("segsort @keys.bin -o @out.bin --heads @heads.bin --type i8 --argsort --algorithm segmented");
    EXPECT_EQ(read("out.bin"), to_bytes(segment_order(keys, {VKSORT_KEY_I8}, offsets_of(heads, kCount))));
}

TEST_F(Segsort, ByEitherAlgorithm) {
    const Words heads = random_heads(kCount, 300, 9);
    const Bytes keys = random_bytes(kCount * 8, 10);
    write("keys.bin", keys);
    write("heads.bin", to_bytes(heads));
    for (const std::string algorithm : {"segmented", "size_classes"}) {
        const RunResult result =
            run("segsort @keys.bin -o @out.bin --heads @heads.bin --type f64 --summary --algorithm " + algorithm);
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_NE(result.err.find(" by " + algorithm + " in "), std::string::npos) << result.err;
        EXPECT_EQ(read("out.bin"), reordered(keys, 8, segment_order(keys, {VKSORT_KEY_F64}, offsets_of(heads, kCount))));
    }
}

TEST_F(Segsort, TakesTheFewestSegments) {
    write("none", {});
    EXPECT_EQ(run_well("segsort - -o - --heads @none --type i32 --text", "5\n-1\n3\n"), "-1\n3\n5\n"); // one segment
    EXPECT_EQ(run_well("segsort - -o - --offsets @none --type i32 --text", "5\n-1\n3\n"), "5\n-1\n3\n");
    EXPECT_EQ(run_well("segsort - -o - --flags @none --type i32 --text", ""), "");
    write("heads", to_bytes(Words{1}));
    EXPECT_EQ(run_well("segsort - -o - --heads @heads --type i32 --text", "5\n3\n-1\n"), "5\n-1\n3\n"); // 0 begins one too
}

// Two segments of many tiles each, of which the second one begins where the second list of the last pass does: that merges
// nothing.
TEST_F(Segsort, SaysWhatItDid) {
    constexpr uint32_t kMany = 1 << 17;
    const std::string plan = run_well("plan --type u32 --count 131072 --segments heads:2 --algorithm segmented --device 0");
    std::smatch tiles;
    ASSERT_TRUE(std::regex_search(plan, tiles, std::regex("tiles +of ([0-9]+) keys, merged in ([0-9]+) passes"))) << plan;
    const Words heads = {0, static_cast<uint32_t>(std::stoul(tiles[1]) << (std::stoul(tiles[2]) - 1))};
    const Bytes keys = random_bytes(kMany * 4, 8);
    write("keys.bin", keys);
    write("heads.bin", to_bytes(heads));
    const RunResult result =
        run("segsort @keys.bin -o @out.bin --heads @heads.bin --type u32 --timings --stats --validation");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(read("out.bin"), reordered(keys, 4, segment_order(keys, {VKSORT_KEY_U32}, offsets_of(heads, kMany))));
    EXPECT_TRUE(result.err.starts_with("sorted 131,072 u32 keys in 2 segments on ")) << result.err;
    for (const char* word : {" by segmented in ", "GPU time", "set heads", "blocksort", "merged", "average"}) {
        EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
    }
    EXPECT_TRUE(std::regex_search(result.err, std::regex("\n  0 +[1-9][0-9]* +[0-9.]+% +0 +0.0%\n"))) << result.err;
    std::smatch last;
    ASSERT_TRUE(
        std::regex_search(result.err, last, std::regex("\n  [0-9]+ +([0-9]+) +[0-9.]+% +[0-9]+ +[0-9.]+%\n  total")));
    EXPECT_EQ(last[1], "0") << result.err;
    EXPECT_TRUE(std::regex_search(result.err, std::regex("\n  [0-9.]+ of [0-9]+ passes' worth of merging"))) << result.err;
}

// Sorted keys: nothing is merged, and the shares say so.
TEST_F(Segsort, StatisticsOfALocalitySortTellOrder) {
    run_well("generate --type u32 --count 50000 --distribution sorted -o @keys.bin");
    const RunResult sorted = run("sort @keys.bin -o @out.bin --type u32 --algorithm locality --stats");
    EXPECT_EQ(sorted.status, 0) << sorted.err;
    EXPECT_TRUE(sorted.out.empty());
    EXPECT_EQ(read("out.bin"), read("keys.bin"));
    EXPECT_TRUE(std::regex_search(sorted.err, std::regex("^[0-9]+ tiles of [0-9]+ keys, [0-9]+ merge passes\n")))
        << sorted.err;
    EXPECT_TRUE(std::regex_search(sorted.err, std::regex("\n  0 +0 +0.0%"))) << sorted.err;
    EXPECT_TRUE(std::regex_search(sorted.err, std::regex("\n  total +0 +0.0%"))) << sorted.err;
    EXPECT_NE(sorted.err.find("\n  0.00 of "), std::string::npos) << sorted.err;
    expect_failure(2, "sort @keys.bin -o @other --type u32 --stats", {"--stats", "add --algorithm locality"});
}

TEST_F(SegmentInput, MustNameOneFile) {
    write("keys", random_bytes(4 * 100, 1));
    write("heads", to_bytes(Words{0, 50}));
    const std::string segsort = "segsort @keys -o @out --type u32 ";
    expect_failure(2, segsort, {"give one of --heads, --flags, --offsets and --pairs"});
    expect_failure(2, segsort + "--heads @heads --offsets @heads", {"give one of --heads, --flags, --offsets and --pairs"});
    expect_failure(2, segsort + "--heads @missing", {"cannot read", "missing"});
    expect_failure(2, "segsort - -o @out --type u32 --heads -", {"only one file can be standard input"});
    expect_failure(2, segsort + "--heads @heads --algorithm onesweep", {"segmented, size_classes or auto"});
    expect_failure(2, segsort + "--heads @heads --algorithm size_classes --stats",
                   {"--stats", "size_classes merges nothing"});
    expect_failure(2, segsort + "--heads @heads --bits 0:8", {"--bits"});
    expect_failure(2, segsort + "--heads @heads --value-size 8", {"--value-size needs --values"});
    expect_failure(2, segsort + "--heads @heads --values @heads --values-out @vout", {"8 bytes of values", "need 400"});
    expect_failure(2, "segsort @keys -o @out --heads @heads", {"--type is required"});
    EXPECT_NE(run_well("segsort --help").find("--offsets"), std::string::npos);
}

TEST_F(SegmentInput, BadSegmentsAreRefused) {
    write("keys", random_bytes(4 * 100, 1));
    const auto refused = [&](const std::string& option, const Words& words, const std::vector<std::string>& parts) {
        SCOPED_TRACE(option);
        write("bad", to_bytes(words));
        expect_failure(2, "segsort @keys -o @out --type u32 " + option + " @bad", parts);
        expect_failure(2, "verify @keys --type u32 " + option + " @bad", parts);
    };
    refused("--heads", {0, 50, 50}, {"bad' do not rise strictly: head 2 is 50, after 50"});
    refused("--heads", {0, 50, 49}, {"head 2 is 49, after 50"});
    refused("--heads", {0, 100}, {"head 1 in", "is 100, past the end of 100 keys"});
    refused("--flags", {1, 2, 3}, {"3 words of flags, but 100 keys need 4"});
    refused("--offsets", {0, 10, 10}, {"3 words, an odd number", "pairs"});
    refused("--offsets", {0, 10, 20, 15}, {"segment 1 in", "ends at 15, before it begins at 20"});
    refused("--offsets", {0, 10, 9, 15}, {"segment 1 in", "begins at 9, before the end of the one before it at 10"});
    refused("--offsets", {0, 10, 10, 101}, {"segment 1 in", "ends at 101, past the end of 100 keys"});
    refused("--pairs", {0, 10, 10}, {"3 words, an odd number", "offset and its count"});
    refused("--pairs", {50, 10, 91, 10}, {"segment 1 in", "ends at 101, past the end of 100 keys"});
    refused("--pairs", {50, 10, 41, 10}, {"the segments at 41 and 50 in", "overlap"});
    for (const char* option : {"--heads", "--flags", "--offsets", "--pairs"}) {
        write("bad", random_bytes(18, 1));
        expect_failure(2, std::string("segsort @keys -o @out --type u32 ") + option + " @bad",
                       {"bad' holds 18 bytes, not a multiple of the 4"});
    }
}

} // namespace vksort::test
