// SPDX-License-Identifier: MIT
//
// Keys under an order from a file of GLSL.
#include <nlohmann/json.hpp>

#include "runner.h"

namespace vksort::test {

namespace {

// By the last word modulo 100, larger first: many keys are equal, and the others show stability.
constexpr const char* kOrder = "bool before(Key a, Key b) { return a.words[2] % 100 > b.words[2] % 100; }\n";

struct Key {
    uint32_t words[3];
};
bool before(const Key& a, const Key& b) { return a.words[2] % 100 > b.words[2] % 100; }

std::vector<Key> random_keys(size_t count, uint32_t seed) {
    const Bytes bytes = random_bytes(count * sizeof(Key), seed);
    std::vector<Key> keys(count);
    std::memcpy(keys.data(), bytes.data(), bytes.size());
    return keys;
}

} // namespace

class Comparator : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        write("order.glsl", to_bytes(std::string(kOrder)));
    }
    const std::string words_ = " -o @out.bin --comparator @order.glsl --key-size 12 ";
};
class ComparatorInput : public Comparator {};

TEST_F(Comparator, Sorts) {
    std::vector<Key> keys = random_keys(3001, 1);
    write("keys.bin", to_bytes(keys));
    std::vector<uint32_t> indices(keys.size());
    std::iota(indices.begin(), indices.end(), 0);
    write("values.bin", to_bytes(indices));
    const RunResult result = run("sort @keys.bin --values @values.bin --values-out @vout.bin --summary" + words_);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(result.err.starts_with("sorted 3,001 12-byte keys under ")) << result.err;
    std::stable_sort(indices.begin(), indices.end(), [&](uint32_t a, uint32_t b) { return before(keys[a], keys[b]); });
    std::stable_sort(keys.begin(), keys.end(), before);
    EXPECT_EQ(read("out.bin"), to_bytes(keys));
    EXPECT_EQ(read("vout.bin"), to_bytes(indices));
}

TEST_F(Comparator, Merges) {
    std::vector<Key> a = random_keys(1500, 2);
    std::vector<Key> b = random_keys(1000, 3);
    // Descending turns the order round.
    const auto after = [](const Key& x, const Key& y) { return before(y, x); };
    std::stable_sort(a.begin(), a.end(), after);
    std::stable_sort(b.begin(), b.end(), after);
    write("a.bin", to_bytes(a));
    write("b.bin", to_bytes(b));
    run_well("merge @a.bin @b.bin --descending" + words_);
    std::vector<Key> merged;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged), after);
    EXPECT_EQ(read("out.bin"), to_bytes(merged));
}

TEST_F(Comparator, SortsSegments) {
    std::vector<Key> keys = random_keys(3001, 4);
    write("keys.bin", to_bytes(keys));
    write("heads.bin", to_bytes(std::vector<uint32_t>{7, 1900}));
    run_well("segsort @keys.bin --heads @heads.bin" + words_);
    std::stable_sort(keys.begin(), keys.begin() + 7, before);
    std::stable_sort(keys.begin() + 7, keys.begin() + 1900, before);
    std::stable_sort(keys.begin() + 1900, keys.end(), before);
    EXPECT_EQ(read("out.bin"), to_bytes(keys));
}

// The sign of a difference that overflows is no order, and sorts by it lose keys. Then no file is replaced, not even when
// the output is the input.
TEST_F(Comparator, WhatIsNoOrderReplacesNothing) {
    const Bytes keys = random_bytes(3000 * sizeof(uint32_t), 7);
    const Bytes values = random_bytes(3000 * sizeof(uint32_t), 8);
    write("keys.bin", keys);
    write("values.bin", values);
    write("heads.bin", to_bytes(std::vector<uint32_t>{0}));
    write("no_order.glsl",
          to_bytes(std::string("bool before(Key a, Key b) { return int(a.words[0] - b.words[0]) < 0; }\n")));
    const std::string under = " -o @keys.bin --key-size 4 --comparator @no_order.glsl";
    const std::vector<std::string> parts = {"keys were lost, so nothing was written", "no_order.glsl", "strict weak order"};
    expect_failure(2, "sort @keys.bin" + under, parts);
    expect_failure(2, "sort @keys.bin --values @values.bin --values-out @values.bin" + under, parts);
    expect_failure(2, "sort @keys.bin --argsort" + under, parts);
    expect_failure(2, "segsort @keys.bin --heads @heads.bin" + under, parts);
    expect_failure(2, "merge @keys.bin @values.bin" + under, {"keys were lost", "or A or B is not sorted by it"});
    EXPECT_EQ(read("keys.bin"), keys);
    EXPECT_EQ(read("values.bin"), values);
}

TEST_F(ComparatorInput, TextIsRefusedInTheCompilersWords) {
    write("keys.bin", to_bytes(random_keys(10, 5)));
    const std::string sort = "sort @keys.bin -o @out.bin --key-size 12 --comparator ";
    write("bad.glsl", to_bytes(std::string("// an order\nbool before(Key a, Key b) { return x < b.words[0]; }\n")));
    expect_failure(2, sort + "@bad.glsl", {"the comparator is refused", "bad.glsl:2:", "'x'"});
    write("empty.glsl", {});
    expect_failure(2, sort + "@empty.glsl", {"the comparator is refused", "before"});
    expect_failure(2, sort + "@missing.glsl", {"cannot read", "missing.glsl"});
    expect_failure(2, "sort @keys.bin -o @out.bin --key-size 8 --comparator @order.glsl", {"the comparator is refused"});
}

TEST_F(ComparatorInput, OptionsMustAgree) {
    write("keys.bin", to_bytes(random_keys(10, 5)));
    const std::string sort = "sort @keys.bin -o @out.bin ";
    expect_failure(2, sort, {"--type is required, or --comparator and --key-size"});
    expect_failure(2, sort + "--type comparator", {"unknown key type 'comparator'"});
    expect_failure(2, sort + "--type u32 --key-size 4", {"--key-size is for keys under a --comparator"});
    const std::string under = sort + "--comparator @order.glsl ";
    for (const char* size : {"", "--key-size 6", "--key-size 68"}) {
        expect_failure(2, under + size, {"--comparator needs the --key-size, a multiple of 4 from 4 to 64"});
    }
    for (const char* more : {"--type u32", "--bits 0:4", "--text"}) {
        expect_failure(2, under + "--key-size 12 " + more, {"leave out --type, --bits and --text"});
    }
    expect_failure(2, under + "--key-size 16", {"holds 120 bytes, not a multiple of the 16", "--key-size"});
    expect_failure(2, "sort - -o @out.bin --key-size 4 --comparator -", {"only one file can be standard input"});
}

} // namespace vksort::test
