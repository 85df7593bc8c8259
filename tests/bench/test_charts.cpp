// SPDX-License-Identifier: MIT
#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "markup.h"
#include "report_data.h"
#include "report_text.h"
#include "svg_chart.h"

namespace {

using namespace vksort::bench;
using namespace vksort::bench::report;

// Every number that stands in the first group of `pattern`.
std::vector<double> numbers(const std::string& text, const std::string& pattern) {
    std::vector<double> found;
    const std::regex regex(pattern);
    for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) {
        found.push_back(std::stod((*i)[1]));
    }
    return found;
}

LineChart chart_of(const std::vector<Point>& points) {
    LineChart chart;
    chart.title = "title";
    chart.x_title = "n";
    chart.y_title = "rate";
    chart.y_text = number_text;
    chart.lines.resize(1);
    chart.lines[0].points = points;
    return chart;
}

TEST(BenchCharts, AxesAreLogarithmic) {
    const std::string svg =
        line_chart(chart_of({{1024, 1, 1, 1, ""}, {1 << 15, 10, 10, 10, ""}, {1 << 20, 100, 100, 100, ""}}));
    const std::vector<double> x = numbers(svg, R"re(translate\(([0-9.]+))re");
    const std::vector<double> y = numbers(svg, R"re(translate\([0-9.]+ ([0-9.]+))re");
    ASSERT_EQ(x.size(), 3u);
    EXPECT_LT(x[0], x[1]);
    EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.21);
    EXPECT_GT(y[0], y[1]); // up is more
    EXPECT_NEAR(y[0] - y[1], y[1] - y[2], 0.21);
    const std::vector<std::string> texts = texts_of(svg, "text");
    for (const char* tick : {"2¹⁰", "2¹²", "2²⁰", "1", "10", "100"}) {
        EXPECT_NE(std::find(texts.begin(), texts.end(), tick), texts.end()) << tick;
    }
}

TEST(BenchCharts, TicksLieInThePictureAndAreFew) {
    for (double low : {1e-9, 0.013, 0.97, 1.0, 1.02, 7.7, 1e9}) {
        for (double factor : {1.0, 1.0001, 1.03, 1.3, 2.0, 9.0, 77.0, 1e4, 1e12}) {
            const std::string svg =
                line_chart(chart_of({{low, low, low, low, ""}, {low * factor, low * factor, low, low, ""}}));
            const std::vector<double> grid = numbers(svg, R"re(class="grid" x1="62.0" y1="([0-9.]+)")re");
            EXPECT_GE(grid.size(), 1u) << low << " " << factor;
            EXPECT_LE(grid.size(), 8u) << low << " " << factor;
            for (double y : numbers(svg, R"re(y1="([-0-9.]+)")re")) {
                EXPECT_TRUE(y >= 25 && y <= 249) << svg;
            }
            for (double x : numbers(svg, R"re(x1="([-0-9.]+)")re")) {
                EXPECT_TRUE(x >= 61 && x <= 429) << svg;
            }
            EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
            EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
        }
    }
}

TEST(BenchCharts, RatiosShowOneAndBothSides) {
    LineChart chart = chart_of({{1024, 0.5, 0.5, 0.5, ""}, {2048, 0.9, 0.9, 0.9, ""}});
    chart.above = "faster";
    chart.below = "slower";
    const std::string svg = line_chart(chart); // all below 1, and yet 1 is in it
    const std::vector<double> one = numbers(svg, R"re(class="one" x1="[0-9.]+" y1="([0-9.]+)")re");
    ASSERT_EQ(one.size(), 1u);
    EXPECT_GT(one[0], 30); // in the picture
    for (double y : numbers(svg, R"re(translate\([0-9.]+ ([0-9.]+))re")) {
        EXPECT_GT(y, one[0]);
    }
    EXPECT_NE(svg.find(">faster<"), std::string::npos);
    EXPECT_NE(svg.find(">slower<"), std::string::npos);
}

TEST(BenchCharts, FarRatiosLieAtTheEdge) {
    LineChart chart = chart_of({{1024, 1.1, 1.1, 1.1, ""},
                                {2048, 4, 4, 4, ""},
                                {4096, 3000, 3000, 3000, ""},
                                {8192, 0.001, 0.001, 0.001, ""},
                                {16384, 0.25, 0.25, 0.25, ""}});
    chart.above = "faster";
    chart.below = "slower";
    const std::vector<double> y = numbers(line_chart(chart), R"re(translate\([0-9.]+ ([0-9.]+))re");
    ASSERT_EQ(y.size(), 5u);
    EXPECT_EQ(y[1], y[2]);
    EXPECT_EQ(y[3], y[4]);
    EXPECT_LT(y[1], y[0]);
    EXPECT_LT(y[0], y[3]);
}

