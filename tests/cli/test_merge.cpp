// SPDX-License-Identifier: MIT
//
// Merges of files, compared with std::merge byte for byte.
#include <nlohmann/json.hpp>

#include "runner.h"

namespace vksort::test {

using reference::Order;

namespace {

Bytes concatenated(Bytes a, const Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// Random keys, sorted.
Bytes sorted_keys(size_t count, const Order& order, uint32_t seed) {
    const uint32_t size = reference::key_size(order.type);
    const Bytes keys = random_bytes(count * size, seed);
    return reordered(keys, size, reference::argsort(keys, order));
}

// Where each place of the merge comes from: a position in A, or the count of A and a position in B.
std::vector<uint32_t> merge_order(const Bytes& a, const Bytes& b, const Order& order) {
    const uint32_t size = reference::key_size(order.type);
    const Bytes keys = concatenated(a, b);
    std::vector<uint32_t> sources(keys.size() / size);
    std::iota(sources.begin(), sources.end(), 0);
    const auto middle = sources.begin() + static_cast<ptrdiff_t>(a.size() / size);
    const auto digit = [&](uint32_t i) {
        return reference::digit_of(order, reference::load_bits(keys.data() + size_t{i} * size, size));
    };
    std::vector<uint32_t> merged;
    std::merge(sources.begin(), middle, middle, sources.end(), std::back_inserter(merged),
               [&](uint32_t x, uint32_t y) { return order.descending ? digit(x) > digit(y) : digit(x) < digit(y); });
    return merged;
}

} // namespace

class Merge : public CliTest {
protected:
    void write_inputs(const Bytes& a, const Bytes& b) {
        write("a.bin", a);
        write("b.bin", b);
    }
};

class MergeInput : public CliTest {
protected:
    template <class Element> void write_all(const std::string& name, const std::vector<Element>& elements) {
        write(name, to_bytes(elements));
    }
};

TEST_F(Merge, MergesKeysOfEverySize) {
    struct Case {
        const char* words;
        Order order;
    };
    const Case cases[] = {{"u8", {VKSORT_KEY_U8}},
                          {"f16 --descending", {VKSORT_KEY_F16, true}},
                          {"f32", {VKSORT_KEY_F32}},
                          {"i64 --descending", {VKSORT_KEY_I64, true}}};
    for (const Case& one : cases) {
        SCOPED_TRACE(one.words);
        const Bytes a = sorted_keys(3001, one.order, 1);
        const Bytes b = sorted_keys(1777, one.order, 2);
        write_inputs(a, b);
        run_well(std::string("merge @a.bin @b.bin -o @out.bin --type ") + one.words);
        EXPECT_EQ(read("out.bin"),
                  reordered(concatenated(a, b), reference::key_size(one.order.type), merge_order(a, b, one.order)));
    }
    EXPECT_EQ(files(), (std::vector<std::string>{"a.bin", "b.bin", "out.bin"}));
}

TEST_F(Merge, MergesAnyCounts) {
    for (const auto& [count_a, count_b] : {std::pair<size_t, size_t>{0, 0}, {5, 0}, {0, 5}}) {
        SCOPED_TRACE(testing::Message() << count_a << " and " << count_b);
        const Bytes a = sorted_keys(count_a, {VKSORT_KEY_U32}, 3);
        const Bytes b = sorted_keys(count_b, {VKSORT_KEY_U32}, 4);
        write_inputs(a, b);
        run_well("merge @a.bin @b.bin -o @out.bin --type u32");
        EXPECT_EQ(read("out.bin"), concatenated(a, b));
    }
}

// One-byte keys: many are equal, and the values show which came first.
TEST_F(Merge, MovesValuesAndPutsAFirst) {
    const Bytes a = sorted_keys(2000, {VKSORT_KEY_U8}, 5);
    const Bytes b = sorted_keys(3000, {VKSORT_KEY_U8}, 6);
    const Bytes values_a = random_bytes(2000 * 12, 7);
    const Bytes values_b = random_bytes(3000 * 12, 8);
    write_inputs(a, b);
    write("va.bin", values_a);
    write("vb.bin", values_b);
    run_well("merge @a.bin @b.bin -o @out.bin --type u8 --values @va.bin --values-b @vb.bin --values-out @vout.bin "
             "--value-size 12");
    const std::vector<uint32_t> order = merge_order(a, b, {VKSORT_KEY_U8});
    EXPECT_EQ(read("out.bin"), reordered(concatenated(a, b), 1, order));
    EXPECT_EQ(read("vout.bin"), reordered(concatenated(values_a, values_b), 12, order));
}

TEST_F(Merge, WritesIndicesInPlaceOfKeys) {
    const Order order = {VKSORT_KEY_I16, true};
    const Bytes a = sorted_keys(2000, order, 9);
    const Bytes b = sorted_keys(3000, order, 10);
    write_inputs(a, b);
    run_well("merge @a.bin @b.bin -o @out.bin --type i16 --descending --argsort");
    EXPECT_EQ(read("out.bin"), to_bytes(merge_order(a, b, order)));
}

TEST_F(Merge, MergesText) {
    write("b.txt", to_bytes(std::string("-7\n0.5\n1e9\n")));
    EXPECT_EQ(run_well("merge - @b.txt -o - --type f64 --text", "-inf\n0.25\n0.5\nnan\n"),
              "-inf\n-7\n0.25\n0.5\n0.5\n1e+09\nnan\n");
}

// Many tiles, and the report.
TEST_F(Merge, SaysWhatItDid) {
    const Bytes a = sorted_keys(70001, {VKSORT_KEY_U32}, 11);
    const Bytes b = sorted_keys(20000, {VKSORT_KEY_U32}, 12);
    write_inputs(a, b);
    const RunResult result = run("merge @a.bin @b.bin -o @out.bin --type u32 --timings --validation");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(result.err.starts_with("merged 70,001 and 20,000 u32 keys on ")) << result.err;
    for (const char* word : {" by merge in ", "GPU time", "partition 0", "merge 0", "1 merge passes"}) {
        EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
    }
    EXPECT_EQ(read("out.bin"), reordered(concatenated(a, b), 4, merge_order(a, b, {VKSORT_KEY_U32})));
}

TEST_F(MergeInput, MustBeSorted) {
    using Keys = std::vector<uint32_t>;
    write_all("good", Keys{1, 2, 2, 9});
    write_all("bad", Keys{1, 7, 7, 3, 0});
    const std::string words = " -o @out --type u32 ";
    expect_failure(2, "merge @bad @good" + words,
                   {"bad' is not sorted ascending: key 3 is 3, after 7", "sort it first (vksort sort)"});
    expect_failure(2, "merge @good @bad" + words, {"bad' is not sorted ascending: key 3 is 3, after 7"});
    write_all("fallen", Keys{9, 2, 2, 1});
    expect_failure(2, "merge @fallen @good --descending" + words,
                   {"good' is not sorted descending: key 1 is 2, after 1", "vksort sort --descending"});
    expect_failure(2, "merge @good @good -o @out --type i16", {"key 1 is 0, after 1"}); // the words as halves
    RunOptions options;
    options.input = "0\n-0\n"; // IEEE 754 total order
    write("good.txt", to_bytes(std::string("1\n2\n")));
    expect_failure(2, "merge @good.txt - -o @out --type f32 --text",
                   {"standard input is not sorted ascending: key 1 (line 2) is -0, after 0"}, options);
}

TEST_F(MergeInput, IsChecked) {
    write_all("a", std::vector<uint32_t>{1, 2});
    write_all("v", std::vector<uint32_t>{1, 2});
    write("odd", random_bytes(7, 1));
    const std::string merge = "merge @a @a -o @out --type u32 ";
    expect_failure(2, "merge @a -o @out --type u32", {"B is required", "vksort merge --help"});
    expect_failure(2, "merge @a @a -o @out", {"--type is required"});
    expect_failure(2, "merge @a @odd -o @out --type u32", {"odd' holds 7 bytes", "not a multiple of the 4"});
    expect_failure(2, "merge @a @missing -o @out --type u32", {"cannot read", "missing"});
    expect_failure(2, "merge @a @a -o @no/out --type u32", {"there is no folder"});
    expect_failure(2, "merge - - -o @out --type u32", {"only one file can be standard input"});
    expect_failure(2, merge + "--values @v --values-out @vout", {"--values, --values-b and --values-out go together"});
    expect_failure(2, merge + "--values-b @v", {"--values, --values-b and --values-out go together"});
    expect_failure(2, merge + "--values @v --values-b @v --values-out @out", {"cannot both go to"});
    expect_failure(2, merge + "--values @v --values-b @odd --values-out @vout", {"odd' holds 7 bytes of values", "need 8"});
    expect_failure(2, merge + "--value-size 4", {"--value-size needs --values"});
    expect_failure(2, merge + "--argsort --values @v --values-b @v --values-out @vout", {"--argsort makes its own values"});
    expect_failure(2, merge + "--bits 0:8", {"--bits"});
    expect_failure(2, merge + "--stats", {"--stats"});
    EXPECT_NE(run_well("merge --help").find("--values-b"), std::string::npos);
}

} // namespace vksort::test
