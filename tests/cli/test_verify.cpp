// SPDX-License-Identifier: MIT
//
// verify must find what is wrong: each test spoils a good result in one way.
#include "runner.h"

namespace vksort::test {

using Keys = std::vector<uint32_t>;

class Verify : public CliTest {
protected:
    void good(const std::string& words, const std::string& verdict) {
        EXPECT_EQ(run_well("verify " + words), verdict + "\n");
    }
    void bad(const std::string& words, const std::vector<std::string>& parts) {
        expect_failure(1, "verify " + words, parts);
    }
    template <class Element> void write_all(const std::string& name, const std::vector<Element>& elements) {
        write(name, to_bytes(elements));
    }
};

TEST_F(Verify, TellsSortedFromNot) {
    write_all("out", Keys{1, 2, 2, 9});
    good("@out --type u32", "verified: 4 u32 keys, ascending");
    bad("@out --type u32 --descending", {"not sorted", "key 0 is 1, and key 1 after it is 2"});
    write_all("out", Keys{9, 2, 2, 1});
    good("@out --type u32 --descending", "verified: 4 u32 keys, descending");
    bad("@out --type u32", {"key 0 is 9, and key 1 after it is 2"});
    write_all("out", Keys{});
    good("@out --type u32", "verified: 0 u32 keys, ascending");
}

TEST_F(Verify, GoesByTheOrderOfTheType) {
    write_all("out", Keys{0xffffffff, 0, 1}); // -1 0 1
    good("@out --type i32", "verified: 3 i32 keys, ascending");
    bad("@out --type u32", {"key 0 is 4294967295"});
    write_all("out", std::vector<float>{-2.0f, -1.0f, -0.0f, 0.0f, 1.5f});
    good("@out --type f32", "verified: 5 f32 keys, ascending");
    write_all("out", std::vector<float>{0.0f, -0.0f});
    bad("@out --type f32", {"key 0 is 0, and key 1 after it is -0"});
}

TEST_F(Verify, FindsLostKeys) {
    write_all("in", Keys{5, 3, 3, 8});
    write_all("out", Keys{3, 3, 5, 8});
    good("@out --type u32 --input @in", "verified: 4 u32 keys, ascending, a permutation of the input");
    write_all("out", Keys{3, 5, 5, 8});
    bad("@out --type u32 --input @in", {"not a permutation", "key 3 is there 1 times, and was 2 times"});
    write_all("out", Keys{3, 3, 5, 9});
    bad("@out --type u32 --input @in", {"key 8 is there 0 times, and was 1 times"});
    write_all("out", Keys{3, 3, 5});
    bad("@out --type u32 --input @in", {"there are 3 keys, and 4 keys in the input"});
}

TEST_F(Verify, FindsPairsThatAreNotStable) {
    write_all("in", Keys{5, 3, 5, 3});
    write_all("out", Keys{3, 3, 5, 5});
    const std::string words = "@out --type u32 --input @in --values @values";
    write_all("values", Keys{1, 3, 0, 2});
    good(words, "verified: 4 u32 keys, ascending, a permutation of the input, stable with their values");
    write_all("values", Keys{3, 1, 0, 2});
    bad(words, {"not stable", "value 0 is 3, where a stable sort has 1"});
    write_all("values", Keys{1, 3, 0, 0});
    bad(words, {"value 3 is 0, where a stable sort has 2"});
}

TEST_F(Verify, ChecksValuesOfOtherSizes) {
    write_all("in", Keys{5, 3, 4});
    write_all("out", Keys{3, 4, 5});
    write_all("input_values", std::vector<uint64_t>{50, 30, 40});
    write_all("values", std::vector<uint64_t>{30, 40, 50});
    const std::string words = "@out --type u32 --input @in --values @values --input-values @input_values --value-size 8";
    good(words, "verified: 3 u32 keys, ascending, a permutation of the input, stable with their values");
    write_all("values", std::vector<uint64_t>{30, 50, 40});
    bad(words, {"value 1 is not the one of input key 2"});
}

TEST_F(Verify, ChecksIndices) {
    write_all("in", Keys{5, 3, 5, 3});
    write_all("out", Keys{1, 3, 0, 2});
    good("@out --type u32 --input @in --argsort", "verified: 4 indices sort u32 keys stably, ascending");
    write_all("out", Keys{0, 2, 1, 3});
    good("@out --type u32 --input @in --argsort --descending", "verified: 4 indices sort u32 keys stably, descending");
    write_all("out", Keys{1, 3, 2, 0});
    bad("@out --type u32 --input @in --argsort", {"value 2 is 2, where a stable sort has 0"});
    write_all("out", Keys{1, 3, 2});
    bad("@out --type u32 --input @in --argsort", {"there are 3 indices, and 4 keys"});
}

TEST_F(Verify, GoesByARangeOfBits) {
    write_all("in", Keys{0x1ff, 0x001, 0x000, 0x102});
    write_all("out", Keys{0x001, 0x000, 0x1ff, 0x102}); // by bit 8, in input order
    good("@out --type u32 --bits 8:9", "verified: 4 u32 keys, ascending");
    good("@out --type u32 --bits 8:9 --input @in", "verified: 4 u32 keys, ascending, a permutation of the input, stable");
    bad("@out --type u32", {"not sorted"});
    write_all("out", Keys{0x000, 0x001, 0x1ff, 0x102});
    bad("@out --type u32 --bits 8:9 --input @in", {"not stable", "key 0 is 0, where a stable sort has 1 (input key 1)"});
}

TEST_F(Verify, KnowsSegments) {
    write_all("in", Keys{5, 3, 9, 8, 7, 1});
    write_all("out", Keys{3, 5, 7, 8, 9, 1});
    write_all("heads", Keys{2, 5});
    write_all("flags", Keys{1u << 2 | 1u << 5});
    write_all("offsets", Keys{0, 2, 2, 5});
    for (const std::string segments : {"--heads @heads", "--flags @flags", "--offsets @offsets"}) {
        SCOPED_TRACE(segments);
        const std::string count = segments == "--offsets @offsets" ? "2" : "3";
        good("@out --type u32 " + segments, "verified: 6 u32 keys, ascending, in " + count + " segments");
        good("@out --type u32 --input @in " + segments,
             "verified: 6 u32 keys, ascending, in " + count + " segments, each a permutation of the input's");
        bad("@out --type u32 --descending " + segments, {"key 0 is 3, and key 1 after it is 5"});
    }
    bad("@out --type u32", {"key 4 is 9, and key 5 after it is 1"});
    write_all("spoilt", Keys{3, 5, 8, 7, 9, 1});
    bad("@spoilt --type u32 --heads @heads", {"key 2 is 8, and key 3 after it is 7"});
    write_all("spoilt", Keys{3, 7, 5, 8, 9, 1}); // moved to the next segment
    bad("@spoilt --type u32 --heads @heads --input @in",
        {"key 5 is there 0 times in the segment of keys 0 to 1, and was 1 times"});
}

TEST_F(Verify, FindsWhatMovedBetweenSegments) {
    write_all("in", Keys{9, 4, 3, 2, 7, 6, 1, 5});
    write_all("offsets", Keys{1, 3, 3, 3, 5, 7}); // 9, 2, 7 and the last 5 are outside
    write_all("out", Keys{9, 3, 4, 2, 7, 1, 6, 5});
    const std::string words = "@out --type u32 --offsets @offsets --input @in";
    good(words, "verified: 8 u32 keys, ascending, in 2 segments, each a permutation of the input's");
    write_all("out", Keys{9, 3, 4, 7, 2, 1, 6, 5});
    bad(words, {"key 3 is 7, and was 2 in the input", "between segments"});
    write_all("out", Keys{9, 3, 4, 2, 7, 1, 6, 8});
    bad(words, {"key 7 is 8, and was 5 in the input", "between segments"});
    write_all("out", Keys{9, 3, 4, 2, 7, 1, 6, 5});
    write_all("values", Keys{0, 2, 1, 3, 4, 6, 5, 7});
    good(words + " --values @values",
         "verified: 8 u32 keys, ascending, in 2 segments, each a permutation of the input's, stable with their values");
    write_all("values", Keys{0, 2, 1, 4, 3, 6, 5, 7});
    bad(words + " --values @values", {"value 3 is 4, where a stable sort has 3"});
    good("@values --type u32 --offsets @offsets --input @values --bits 31:32",
         "verified: 8 u32 keys, ascending, in 2 segments, each a permutation of the input's, stable");
    write_all("indices", Keys{0, 2, 1, 3, 4, 6, 5, 7});
    good("@indices --type u32 --offsets @offsets --input @in --argsort",
         "verified: 8 indices sort u32 keys stably, ascending, in 2 segments");
    bad("@values --type u32 --offsets @offsets --input @in --argsort", {"value 3 is 4, where a stable sort has 3"});
}

TEST_F(Verify, ReadsTextAndStandardInput) {
    EXPECT_EQ(run_well("verify - --type f64 --text", "-1.5\n0\n1e300\n"), "verified: 3 f64 keys, ascending\n");
    RunOptions options;
    options.input = "2\n1\n";
    expect_failure(1, "verify - --type u8 --text", {"key 0 is 2, and key 1 after it is 1"}, options);
    options.input = "2\nx\n";
    expect_failure(2, "verify - --type u8 --text", {"line 2 of standard input"}, options);
}

TEST_F(Verify, RefusesWhatItCannotCheck) {
    write_all("out", Keys{1, 2});
    expect_failure(2, "verify @out --type u33", {"unknown key type 'u33'"});
    expect_failure(2, "verify @missing --type u32", {"cannot read"});
    expect_failure(2, "verify @out --type u64 --bits 0:65", {"A:B"});
    expect_failure(2, "verify @out --type u32 --values @out", {"give --input"});
    expect_failure(2, "verify @out --type u32 --argsort", {"give --input"});
    expect_failure(2, "verify @out --type u32 --input @out --value-size 8", {"need --values"});
    expect_failure(2, "verify @out --type u32 --input @out --values @out --value-size 8", {"u32 indices"});
    expect_failure(2, "verify - --type u32 --input -", {"only one file can be standard input"});
    expect_failure(2, "verify @out --type u32 --heads @out --flags @out",
                   {"give one of --heads, --flags, --offsets and --pairs"});
    expect_failure(2, "verify - --type u32 --heads -", {"only one file can be standard input"});
    write("odd", to_bytes(std::string("12345")));
    expect_failure(2, "verify @odd --type u32", {"5 bytes", "not a multiple of the 4"});
    expect_failure(2, "verify @out --type u32 --input @out --values @odd", {"5 bytes of values"});
}

} // namespace vksort::test
