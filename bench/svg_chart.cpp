// SPDX-License-Identifier: MIT
#include "svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "report_text.h"

namespace vksort::bench::report {

namespace {

// In the chart's own units.
constexpr double kWidth = kChartWidth;
constexpr double kLeft = 62;
constexpr double kRight = kWidth - 12;
constexpr double kTop = 26;
constexpr double kBelow = 42;   // the height less the bottom of the axes
constexpr double kRowText = 18; // the line above bars
constexpr double kBar = 15;
constexpr double kStack = 26;
constexpr double kGroupGap = 10;
constexpr double kBarRight = kWidth - 80; // a bar's figure stands behind its end
constexpr size_t kStyles = kColours;
constexpr size_t kMostTicks = 8;

struct Look {
    const char* dashes;
    const char* marker; // around the origin
};

constexpr Look kLooks[kStyles] = {
    {"none", "M-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z"},
    {"7 3", "M-3.3-3.3h6.6v6.6h-6.6z"},
    {"2 3", "M0-4.4l4.2 7.6h-8.4z"},
    {"9 3 2 3", "M0-4.8l4.2 4.8-4.2 4.8-4.2-4.8z"},
    {"5 2 1 2 1 2", "M-3.4-3.4l6.8 6.8M3.4-3.4l-6.8 6.8"},
    {"12 4", "M-4.4 0h8.8M0-4.4v8.8"},
    {"4 4", "M0 4.4l4.2-7.6h-8.4z"},
    {"1 3", "M-3.8-3.8h7.6l-7.6 7.6h7.6z"},
};

// After the first eight the same colours come with other dashes, markers and hatchings.
size_t colour_of(Style style) { return style % kStyles; }
size_t shape_of(Style style) { return (style % kStyles + style / kStyles) % kStyles; }

std::string classes(Style style) {
    return style == kRooflineStyle ? "roof" : fmt::format("c{} d{}", colour_of(style), shape_of(style));
}

std::string marker(Style style, double x, double y, const std::string& title = "") {
    if (style == kRooflineStyle) {
        return title.empty()
                   ? ""
                   : fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\">{}</circle>", x, y, title);
    }
    const size_t shape = shape_of(style);
    return fmt::format("<path class=\"mark{}\" transform=\"translate({:.1f} {:.1f})\" d=\"{}\">{}</path>",
                       shape == 4 || shape == 5 ? " open" : "", x, y, kLooks[shape].marker, title);
}

// The colour, and the hatching over it.
std::string area(Style style, double x, double y, double width, double height, const std::string& title = "") {
    const std::string place =
        fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", x, y, std::max(width, 0.5), height);
    std::string svg = fmt::format("<rect class=\"area\" {}>{}</rect>", place, title);
    if (style != kRooflineStyle && shape_of(style) != 0) {
        svg += fmt::format("<rect class=\"hatch\" {} fill=\"url(#h{})\"/>", place, shape_of(style));
    }
    return svg;
}

std::string title_of(const std::string& text) { return text.empty() ? "" : "<title>" + escape(text) + "</title>"; }

std::string text_at(double x, double y, const char* anchor, const std::string& text, const char* style = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, style,
                       escape(text));
}

std::string line_at(const char* style, double x1, double y1, double x2, double y2) {
    return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style, x1, y1, x2,
                       y2);
}

std::string framed(const Drawing& drawing, const std::string& title) {
    return drawing.svg.empty()
               ? ""
               : fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n", kWidth,
                             drawing.height, escape(title), drawing.svg);
}

// A logarithmic axis from low to high, at `from` and `to` in the picture.
class Axis {
public:
    Axis(double low, double high, double from, double to)
        : low_(std::log(low)), high_(std::log(high)), from_(from), to_(to) {}
    double operator()(double value) const { return from_ + (std::log(value) - low_) / (high_ - low_) * (to_ - from_); }

private:
    double low_, high_, from_, to_;
};

// The closest round numbers in the range of which there are not too many.
std::vector<double> round_ticks(double low, double high) {
    static const std::vector<double> kSteps[] = {{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.2, 2.4, 2.6, 2.8,
                                                  3, 3.5, 4,   4.5, 5,   5.5, 6,   6.5, 7,   7.5, 8, 8.5, 9,   9.5},
                                                 {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9},
                                                 {1, 1.5, 2, 3, 4, 5, 7},
                                                 {1, 2, 5},
                                                 {1, 3},
                                                 {1}};
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::floor(std::log10(high)));
    std::vector<double> ticks;
    for (int stride = 1;; ++stride) { // of decades
        for (const std::vector<double>& steps : kSteps) {
            ticks.clear();
            for (int decade = first; decade <= last; decade += stride) {
                for (double step : steps) {
                    const double tick = step * std::pow(10, decade);
                    if (tick >= low * 0.999999 && tick <= high * 1.000001) {
                        ticks.push_back(tick);
                    }
                }
            }
            if (ticks.size() < 2 && &steps == kSteps && stride == 1) {
                return {low, high}; // nothing round in so narrow a range
            }
            if (ticks.size() <= kMostTicks) {
                return ticks;
            }
        }
    }
}

