// SPDX-License-Identifier: MIT
//
// Keys as text: what is printed comes back as the same bits.
#include <sstream>

#include "../../tools/cli/key_text.hpp"
#include "runner.h"

namespace vksort::test {

class Text : public CliTest {
protected:
    // Sorts text; by the tool alone, since the words' order says all.
    std::string sorted(const std::string& type, const std::string& lines, const std::string& more = "") {
        return run_well("sort - -o - --text --type " + type + more, lines);
    }
};

TEST_F(Text, SortsThroughAPipe) {
    EXPECT_EQ(sorted("u32", "30\n7\n100\n7\n0\n"), "0\n7\n7\n30\n100\n");
    EXPECT_EQ(sorted("i32", "30\n-7\n100\n"), "-7\n30\n100\n");
    EXPECT_EQ(sorted("f64", "2.5\n-1e300\n0.1\n"), "-1e+300\n0.1\n2.5\n");
    EXPECT_EQ(sorted("u32", "30\n7\n100\n", " --descending"), "100\n30\n7\n");
    EXPECT_EQ(sorted("u32", "30\n7\n100\n", " --argsort"), "1\n0\n2\n");
}

TEST_F(Text, ForgivesFormButNotContent) {
    EXPECT_EQ(sorted("i8", "  5\r\n+3\t\n-128"), "-128\n3\n5\n"); // blanks, CR LF, a plus, no newline at the end
    EXPECT_EQ(sorted("u8", "5\n3\n\n\n"), "3\n5\n");              // empty lines at the end
    EXPECT_EQ(sorted("u8", ""), "");
}

TEST_F(Text, TakesTheExtremesOfEveryType) {
    EXPECT_EQ(sorted("u8", "255\n0\n"), "0\n255\n");
    EXPECT_EQ(sorted("i8", "127\n-128\n"), "-128\n127\n");
    EXPECT_EQ(sorted("u16", "65535\n0\n"), "0\n65535\n");
    EXPECT_EQ(sorted("i16", "32767\n-32768\n"), "-32768\n32767\n");
    EXPECT_EQ(sorted("u32", "4294967295\n0\n"), "0\n4294967295\n");
    EXPECT_EQ(sorted("i32", "2147483647\n-2147483648\n"), "-2147483648\n2147483647\n");
    EXPECT_EQ(sorted("u64", "18446744073709551615\n0\n"), "0\n18446744073709551615\n");
    EXPECT_EQ(sorted("i64", "9223372036854775807\n-9223372036854775808\n"), "-9223372036854775808\n9223372036854775807\n");
    EXPECT_EQ(sorted("f16", "65504\n-65504\n6e-08\n0.1\n"), "-65504\n6e-08\n0.1\n65504\n");
    EXPECT_EQ(sorted("f32", "3.4028235e+38\n1e-45\n"), "1e-45\n3.4028235e+38\n");
    EXPECT_EQ(sorted("f64", "1.7976931348623157e+308\n5e-324\n1e-999\n"), "0\n5e-324\n1.7976931348623157e+308\n");
}

TEST_F(Text, KnowsTheTotalOrderOfFloats) {
    for (const char* type : {"f16", "f32", "f64"}) {
        SCOPED_TRACE(type);
        EXPECT_EQ(sorted(type, "nan\n0\n-inf\n1\n-0\ninf\n-nan\nNaN(0x1)\nInfinity\n-1\n"),
                  "-nan\n-inf\n-1\n-0\n0\n1\ninf\ninf\nnan(0x1)\nnan\n");
    }
}

// Bits to text to bits: all of the two smaller sizes, and many of the others, NaNs with payloads included.
TEST_F(Text, ComesBackAsTheSameBits) {
    for (const NamedType& type : kNamedTypes) {
        SCOPED_TRACE(type.name);
        const uint32_t size = reference::key_size(type.type);
        Bytes keys = random_bytes(100000 * size, 5);
        if (size <= 2) {
            keys.resize((size_t{1} << 8 * size) * size);
            for (uint32_t i = 0; i < keys.size() / size; ++i) {
                reference::store_bits(keys.data() + i * size, size, i);
            }
        }
        EXPECT_EQ(parse_keys(keys_to_text(keys, type.type), type.type, "text"), keys);
    }
}

// The lines that come out are the lines that went in, through the whole tool.
TEST_F(Text, SortsEveryTypeWithoutChangingALine) {
    for (const NamedType& type : kNamedTypes) {
        SCOPED_TRACE(type.name);
        const std::string made = std::string("generate --count 2000 --type ") + type.name;
        run_well(made + " -o @keys.bin");
        std::istringstream text(run_well(made + " --text -o -"));
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);) {
            lines.push_back(line + "\n");
        }
        ASSERT_EQ(lines.size(), 2000u);
        std::string input;
        std::string expected;
        for (const std::string& line : lines) {
            input += line;
        }
        for (uint32_t index : reference::argsort(read("keys.bin"), {type.type})) {
            expected += lines[index];
        }
        EXPECT_EQ(sorted(type.name, input), expected);
    }
}

TEST_F(Text, NamesTheLineOfABadNumber) {
    const auto expect_bad = [&](const std::string& type, const std::string& lines, const std::vector<std::string>& parts) {
        write("in.txt", to_bytes(lines));
        expect_failure(2, "sort @in.txt -o @out.txt --text --type " + type, parts);
    };
    expect_bad("u32", "1\n2\nthree\n4\n", {"line 3 of", "in.txt", "not a number", "'three'"});
    expect_bad("u32", "1\n-2\n", {"line 2 of", "out of range", "'-2' is no u32 (0 to 4294967295)"});
    expect_bad("u8", "256\n", {"line 1 of", "(0 to 255)"});
    expect_bad("i16", "1\n1\n40000\n", {"line 3 of", "(-32768 to 32767)"});
    expect_bad("u32", "1.5\n", {"line 1 of", "not a number"});
    expect_bad("f32", "1\n1e39\n", {"line 2 of", "out of range", "3.4028235e+38"});
    expect_bad("f16", "65520\n", {"line 1 of", "65504"});
    expect_bad("f32", "1,5\n", {"line 1 of", "not a number"});
    expect_bad("f32", "--1\n", {"line 1 of", "not a number"});
    expect_bad("f32", "nan(0x)\n", {"line 1 of", "not a number"});
    expect_bad("u32", "1\n\n2\n", {"line 2 of", "is empty"});
    expect_bad("u32", "1 2\n", {"line 1 of", "not a number"});
    expect_bad("u32", std::string("1\n\0002\n", 5), {"line 2 of", "not a number"});
    expect_bad("u32", std::string(1000, 'x'), {"line 1 of", "..."});
}

} // namespace vksort::test