TEST(BenchCharts, BarsAndStacksStartAtZero) {
    const std::string bars = bar_chart("t", {{"keys", {{0, 100, 100, 100, "a"}, {1, 25, 25, 25, "b"}}}});
    const std::vector<double> widths = numbers(bars, R"re(class="area" x="1.0" y="[0-9.]+" width="([0-9.]+)")re");
    ASSERT_EQ(widths.size(), 2u);
    EXPECT_NEAR(widths[1] / widths[0], 0.25, 0.001);
    const std::string stacks = stack_chart("t", {{"one", {{0, 30, ""}, {1, 10, ""}}}, {"two", {{0, 20, ""}}}});
    const std::vector<double> parts = numbers(stacks, R"re(class="area" x="[0-9.]+" y="[0-9.]+" width="([0-9.]+)")re");
    const std::vector<double> starts = numbers(stacks, R"re(class="area" x="([0-9.]+)")re");
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_NEAR(parts[1] / parts[0], 1.0 / 3, 0.002);
    EXPECT_NEAR(parts[2] / parts[0], 2.0 / 3, 0.002);
    EXPECT_NEAR(starts[1], starts[0] + parts[0], 0.11);
    EXPECT_EQ(starts[2], starts[0]);
}

TEST(BenchCharts, NothingToDraw) {
    EXPECT_EQ(line_chart(chart_of({})), "");
    EXPECT_EQ(bar_chart("t", {{"keys", {{0, 0, 0, 0, ""}}}}), "");
    EXPECT_EQ(stack_chart("t", {{"one", {}}}), "");
}

TEST(BenchCharts, ManySeriesStayApart) {
    std::vector<LegendEntry> entries;
    for (Style style = 0; style < 64; ++style) {
        entries.push_back({"name", style});
    }
    for (const std::string& legend : {line_legend(entries), area_legend(entries)}) {
        const std::regex swatch("<svg class=\"swatch.*?</svg>");
        std::set<std::string> swatches;
        for (std::sregex_iterator i(legend.begin(), legend.end(), swatch), end; i != end; ++i) {
            swatches.insert(i->str());
        }
        EXPECT_EQ(swatches.size(), 64u);
    }
}

TEST(BenchText, Numbers) {
    EXPECT_EQ(number_text(0), "0");
    EXPECT_EQ(number_text(1234567), "1234567");
    EXPECT_EQ(number_text(12.3456), "12.35");
    EXPECT_EQ(number_text(0.00123456), "0.001235");
    EXPECT_EQ(rate_text(34.56e9), "34.56 G/s");
    EXPECT_EQ(time_text(485.44), "485.4 µs");
    EXPECT_EQ(time_text(6427.2), "6.427 ms");
    EXPECT_EQ(bytes_text(1023), "1023 B");
    EXPECT_EQ(bytes_text(1536), "1.500 KiB");
    EXPECT_EQ(ratio_text(0.854), "0.85×");
    EXPECT_EQ(raised_count_text(1 << 24), "2²⁴");
    EXPECT_EQ(raised_count_text(1000000), "1,000,000");
    EXPECT_EQ(raised_count_text(512), "512");
    EXPECT_EQ(segment_text(1048576), "2^20");
    EXPECT_EQ(segment_text(12.5), "12.5");
}

TEST(BenchText, Escaping) {
    EXPECT_EQ(escape("<a href=\"x\">&'</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
    EXPECT_EQ(escape("µ€😀\n\t"), "µ€😀\n\t");
    const std::string bad = "\xEF\xBF\xBD";
    EXPECT_EQ(escape(std::string("a\0b", 3)), "a" + bad + "b");
    EXPECT_EQ(escape("\x1B[31m\x7F"), bad + "[31m" + bad);
    EXPECT_EQ(escape("\xFF<"), bad + "&lt;");
    EXPECT_EQ(escape("\xC3"), bad);                     // cut short
    EXPECT_EQ(escape("\xE2\x82<"), bad + bad + "&lt;"); // cut short by a tag
    EXPECT_EQ(escape("\xC0\xBC"), bad + bad);           // an overlong <
    EXPECT_EQ(escape("\xED\xA0\x80"), bad + bad + bad); // a surrogate
    EXPECT_EQ(escape("\xE2\x80\xAE"
                     "abc"),
              bad + bad + bad + "abc"); // right to left
}

} // namespace