// Powers of two, every one or every few; the ends themselves where no two fall between them.
std::vector<std::pair<double, std::string>> power_ticks(double low, double high) {
    const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
    if (last <= first) {
        return {{low, fmt::format("{:g}", low)}, {high, fmt::format("{:g}", high)}};
    }
    const int stride = (last - first) / static_cast<int>(kMostTicks) + 1;
    std::vector<std::pair<double, std::string>> ticks;
    for (int exponent = first; exponent <= last; exponent += stride) {
        ticks.emplace_back(std::exp2(exponent), raised_power_text(exponent));
    }
    return ticks;
}

// Short enough for an axis: no zeros behind the point.
std::string tick_text(NumberText text, double value) {
    std::string label = text(value);
    const size_t point = label.find('.');
    if (point == std::string::npos) {
        return label;
    }
    size_t end = label.find_first_not_of("0123456789", point + 1);
    end = end == std::string::npos ? label.size() : end;
    size_t kept = end;
    while (label[kept - 1] == '0') {
        --kept;
    }
    kept -= label[kept - 1] == '.' ? 1 : 0;
    return label.erase(kept, end - kept);
}

struct Range {
    double low = HUGE_VAL;
    double high = 0;
    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    // A margin by factors, and room around a range that is a point.
    Range widened(double factor) const {
        const double least = high / low < 1.05 ? std::max(factor, 1.2) : factor;
        return {low / least, high * least};
    }
};

std::string line_svg(const Line& line, const Axis& x, const Axis& y, double gap) {
    std::string svg = fmt::format("<g class=\"{}\">\n", classes(line.name.style));
    std::string path;
    std::string whiskers;
    std::string marks;
    double marked = -gap;
    for (const Point& point : line.points) {
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(point.x), y(point.y));
        if (x(point.x) < marked + gap) {
            continue;
        }
        marked = x(point.x);
        if (point.low < point.high) {
            whiskers += line_at("whisker", x(point.x), y(point.low), x(point.x), y(point.high));
        }
        marks += marker(line.name.style, x(point.x), y(point.y), title_of(point.text)) + "\n";
    }
    if (line.points.size() > 1) {
        svg += fmt::format("<path class=\"line\" d=\"{}\"/>\n", path);
    }
    return svg + whiskers + marks + "</g>\n";
}

std::string legend(const std::vector<LegendEntry>& entries, std::string (*swatch)(Style)) {
    std::string html = "<ul class=\"legend\">\n";
    for (const LegendEntry& entry : entries) {
        html += fmt::format("<li><svg class=\"swatch\" viewBox=\"0 0 {:.0f} {:.0f}\" aria-hidden=\"true\">{}</svg>{}</li>\n",
                            kSwatchWidth, kSwatchHeight, swatch(entry.style), escape(entry.name));
    }
    return html + "</ul>\n";
}

} // namespace

