// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "markup.h"
#include "report.h"
#include "report_data.h"
#include "report_text.h"
#include "sample.h"

namespace {

using nlohmann::json;
using vksort::bench::html_report;

// What libxml2 says of the page, read as XML and as HTML. Its HTML is version 4: it knows none of HTML 5's elements.
std::string second_opinion(const std::string& page, const std::string& name) {
    std::ofstream(name, std::ios::binary) << page;
#ifdef XMLLINT
    const std::string command = std::string("\"") + XMLLINT + "\" --noout --nonet \"" + name + "\" 2> xmllint.txt && \"" +
                                XMLLINT + "\" --html --noout --nonet \"" + name + "\" 2>> xmllint.txt";
    const int status = std::system(command.c_str());
    std::ifstream file("xmllint.txt");
    std::string errors;
    const std::regex unknown(
        "HTML parser error : Tag "
        "(header|nav|section|figure|details|summary|svg|defs|pattern|g|path|line|rect|circle|text|title) "
        "invalid");
    for (std::string line; std::getline(file, line);) {
        if (has(line, "error") && !std::regex_search(line, unknown)) {
            errors += line + "\n";
        }
    }
    if (status != 0) {
        errors += "xmllint failed\n";
    }
    return errors;
#else
    return "";
#endif
}

void expect_well_formed(const std::string& page, const std::string& name) {
    EXPECT_EQ(markup_error(page), "");
    EXPECT_EQ(second_opinion(page, name), "");
}

// Titles of charts under the heading of a kind.
std::set<std::string> charts(const std::string& page) {
    const std::vector<std::string> titles = texts_of(page, "h3");
    return {titles.begin(), titles.end()};
}

TEST(BenchMarkup, FindsWhatIsBroken) {
    const std::string head = "<!DOCTYPE html>\n";
    EXPECT_EQ(markup_error(head + "<p class=\"a\">x &amp; <br/></p>\n"), "");
    for (const char* broken :
         {"<p>", "</p>", "<p><b></p></b>", "<p>a & b</p>", "<p class=a></p>", "<p>a < b</p>", "<p></p>text",
          "<p a=\"1\" a=\"2\"></p>", "<p id=\"a\"></p><p id=\"a\"></p>", "<p>\x01</p>", "<p title=\"<\"></p>"}) {
        EXPECT_NE(markup_error(head + broken), "") << broken;
    }
}

TEST(BenchReport, IsWellFormed) { expect_well_formed(html_report(sample_file()), "sample_report.html"); }

TEST(BenchReport, NeedsNothingElse) {
    const std::string page = html_report(sample_file());
    for (const char* outside :
         {"http", "//", "<script", "<link", "<img", "<iframe", "src=", "@import", "@font-face", "onload"}) {
        EXPECT_FALSE(has(page, outside)) << outside;
    }
    EXPECT_EQ(count_of(page, "url("), count_of(page, "url(#h"));
    EXPECT_EQ(count_of(page, "href="), count_of(page, "href=\"#"));
}

TEST(BenchReport, IsMadeForPhonesAndTheDark) {
    const std::string page = html_report(sample_file());
    EXPECT_TRUE(has(page, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"));
    EXPECT_TRUE(has(page, "@media (prefers-color-scheme:dark)"));
    EXPECT_EQ(count_of(page, "<table>"), count_of(page, "<div class=\"scroll\" tabindex=\"0\"><table>"));
}

TEST(BenchReport, HeaderNamesWhatWasMeasuredAndHow) {
    const std::string page = html_report(sample_file());
    for (const char* text :
         {"<dd>Sample device, made up for a test, discrete GPU</dd>", "<dd>sample driver 1.2.3</dd>",
          "<dd>2026-01-02T03:04:05Z</dd>", "<dd>0123abc</dd>", "<dd>0.1.0</dd>", "<dd>Release, GNU 12.2.0, -O3</dd>",
          "<dd>default</dd>", "<dd>vksort-bench --seed 7</dd>", "<dt>seed</dt><dd>7</dd>", "<dd>3350 GB/s</dd>",
          "<dt>warm up seconds</dt><dd>0.3</dd>", "<dt>verified</dt><dd>yes</dd>", "<dt>seeds</dt><dd>1, 2, 3</dd>",
          "<dt>subgroup sizes</dt><dd>32, 64</dd>", "<dt>limits shared memory</dt><dd>49152</dd>"}) {
        EXPECT_TRUE(has(page, text)) << text;
    }
}

TEST(BenchReport, EveryNumberIsThere) {
    using namespace vksort::bench;
    using namespace vksort::bench::report;
    const json file = sample_file();
    const std::string page = html_report(file);
    const size_t everything = page.find("Every figure");
    ASSERT_NE(everything, std::string::npos);
    std::set<std::string> cells; // of the last table
    for (const std::string& cell : texts_of(page.substr(everything), "td")) {
        cells.insert(cell);
    }
    for (const json& one : file["results"]) {
        for (const char* clock : {"gpu_us", "wall_us"}) {
            for (const auto& [name, value] : one[clock].items()) {
                EXPECT_TRUE(cells.contains(time_text(value))) << clock << " " << name << " " << value;
            }
        }
        if (!one["items_per_second"].is_null()) {
            EXPECT_TRUE(cells.contains(rate_text(one["items_per_second"])));
        }
        if (!one["roofline_share"].is_null()) {
            EXPECT_TRUE(cells.contains(share_text(one["roofline_share"])));
            EXPECT_TRUE(cells.contains(bytes_text(one["model_bytes"])));
            EXPECT_TRUE(cells.contains(bytes_text(one["scratch_bytes"])));
        }
        EXPECT_TRUE(cells.contains(std::to_string(one["runs"].get<int>())));
        for (const json& pass : one["passes"]) {
            EXPECT_TRUE(has(page, pass["name"].get<std::string>() + " " + time_text(pass["us"])));
        }
        EXPECT_TRUE(cells.contains(one["contender"].get<std::string>()));
        EXPECT_TRUE(cells.contains(one["status"].get<std::string>()));
        EXPECT_TRUE(has(page, one["message"].get<std::string>()));
    }
}

TEST(BenchReport, EveryChartHasItsTable) {
    const std::string page = html_report(sample_file());
    EXPECT_EQ(charts(page), (std::set<std::string>{"Throughput", "Time for small n", "Ratio to each other contender",
                                                   "Distributions", "Length of segments", "Passes", "Single sizes"}));
    size_t figures = 0;
    for (size_t at = page.find("<figure>"); at != std::string::npos; at = page.find("<figure>", at + 1), ++figures) {
        const std::string text = page.substr(at, page.find("</figure>", at) - at);
        EXPECT_EQ(count_of(text, "<svg viewBox"), 1u) << text.substr(0, 200);
        EXPECT_EQ(count_of(text, "<ul class=\"legend\">"), 1u) << text.substr(0, 200);
        EXPECT_EQ(count_of(text, "<table>"), 1u) << text.substr(0, 200);
    }
    EXPECT_EQ(figures, 12u);
}

TEST(BenchReport, LeavesOutChartsWithoutData) {
    EXPECT_EQ(charts(html_report(with({result(scenario(1 << 20), "vksort auto", 50)}))),
              (std::set<std::string>{"Single sizes"}));
    EXPECT_EQ(charts(html_report(
                  with({result(scenario(1 << 20), "vksort auto", 50), result(scenario(1 << 24), "vksort auto", 500)}))),
              (std::set<std::string>{"Throughput"}));
    EXPECT_EQ(
        charts(html_report(with({result(scenario(1 << 10), "CUB radix", 50), result(scenario(1 << 12), "CUB radix", 60)}))),
        (std::set<std::string>{"Throughput", "Time for small n"}));
    EXPECT_EQ(charts(html_report(with(
                  {result(scenario(1 << 20), "vksort auto", 50), result(scenario(1 << 20, "zipf"), "vksort auto", 60)}))),
              (std::set<std::string>{"Distributions"}));
    // One small size makes no curve.
    EXPECT_EQ(
        charts(html_report(with({result(scenario(1 << 10), "CUB radix", 50), result(scenario(1 << 20), "CUB radix", 60)}))),
        (std::set<std::string>{"Throughput"}));
    // A result that is not valid is no data.
    json wrong = result(scenario(1 << 24), "vksort auto", 500);
    wrong["status"] = "wrong";
    const std::string page = html_report(with({result(scenario(1 << 20), "vksort auto", 50), wrong}));
    EXPECT_EQ(charts(page), (std::set<std::string>{"Single sizes"}));
    EXPECT_TRUE(has(page, "Wrong or not measured"));
}

// A range of bits is a kind of its own, with charts of its own.
TEST(BenchReport, BitsAreNotMixed) {
    const auto part = [](uint64_t count, const char* distribution = "uniform") {
        json where = scenario(count, distribution);
        where["begin_bit"] = 16;
        where["end_bit"] = 32;
        return result(where, "vksort auto", 40);
    };
    const json all = result(scenario(1 << 20), "vksort auto", 50);
    EXPECT_EQ(charts(html_report(with({all, part(1 << 24)}))), (std::set<std::string>{"Single sizes"}));
    EXPECT_EQ(charts(html_report(with({all, part(1 << 20, "zipf")}))), (std::set<std::string>{"Single sizes"}));
    const std::string page = html_report(with({all, part(1 << 20), part(1 << 24)}));
    EXPECT_EQ(charts(page), (std::set<std::string>{"Single sizes", "Throughput"}));
    EXPECT_TRUE(has(page, ">sort u32, bits 16 to 31</h2>"));
    EXPECT_FALSE(has(page, ">sort u32</h2>"));
}

TEST(BenchReport, LossesAreAsPlainAsWins) {
    const std::string page = html_report(with({
        result(scenario(1 << 20), "vksort auto", 100), result(scenario(1 << 20), "CUB radix", 80),  // 0.80
        result(scenario(1 << 22), "vksort auto", 100), result(scenario(1 << 22), "CUB radix", 150), // 1.50
        result(scenario(1 << 24), "vksort auto", 100), result(scenario(1 << 24), "CUB radix", 101), // within the noise
    }));
    EXPECT_TRUE(has(page, "<th scope=\"row\" class=\"w\">vksort auto against CUB radix</th><td class=\"n win\">1</td>"
                          "<td class=\"n loss\">1</td><td class=\"n\">1</td>"));
    // In the table of the curve, in that of the ratios, and, the loss, in the list of losses.
    EXPECT_EQ(count_of(page, "<td class=\"n win\">1.50× ▲ faster</td>"), 2u);
    EXPECT_EQ(count_of(page, "<td class=\"n loss\">0.80× ▼ slower</td>"), 3u);
    EXPECT_EQ(count_of(page, "<td class=\"n\">1.01× ≈ same</td>"), 2u);
    EXPECT_TRUE(has(page, "Where vksort auto is slower (1 rows)"));
    EXPECT_TRUE(has(page, ">vksort auto is faster</text>"));
    EXPECT_TRUE(has(page, ">vksort auto is slower</text>"));
}

TEST(BenchReport, RatiosToOtherLibrariesComeFirst) {
    const std::string page = html_report(sample_file());
    EXPECT_TRUE(has(page, "<th scope=\"col\">n</th><th scope=\"col\" class=\"n\">to CUB radix</th>"
                          "<th scope=\"col\" class=\"n\">to std::sort (wall clock)</th>"
                          "<th scope=\"col\" class=\"n\">to vksort onesweep</th>"));
    EXPECT_TRUE(has(page, "<tr><th scope=\"row\">2¹⁰</th><td class=\"n win\">1.48× ▲ faster</td><td class=\"n win\">2.81×"));
}

TEST(BenchReport, SaysWhatWasTimedByTheWallClock) {
    json wall = result(scenario(1 << 20), "std::sort", 100);
    wall["gpu_us"] = nullptr;
    const std::string page = html_report(
        with({wall, result(scenario(1 << 20, "zipf"), "vksort auto", 60), result(scenario(1 << 20), "vksort auto", 60)}));
    EXPECT_TRUE(has(page, "std::sort (wall clock)"));
    EXPECT_FALSE(has(page, "vksort auto (wall clock)"));
    EXPECT_TRUE(has(html_report(sample_file()), "std::sort (wall clock)")); // though one of its results has no time
}

TEST(BenchReport, EscapesHostileText) {
    const std::string hostile = "<script>alert(\"1\")</script>'&\x1B\xFF\"><b onload=x>";
    json file = sample_file();
    for (const char* member : {"name", "driver", "driver_version", "type", "queue"}) {
        file["device"][member] = hostile;
    }
    file["device"][hostile] = hostile;
    for (const char* member : {"version", "commit", "build_type", "compiler", "flags"}) {
        file["program"][member] = hostile;
    }
    file["date"] = file["command"] = file["preset"] = hostile;
    file["method"][hostile] = {{hostile, hostile}, {"list", {hostile}}};
    for (json& one : file["results"]) {
        for (const char* member : {"operation", "key", "distribution"}) {
            one["scenario"][member] = one["scenario"][member].get<std::string>() + hostile;
        }
        one["scenario"][hostile] = hostile;
        one["contender"] = one["contender"].get<std::string>() + hostile;
        one["message"] = hostile;
        for (json& pass : one["passes"]) {
            pass["name"] = pass["name"].get<std::string>() + hostile;
        }
    }
    file["results"].back()["status"] = hostile;
    const std::string page = html_report(file);
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_FALSE(has(page, "<b "));
    EXPECT_TRUE(has(page, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;\xEF\xBF\xBD\xEF\xBF\xBD&quot;&gt;"));
    expect_well_formed(page, "hostile_report.html");
}

TEST(BenchReport, NoResults) {
    const std::string page = html_report(empty_file());
    expect_well_formed(page, "empty_report.html");
    EXPECT_TRUE(has(page, "<p>There are no results.</p>"));
    EXPECT_TRUE(has(page, "Sample device"));
    EXPECT_FALSE(has(page, "<table>"));
    // The least that the schema allows.
    const json least = {{"schema", 1}, {"device", {{"name", "a"}, {"driver", "b"}}}, {"results", json::array()}};
    expect_well_formed(html_report(least), "least_report.html");
}

TEST(BenchReport, RefusesWhatIsNotTheSchema) {
    json file = sample_file();
    file["schema"] = 2;
    EXPECT_THROW(html_report(file), vksort::bench::report::SchemaError);
    EXPECT_THROW(html_report(json()), vksort::bench::report::SchemaError);
}

TEST(BenchReport, StandsExtremes) {
    json file = with({result(scenario(0), "vksort auto", 5), result(scenario(1), "vksort auto", 1e-9),
                      result(scenario(UINT64_MAX), "vksort auto", 1e300), result(scenario(7), "CUB radix", 0, 0)});
    for (json& one : file["results"]) {
        one["items_per_second"] = 0;
        one["roofline_share"] = nullptr;
    }
    const std::string page = html_report(file);
    expect_well_formed(page, "extreme_report.html");
    EXPECT_FALSE(has(page, "nan")) << page;
    EXPECT_FALSE(has(page, "\"inf"));
}

} // namespace
