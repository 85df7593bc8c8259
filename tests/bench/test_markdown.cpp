// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "program_test.h"
#include "report_data.h"
#include "report_markdown.h"
#include "report_text.h"
#include "sample.h"

namespace vksort::bench {
namespace {

using nlohmann::json;
using MarkdownRow = std::vector<std::string>;
using MarkdownTable = std::vector<MarkdownRow>; // the heads first

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

// What lies between bars that no backslash makes text. Escapes are undone, and the marks of bold stay.
MarkdownRow cells_in(const std::string& line) {
    MarkdownRow cells;
    std::string cell;
    for (size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size()) {
            cell += line[++i];
        } else if (line[i] == '|') {
            const size_t begin = cell.find_first_not_of(' ');
            cells.push_back(begin == std::string::npos ? "" : cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
            cell.clear();
        } else {
            cell += line[i];
        }
    }
    return cells;
}

// By the title of their section, with escapes.
std::map<std::string, std::vector<MarkdownTable>> tables_in(const std::string& page) {
    std::map<std::string, std::vector<MarkdownTable>> tables;
    std::string title;
    bool in_table = false;
    for (const std::string& line : lines_in(page)) {
        if (line.starts_with("## ")) {
            title = line.substr(3);
        }
        if (line.starts_with("|") && !in_table) {
            tables[title].push_back({});
        }
        in_table = line.starts_with("|");
        if (in_table && !line.starts_with("|---")) {
            tables[title].back().push_back(cells_in(line));
        }
    }
    return tables;
}

// The cell at a row and a column that are found by their names. Empty if there is none.
std::string cell_at(const MarkdownTable& table, const std::string& row_name, const std::string& column_name) {
    const auto column = std::find(table[0].begin(), table[0].end(), column_name);
    const auto row = std::find_if(table.begin(), table.end(), [&](const MarkdownRow& one) { return one[0] == row_name; });
    return column == table[0].end() || row == table.end() ? "" : row->at(static_cast<size_t>(column - table[0].begin()));
}

std::string without_bold(const std::string& cell) { return cell.starts_with("**") ? cell.substr(2, cell.size() - 4) : cell; }

TEST(BenchMarkdown, NamesWhatWasMeasuredAndHow) {
    const std::string page = markdown_report(sample_file());
    EXPECT_TRUE(page.starts_with("# vksort on Sample device, made up for a test, driver sample driver 1.2.3\n\n")) << page;
    const MarkdownTable facts = tables_in(page)["How it was measured"].at(0);
    for (const MarkdownRow& fact : MarkdownTable{{"driver", "sample driver 1.2.3"},
                                                 {"date", "2026-01-02T03:04:05Z"},
                                                 {"commit", "0123abc"},
                                                 {"command", "vksort-bench --seed 7"},
                                                 {"seed", "7"},
                                                 {"clock", "timestamps of the GPU"},
                                                 {"warm up seconds", "0.3"}}) {
        EXPECT_NE(std::find(facts.begin(), facts.end(), fact), facts.end()) << fact[0];
    }
}

TEST(BenchMarkdown, EveryResultIsInATableOfItsKind) {
    const json file = sample_file();
    const auto tables = tables_in(markdown_report(file));
    size_t found = 0;
    for (const report::Result& result : report::read_results(file).results) {
        if (report::measured(result) == nullptr) {
            continue;
        }
        const report::Scenario& where = result.scenario;
        const bool small = where.count <= 1 << 16;
        const std::string value = report::number_text(small ? report::measured(result)->median : report::rate(result) / 1e9);
        const std::string name = result.contender + (result.contender == "std::sort" ? " (wall clock)" : "");
        bool there = false;
        for (const MarkdownTable& table : tables.at(report::kind_text(where))) {
            for (const std::string& column :
                 {report::count_text(where.count), where.distribution, report::segment_text(where.mean_segment)}) {
                there = there || without_bold(cell_at(table, name, column)) == value;
            }
        }
        EXPECT_TRUE(there) << name << ", " << report::scenario_text(where) << ": " << value;
        ++found;
    }
    EXPECT_GT(found, 200u);
}

TEST(BenchMarkdown, TablesNameTheirUnit) {
    const std::string page = markdown_report(with({
        result(scenario(1 << 12), "vksort auto", 5),
        result(scenario(1 << 16), "vksort auto", 15),
        result(scenario(1 << 20), "vksort auto", 50),
        result(scenario(1 << 20), "vksort onesweep", 2e6),
        result(scenario(1 << 20, "zipf"), "vksort onesweep", 1e6),
    }));
    EXPECT_TRUE(has(page, "Time in µs, lower is better, uniform keys.\n\n| n | 2^12 | 2^16 |\n|---|---:|---:|\n"
                          "| vksort auto | 5.000 | 15.00 |\n"))
        << page;
    EXPECT_TRUE(has(page, "Throughput in G/s (10^9 elements a second), higher is better, uniform keys.\n\n| n | 2^20 |\n"))
        << page;
    EXPECT_TRUE(has(page, "Throughput in G/s (10^9 elements a second), higher is better, n = 2^20.\n\n"
                          "| distribution | uniform | zipf |\n|---|---:|---:|\n| vksort auto | **20.97** | - |\n"))
        << page;
    const std::string slow = markdown_report(with({result(scenario(1 << 20), "vksort auto", 1e4)}));
    EXPECT_TRUE(has(slow, "Throughput in M/s (10^6 elements a second), higher is better, uniform keys.\n\n"
                          "| n | 2^20 |\n|---|---:|\n| vksort auto | 104.9 |\n"))
        << slow;
}

TEST(BenchMarkdown, TheFastestIsBoldAndTheRatioIsToTheFastestOther) {
    const std::string page = markdown_report(with({
        result(scenario(1 << 10), "copy", 1), result(scenario(1 << 10), "vksort auto", 8),
        result(scenario(1 << 10), "vksort onesweep", 4), result(scenario(1 << 10), "CUB radix", 16),
        result(scenario(1 << 10), "CUB merge", 12), //
        result(scenario(1 << 12), "copy", 1), result(scenario(1 << 12), "vksort auto", 8),
        result(scenario(1 << 12), "CUB radix", 6),                                             //
        result(scenario(1 << 14), "copy", 1), result(scenario(1 << 14), "vksort auto", 8),     // alone
        result(scenario(1 << 16), "vksort auto", 8), result(scenario(1 << 16), "CUB radix", 8) // equal
    }));
    EXPECT_EQ(tables_in(page)["sort u32"].at(0),
              (MarkdownTable{
                  {"n", "2^10", "2^12", "2^14", "2^16"},
                  {"vksort auto", "8.000", "8.000", "8.000", "**8.000**"},
                  {"vksort onesweep", "**4.000**", "-", "-", "-"},
                  {"CUB radix", "16.00", "**6.000**", "-", "**8.000**"},
                  {"CUB merge", "12.00", "-", "-", "-"},
                  {"copy", "1.000", "1.000", "1.000", "-"},
                  {"vksort auto to the fastest other library", "1.50× ▲ faster", "0.75× ▼ slower", "-", "1.00× ≈ same"},
              }));
}

TEST(BenchMarkdown, LossesAreListed) {
    json merge = scenario(1 << 20);
    merge["operation"] = "merge";
    const std::string page = markdown_report(with({
        result(scenario(1 << 20), "vksort auto", 100), result(scenario(1 << 20), "CUB radix", 80),
        result(scenario(1 << 20), "vksort onesweep", 50),                                           // no other library
        result(scenario(1 << 22), "vksort auto", 100), result(scenario(1 << 22), "CUB radix", 150), // won
        result(scenario(1 << 24), "vksort auto", 100), result(scenario(1 << 24), "CUB radix", 99),  // within the noise
        result(scenario(1 << 24), "copy", 10),                                                      // is not compared
        result(merge, "vksort merge", 400), result(merge, "CUB merge", 100),                        // without auto
    }));
    EXPECT_EQ(tables_in(page)["Where another is faster"].at(0),
              (MarkdownTable{{"scenario", "faster", "vksort's contender", "time of the faster", "vksort's time", "ratio"},
                             {"merge u32, n = 2^20, uniform", "CUB merge", "vksort merge", "100.0 µs", "400.0 µs", "0.25×"},
                             {"sort u32, n = 2^20, uniform", "CUB radix", "vksort auto", "80.00 µs", "100.0 µs", "0.80×"}}));
    EXPECT_EQ(tables_in(page)["Faster and slower"].at(0).at(1),
              (MarkdownRow{"vksort auto against CUB radix", "1", "1", "1", "1.06×", "0.80×", "1.50×",
                           "sort u32, n = 2^20, uniform", "sort u32, n = 2^22, uniform"}));
}

TEST(BenchMarkdown, SaysWhereNothingIsLost) {
    const json ours = result(scenario(1 << 20), "vksort auto", 100);
    const std::string won = markdown_report(with({ours, result(scenario(1 << 20), "CUB radix", 200)}));
    EXPECT_TRUE(has(won, "No other library is faster than vksort by more than the noise.\n"));
    EXPECT_EQ(tables_in(won)["Where another is faster"].size(), 0u);
    const std::string alone = markdown_report(with({ours}));
    EXPECT_TRUE(has(alone, "The results have no other library's times to compare vksort's with.\n"));
    EXPECT_FALSE(has(alone, "Faster and slower"));
    EXPECT_FALSE(has(alone, "fastest other library"));
}

TEST(BenchMarkdown, WhatHasNoTimeIsNamed) {
    const MarkdownTable table = tables_in(markdown_report(sample_file()))["Wrong or not measured"].at(0);
    const MarkdownRow wrong = {"wrong", "other library", "sort u32, n = 2^28, zipf", "key 17 is out of order"};
    EXPECT_EQ(table.size(), 5u);
    EXPECT_NE(std::find(table.begin(), table.end(), wrong), table.end());
    EXPECT_FALSE(has(markdown_report(with({result(scenario(8), "vksort auto", 1)})), "Wrong or not measured"));
}

// A campaign has hundreds of sizes: a row for each, and powers of two apart.
TEST(BenchMarkdown, ManySizesHaveARowEach) {
    std::vector<json> results;
    for (uint64_t i = 0; i < 20; ++i) {
        results.push_back(result(scenario(1000003 + i), "vksort auto", 100));
        results.push_back(result(scenario(1000003 + i), "CUB radix", 200));
    }
    results.push_back(result(scenario(1 << 24), "vksort auto", 100));
    results.push_back(result(scenario(1 << 20), "vksort auto", 100));
    const std::vector<MarkdownTable> tables = tables_in(markdown_report(with(results)))["sort u32"];
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_EQ(tables[0][0], (MarkdownRow{"n", "2^20", "2^24"}));
    EXPECT_EQ(tables[1].size(), 21u);
    EXPECT_EQ(tables[1][0], (MarkdownRow{"n", "vksort auto", "CUB radix", "vksort auto to the fastest other library"}));
    EXPECT_EQ(tables[1][1], (MarkdownRow{"1,000,003", "**10.00**", "5.000", "2.00× ▲ faster"}));
    EXPECT_EQ(tables[1][20], (MarkdownRow{"1,000,022", "**10.00**", "5.000", "2.00× ▲ faster"}));
}

TEST(BenchMarkdown, EscapesWhatMarkdownInterprets) {
    using report::escape_markdown;
    EXPECT_EQ(escape_markdown("a|b *c* `d` [e](f) <g> #h ~i~ &amp; $j$ \\k"),
              R"(a\|b \*c\* \`d\` \[e\](f) \<g\> \#h \~i\~ \&amp; \$j\$ \\k)");
    EXPECT_EQ(escape_markdown("one_workgroup, _two_ \xFF\n3"), "one_workgroup, \\_two\\_ \uFFFD 3");
}

TEST(BenchMarkdown, HostileTextStaysInItsCell) {
    const std::string hostile = " | <script> **x** \n\n# y\n| z \xFF";
    json file = sample_file();
    file["device"]["name"] = file["device"]["driver"] = file["date"] = file["command"] = hostile;
    file["method"][hostile] = hostile;
    for (json& one : file["results"]) {
        one["scenario"]["distribution"] = one["scenario"]["distribution"].get<std::string>() + hostile;
        one["scenario"]["key"] = one["scenario"]["key"].get<std::string>() + hostile;
        if (one["contender"] != "copy") { // which the report knows by its name
            one["contender"] = one["contender"].get<std::string>() + hostile;
        }
        one["message"] = hostile;
    }
    const std::string page = markdown_report(file);
    EXPECT_EQ(count_of(page, "<script>"), 0u);
    EXPECT_EQ(count_of(page, "\n# "), 0u);
    EXPECT_EQ(count_of(page, "\n\n\n"), 0u);
    size_t cells = 0;
    for (const auto& [title, tables] : tables_in(page)) {
        for (const MarkdownTable& table : tables) {
            for (const MarkdownRow& row : table) {
                EXPECT_EQ(row.size(), table[0].size()) << title;
                cells += row.size();
            }
        }
    }
    size_t plain_cells = 0;
    for (const auto& [title, tables] : tables_in(markdown_report(sample_file()))) {
        for (const MarkdownTable& table : tables) {
            plain_cells += table.size() * table[0].size();
        }
    }
    EXPECT_EQ(cells, plain_cells + 2); // the hostile member of the method
}

TEST(BenchMarkdown, ProseHasAtMost125Columns) {
    size_t lines = 0;
    for (const std::string& line : lines_in(markdown_report(sample_file()))) {
        const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
        if (!line.starts_with("|") && !line.starts_with("#")) {
            EXPECT_LE(columns, 125) << line;
            EXPECT_TRUE(line.empty() || !std::isspace(static_cast<unsigned char>(line.back()))) << line;
            lines += columns > 100 ? 1 : 0;
        }
    }
    EXPECT_GT(lines, 3u);
    const std::string word(60, 'a');
    EXPECT_EQ(report::wrapped_markdown(word + " " + word + " bbb c"), word + " " + word + " bbb\nc");
    EXPECT_EQ(report::wrapped_markdown(word + " " + word + " bbbb c"), word + " " + word + "\nbbbb c");
    // A line that begins so would be an item of a list.
    EXPECT_EQ(report::wrapped_markdown(word + " " + word + " 1. - + 22) d"), word + "\n" + word + " 1. - + 22) d");
    EXPECT_EQ(report::wrapped_markdown(word + word + word), word + word + word);
}

TEST(BenchMarkdown, NoResults) {
    const std::string page = markdown_report(empty_file());
    EXPECT_TRUE(has(page, "\nThere are no results.\n"));
    EXPECT_TRUE(has(page, "Sample device"));
    EXPECT_FALSE(has(page, "Where another is faster"));
    const json least = {{"schema", 1}, {"device", {{"name", "a"}, {"driver", "b"}}}, {"results", json::array()}};
    EXPECT_TRUE(markdown_report(least).starts_with("# vksort on a, driver b\n\nThere are no results.\n\n## How it"));
    EXPECT_TRUE(has(markdown_report(least), "The results do not say how they were measured.\n"));
}

TEST(BenchMarkdown, StandsExtremes) {
    json file = with({result(scenario(0), "vksort auto", 5), result(scenario(1), "vksort auto", 1e-9),
                      result(scenario(UINT64_MAX), "vksort auto", 1e300), result(scenario(7), "CUB radix", 0, 0)});
    for (json& one : file["results"]) {
        one["items_per_second"] = 0;
        one["roofline_share"] = nullptr;
    }
    const std::string page = markdown_report(file);
    EXPECT_FALSE(has(page, "nan")) << page;
    EXPECT_FALSE(has(page, "inf")) << page;
}

class BenchMarkdownFiles : public ProgramTest {
protected:
    BenchMarkdownFiles() : ProgramTest(VKSORT_BENCH_PATH) {}

    bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
};

TEST_F(BenchMarkdownFiles, AreWrittenAloneOrBesideThePage) {
    std::ofstream(path("r.json")) << sample_file();
    ASSERT_EQ(run({"report", path("r.json"), "--markdown", path("r.md")}), 0) << text("err");
    EXPECT_EQ(text("r.md"), markdown_report(sample_file()));
    EXPECT_FALSE(exists("r.html"));
    ASSERT_EQ(run({"report", path("r.json"), path("r.html"), "--markdown", "-", "--pictures", path("p")}), 0) << text("err");
    EXPECT_EQ(text("out"), markdown_report(sample_file()));
    EXPECT_TRUE(text("r.html").starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(exists("p/sort-u32.svg"));
}

// The words are those of the HTML page, and a file that is there stays.
TEST_F(BenchMarkdownFiles, BadInputLeavesNoPart) {
    std::ofstream(path("old.md")) << "old";
    json negative = sample_file();
    negative["results"][3]["gpu_us"]["median"] = -1;
    json nameless = sample_file();
    nameless["device"].erase("name");
    const std::string broken[] = {negative.dump(), nameless.dump(), sample_file().dump().substr(0, 5000), "[]", ""};
    for (const std::string& contents : broken) {
        std::ofstream(path("r.json")) << contents;
        const int status = run({"report", path("r.json"), path("r.html")});
        const std::string error = text("err");
        EXPECT_NE(status, 0);
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
        for (const char* name : {"new.md", "old.md"}) {
            EXPECT_EQ(run({"report", path("r.json"), "--markdown", path(name)}), status);
            EXPECT_EQ(text("err"), error);
        }
        EXPECT_FALSE(exists("new.md"));
        EXPECT_EQ(text("old.md"), "old");
    }
    EXPECT_THROW(markdown_report(negative), report::SchemaError);
}

} // namespace
} // namespace vksort::bench