Drawing line_drawing(const LineChart& chart) {
    Range xs;
    Range ys;
    const bool ratios = !chart.above.empty();
    std::vector<Line> lines = chart.lines;
    for (Line& line : lines) {
        for (Point& point : line.points) {
            xs.include(point.x);
            for (double* value : {&point.y, &point.low, &point.high}) {
                *value = ratios ? std::clamp(*value, 1 / kFarRatio, kFarRatio) : *value;
                ys.include(*value);
            }
        }
    }
    if (ratios) { // both sides are always there
        ys.include(1 / 1.25);
        ys.include(1.25);
    }
    if (lines.empty() || ys.high == 0) {
        return {};
    }
    const double bottom = chart.height - kBelow;
    const Range x_range = xs.widened(std::pow(xs.high / xs.low, 0.03));
    const Range y_range = ys.widened(std::pow(ys.high / ys.low, ratios ? 0.12 : 0.06));
    const Axis x(x_range.low, x_range.high, kLeft, kRight);
    const Axis y(y_range.low, y_range.high, bottom, kTop);

    std::string svg;
    if (ratios) {
        svg += fmt::format("<rect class=\"win-side\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.1f}\"/>\n",
                           kLeft, kTop, kRight - kLeft, y(1) - kTop);
        svg += fmt::format("<rect class=\"loss-side\" x=\"{:.0f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.1f}\"/>\n",
                           kLeft, y(1), kRight - kLeft, bottom - y(1));
    }
    for (double tick : round_ticks(y_range.low, y_range.high)) {
        svg += line_at("grid", kLeft, y(tick), kRight, y(tick));
        svg += text_at(kLeft - 6, y(tick) + 4, "end", tick_text(chart.y_text, tick));
    }
    for (const auto& [tick, text] : power_ticks(xs.low, xs.high)) {
        svg += line_at("grid", x(tick), kTop, x(tick), bottom);
        svg += text_at(x(tick), bottom + 16, "middle", text);
    }
    svg += line_at("axis", kLeft, bottom, kRight, bottom);
    svg += line_at("axis", kLeft, kTop, kLeft, bottom);
    svg += text_at(2, 14, "start", chart.y_title);
    svg += text_at((kLeft + kRight) / 2, chart.height - 8, "middle", chart.x_title);
    if (ratios) {
        svg += line_at("one", kLeft, y(1), kRight, y(1));
        svg += text_at(kLeft + 6, kTop + 14, "start", chart.above, " class=\"side\"");
        svg += text_at(kLeft + 6, bottom - 6, "start", chart.below, " class=\"side\"");
    }
    for (const Line& line : lines) {
        svg += line_svg(line, x, y, chart.gap);
    }
    return {svg, chart.height};
}

Drawing bar_drawing(const std::vector<BarGroup>& groups) {
    double most = 0;
    double height = 4;
    for (const BarGroup& group : groups) {
        height += kRowText + kBar * static_cast<double>(group.bars.size()) + kGroupGap;
        for (const Bar& bar : group.bars) {
            most = std::max({most, bar.value, bar.high});
        }
    }
    if (most == 0) {
        return {};
    }
    std::string svg;
    double top = 4;
    for (const BarGroup& group : groups) {
        svg += text_at(0, top + kRowText - 4, "start", group.name, " class=\"row\"");
        top += kRowText;
        const double first = top;
        for (const Bar& bar : group.bars) {
            const double middle = top + kBar / 2;
            svg += fmt::format("<g class=\"{}\">", classes(bar.style));
            svg += area(bar.style, 1, top + 1, bar.value / most * kBarRight, kBar - 2);
            if (bar.low < bar.high) {
                svg += line_at("whisker", 1 + bar.low / most * kBarRight, middle, 1 + bar.high / most * kBarRight, middle);
            }
            svg += "</g>\n";
            svg += text_at(6 + std::max(bar.value, bar.high) / most * kBarRight, middle + 4, "start", bar.text);
            top += kBar;
        }
        svg += line_at("axis", 1, first, 1, top);
        top += kGroupGap;
    }
    return {svg, height};
}

std::string line_chart(const LineChart& chart) { return framed(line_drawing(chart), chart.title); }

std::string bar_chart(const std::string& title, const std::vector<BarGroup>& groups) {
    return framed(bar_drawing(groups), title);
}

std::string stack_chart(const std::string& title, const std::vector<Stack>& stacks) {
    double most = 0;
    for (const Stack& stack : stacks) {
        double whole = 0;
        for (const Stack::Part& part : stack.parts) {
            whole += part.value;
        }
        most = std::max(most, whole);
    }
    if (most == 0) {
        return "";
    }
    std::string svg;
    double top = 4;
    for (const Stack& stack : stacks) {
        svg += text_at(0, top + kRowText - 4, "start", stack.name, " class=\"row\"");
        top += kRowText;
        double left = 1;
        for (const Stack::Part& part : stack.parts) {
            const double width = part.value / most * (kWidth - 2);
            svg += fmt::format("<g class=\"{}\">{}</g>\n", classes(part.style),
                               area(part.style, left, top, width, kStack, title_of(part.text)));
            left += width;
        }
        top += kStack + kGroupGap;
    }
    return framed({svg, top}, title);
}

std::string line_swatch(Style style) {
    return fmt::format("<g class=\"{}\"><path class=\"line\" d=\"M0 {}H{}\"/>{}</g>", classes(style), kSwatchHeight / 2,
                       kSwatchWidth, marker(style, kSwatchWidth / 2, kSwatchHeight / 2));
}

