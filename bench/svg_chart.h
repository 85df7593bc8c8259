// SPDX-License-Identifier: MIT
//
// Charts as SVG, inline in a page or inside a picture (svg_picture.h). They take their colours from its style sheet, by
// classes, so that they follow it into the dark.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vksort::bench::report {

// Which colour, dashes, marker and hatching: any one of them tells the first eight apart, two together the first 64.
using Style = size_t;
inline constexpr size_t kColours = 8;             // styles whose numbers differ by this have the same colour
inline constexpr Style kRooflineStyle = SIZE_MAX; // grey dots

struct LegendEntry {
    std::string name;
    Style style = 0;
};

using NumberText = std::string (*)(double);

struct Point {
    double x = 0; // all four larger than 0
    double y = 0;
    double low = 0; // a whisker from here
    double high = 0;
    std::string text; // shown on hovering
};

struct Line {
    LegendEntry name;
    std::vector<Point> points; // by x
};

// Both axes are logarithmic.
struct LineChart {
    std::string title;   // read out in place of the picture
    std::string x_title; // under the axis
    std::string y_title; // above the axis
    NumberText y_text = nullptr;
    // For ratios: what it means to lie above and below 1, which then is marked. Ratios far from 1 lie at the edge, so that
    // those near it stay legible.
    std::string above;
    std::string below;
    std::vector<Line> lines;
    double height = 290;
    double gap = 0; // on a line, markers and whiskers closer than this to the last are left out
};

struct Bar {
    Style style = 0;
    double value = 0;
    double low = 0; // a whisker from here
    double high = 0;
    std::string text; // beside the bar
};

struct BarGroup {
    std::string name;
    std::vector<Bar> bars;
};

// Parts of a whole.
struct Stack {
    std::string name;
    struct Part {
        Style style = 0;
        double value = 0;
        std::string text; // shown on hovering
    };
    std::vector<Part> parts;
};

// From here on a ratio is far from 1, either way.
inline constexpr double kFarRatio = 4;

// A chart without its frame.
struct Drawing {
    std::string svg; // empty if there is nothing to draw
    double height = 0;
};

// A chart fills its column; the width is chosen so that letters stay legible on a phone.
inline constexpr double kChartWidth = 440;

Drawing line_drawing(const LineChart& chart);
Drawing bar_drawing(const std::vector<BarGroup>& groups);

std::string line_chart(const LineChart& chart);
// Both lie on their sides and start at zero.
std::string bar_chart(const std::string& title, const std::vector<BarGroup>& groups);
std::string stack_chart(const std::string& title, const std::vector<Stack>& stacks);

std::string line_legend(const std::vector<LegendEntry>& entries);
std::string area_legend(const std::vector<LegendEntry>& entries);

// What stands before a name in a legend.
inline constexpr double kSwatchWidth = 34;
inline constexpr double kSwatchHeight = 12;
std::string line_swatch(Style style);
std::string area_swatch(Style style);

// What the charts need once in their page: rules for the style sheet, with the page's colours, and the hatchings.
std::string chart_css();
std::string chart_hatchings();
// The part of it that drawings need.
std::string drawing_css();
std::string drawing_hatchings();

} // namespace vksort::bench::report
