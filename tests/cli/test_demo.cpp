// SPDX-License-Identifier: MIT
#include <regex>

#include "runner.h"

namespace vksort::test {

class Demo : public CliTest {
protected:
    // Runs the demo and gives back what it printed.
    std::string shown(const std::string& name) {
        const std::string text = run_well("demo " + name);
        EXPECT_TRUE(text.starts_with("on ")) << text;
        EXPECT_NE(text.find("\nverified: "), std::string::npos) << text;
        return text;
    }
    // The keys in the table that follows a line with `title`.
    static std::vector<uint32_t> table(const std::string& text, const std::string& title) {
        std::vector<uint32_t> keys;
        size_t at = text.find(title);
        EXPECT_NE(at, std::string::npos) << text;
        at = text.find('\n', at) + 1;
        static const std::regex row("^ +[0-9]+:(.*)$");
        static const std::regex number("[0-9]+");
        for (std::smatch match; at < text.size(); at = text.find('\n', at) + 1) {
            const std::string line = text.substr(at, text.find('\n', at) - at);
            if (!std::regex_match(line, match, row)) {
                break;
            }
            const std::string cells = match[1];
            for (std::sregex_iterator i(cells.begin(), cells.end(), number), end; i != end; ++i) {
                keys.push_back(static_cast<uint32_t>(std::stoul(i->str())));
            }
        }
        return keys;
    }
};

TEST_F(Demo, ListsAndRefuses) {
    const std::string list = run_well("demo");
    for (const char* name : {"segments", "locality", "merge"}) {
        EXPECT_NE(list.find(name), std::string::npos) << list;
    }
    expect_failure(2, "demo shuffle", {"there is no demo 'shuffle'", "segments locality merge"});
    RunOptions options;
    options.environment = {{"VK_ICD_FILENAMES", "/nonexistent.json"}, {"VK_DRIVER_FILES", "/nonexistent.json"}};
    expect_failure(3, "demo merge", {"no Vulkan driver found"}, options);
}

TEST_F(Demo, ShowsSegments) {
    const std::string text = shown("segments");
    const std::vector<uint32_t> before = table(text, "stands where one begins");
    const std::vector<uint32_t> after = table(text, "each segment sorted");
    ASSERT_EQ(before.size(), 100u);
    ASSERT_EQ(after.size(), 100u);
    EXPECT_TRUE(std::is_permutation(before.begin(), before.end(), after.begin()));
    // Wherever keys fall, a segment begins; the same heads are marked twice.
    const auto falls = [](const std::vector<uint32_t>& keys) {
        return std::adjacent_find(keys.begin(), keys.end(), std::greater<>());
    };
    EXPECT_NE(falls(after), after.end());
    const auto marks = std::count(text.begin(), text.end(), '|') - 1; // one in the explanation
    EXPECT_EQ(marks % 2, 0) << text;
    EXPECT_NE(text.find("in " + std::to_string(marks / 2) + " segments"), std::string::npos) << text;
}

TEST_F(Demo, ShowsLocality) {
    const std::string text = shown("locality");
    const std::vector<uint32_t> after = table(text, "sorted\n");
    EXPECT_EQ(after.size(), 100u);
    EXPECT_TRUE(std::is_sorted(after.begin(), after.end()));
    std::smatch share;
    ASSERT_TRUE(std::regex_search(text, share, std::regex("\n  ([0-9.]+) of ([0-9]+) passes' worth of merging"))) << text;
    EXPECT_LT(std::stod(share[1]), std::stod(share[2]) / 2);
}

TEST_F(Demo, ShowsAMerge) {
    const std::string text = shown("merge --seed 5");
    std::vector<uint32_t> both = table(text, "A, 40 sorted keys");
    const std::vector<uint32_t> b = table(text, "B, 60 sorted keys");
    both.insert(both.end(), b.begin(), b.end());
    std::sort(both.begin(), both.end());
    EXPECT_EQ(both.size(), 100u);
    EXPECT_EQ(table(text, "merged;"), both);
    EXPECT_EQ(std::count(text.begin(), text.end(), '*'), 61) << text; // and one in the explanation
}

} // namespace vksort::test