std::string area_swatch(Style style) {
    return fmt::format("<g class=\"{}\">{}</g>", classes(style), area(style, 0, 0, kSwatchWidth, kSwatchHeight));
}

std::string line_legend(const std::vector<LegendEntry>& entries) { return legend(entries, line_swatch); }

std::string area_legend(const std::vector<LegendEntry>& entries) { return legend(entries, area_swatch); }

// Colours chosen so that any two stay apart in simulations of the three kinds of colour blindness (Machado, Oliveira and
// Fernandes 2009), and from the paper by a contrast of 3 to 1.
std::string drawing_css() {
    std::string css =
        ":root{--paper:#fff;--ink:#1a1a1a;--dim:#666;--rule:#ddd;--win:#0072b2;--loss:#b84c00}\n"
        "@media (prefers-color-scheme:dark){:root{--paper:#14161a;--ink:#e8e8e8;--dim:#a0a6ae;--rule:#343a42;--win:#6bb8f5;"
        "--loss:#ff9a5c}}\n"
        ":root{--c0:#0072b2;--c1:#d55e00;--c2:#1da756;--c3:#ad5384;--c4:#833301;--c5:#0098fb;--c6:#5c543a;--c7:#5c213e}\n"
        "@media (prefers-color-scheme:dark){:root{--c0:#4ba3e3;--c1:#ff8b4d;--c2:#59ffa1;--c3:#bba6af;--c4:#ffc213;"
        "--c5:#b1daff;--c6:#d33a66;--c7:#fffbef}}\n"
        "svg{fill:var(--ink)}\n"
        "svg text{font-size:11px;fill:var(--ink)}\n"
        "svg .row{font-weight:600}\n"
        "svg .side{fill:var(--dim)}\n"
        ".grid{stroke:var(--rule);stroke-width:1}\n"
        ".axis{stroke:var(--dim);stroke-width:1}\n"
        ".one{stroke:var(--ink);stroke-width:1.5}\n"
        ".win-side{fill:var(--win);opacity:.08}\n"
        ".loss-side{fill:var(--loss);opacity:.08}\n"
        ".line{fill:none;stroke:var(--c);stroke-width:2}\n"
        ".whisker{stroke:var(--c);stroke-width:1.2;opacity:.75}\n"
        ".area+.whisker,.hatch+.whisker{stroke:var(--ink);opacity:1}\n"
        ".mark{fill:var(--c);stroke:var(--c);stroke-width:1.4}\n"
        ".mark.open{fill:none;stroke-width:2}\n"
        ".area{fill:var(--c);stroke:var(--paper);stroke-width:1}\n"
        ".roof{--c:var(--dim)}\n"
        ".roof .line{stroke-dasharray:1 4;stroke-linecap:round}\n"
        ".dot{fill:var(--c)}\n"
        ".hatching{stroke:var(--paper);stroke-width:1.3;opacity:.7;fill:none}\n";
    for (size_t i = 0; i < kStyles; ++i) {
        css += fmt::format(".c{}{{--c:var(--c{})}}\n.d{} .line{{stroke-dasharray:{}}}\n", i, i, i, kLooks[i].dashes);
    }
    return css;
}

std::string chart_css() {
    return drawing_css() +
           "svg{display:block;width:100%;height:auto}\n"
           "@media (max-width:47.99rem){svg text{font-size:14px}}\n"
           ".legend{list-style:none;margin:.4rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;font-size:.9rem}\n"
           ".legend li{overflow-wrap:anywhere}\n"
           ".swatch{display:inline-block;width:34px;height:12px;margin-right:.4rem;overflow:visible}\n"
           ".hatchings{position:absolute;width:0;height:0}\n";
}

std::string drawing_hatchings() {
    constexpr const char* kLines[kStyles] = {"",
                                             "M0 8L8 0",
                                             "M0 0L8 8",
                                             "M0 2H8M0 6H8",
                                             "M2 0V8M6 0V8",
                                             "M0 0L8 8M0 8L8 0",
                                             "M4 2v2M0 6v2M8 6v2",
                                             "M4 0V8M0 4H8"};
    std::string svg = "<defs>\n";
    for (size_t i = 1; i < kStyles; ++i) {
        svg += fmt::format("<pattern id=\"h{}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
                           "<path class=\"hatching\" d=\"{}\"/></pattern>\n",
                           i, kLines[i]);
    }
    return svg + "</defs>\n";
}

std::string chart_hatchings() { return "<svg class=\"hatchings\" aria-hidden=\"true\">" + drawing_hatchings() + "</svg>\n"; }

} // namespace vksort::bench::report
