// SPDX-License-Identifier: MIT
#include "svg_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "report_text.h"

namespace vksort::bench::report {

namespace {

// In the chart's units. Widths of text can only be guessed: the reader's font is not known here.
constexpr double kMargin = 14;
constexpr double kTitleLine = 20;
constexpr double kNoteLine = 15;
constexpr double kLegendLine = 18;
constexpr double kLetter = 6.4; // of most sans-serifs at the charts' size, less
constexpr double kSwatchGap = 6;
constexpr double kEntryGap = 18;
constexpr double kScale = 1.25; // to the size that an <img> without a width has

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

double width_of(std::string_view text) {
    return kLetter * static_cast<double>(std::count_if(text.begin(), text.end(), begins_letter));
}

// The bytes of the letters that fit.
size_t fitting(std::string_view text, double width) {
    double used = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        used += begins_letter(text[i]) ? kLetter : 0;
        if (used > width) {
            return i;
        }
    }
    return text.size();
}

std::string shortened(const std::string& text, double width) {
    return width_of(text) <= width ? text : text.substr(0, fitting(text, width - kLetter)) + "…";
}

// Between words, where there are any.
std::vector<std::string> wrapped(std::string_view text, double width) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        size_t end = fitting(text, width);
        if (end < text.size()) {
            const size_t space = text.rfind(' ', end);
            end = space == std::string_view::npos || space == 0 ? std::max<size_t>(end, 1) : space;
        }
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    }
    return lines;
}

// Grows downwards.
struct Sheet {
    std::string svg;
    double bottom = kMargin;

    void write(const std::string& text, double line, const char* style) {
        bottom += line;
        svg += fmt::format("<text class=\"{}\" x=\"{:.0f}\" y=\"{:.1f}\">{}</text>\n", style, kMargin, bottom - 5,
                           escape(text));
    }
};

void add_legend(Sheet& sheet, const std::vector<LegendEntry>& entries, std::string (*swatch)(Style)) {
    const double before_name = kSwatchWidth + kSwatchGap;
    double x = 0;
    for (const LegendEntry& entry : entries) {
        const std::string name = shortened(entry.name, kChartWidth - before_name);
        const double width = before_name + width_of(name);
        if (x == 0 || x + width > kChartWidth) {
            x = 0;
            sheet.bottom += kLegendLine;
        }
        sheet.svg +=
            fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}<text x=\"{:.0f}\" y=\"10\">{}</text></g>\n",
                        kMargin + x, sheet.bottom - kSwatchHeight - 2, swatch(entry.style), before_name, escape(name));
        x += width + kEntryGap;
    }
}

std::string framed(const Picture& picture, const Drawing& drawing, std::string (*swatch)(Style)) {
    if (drawing.svg.empty()) {
        return "";
    }
    Sheet sheet;
    sheet.write(shortened(picture.title, kChartWidth * 0.8), kTitleLine, "title");
    for (const std::string& note : picture.notes) {
        for (const std::string& line : wrapped(note, kChartWidth)) {
            sheet.write(line, kNoteLine, "side");
        }
    }
    sheet.bottom += 4;
    add_legend(sheet, picture.legend, swatch);
    sheet.bottom += 8;
    sheet.svg += fmt::format("<g transform=\"translate({:.0f} {:.1f})\">\n{}</g>\n", kMargin, sheet.bottom, drawing.svg);
    const double width = kChartWidth + 2 * kMargin;
    const double height = sheet.bottom + drawing.height + kMargin;
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
                       "viewBox=\"0 0 {:.0f} {:.1f}\" role=\"img\" aria-label=\"{}\">\n<style>\n{}{}</style>\n{}"
                       "<rect class=\"sheet\" width=\"{:.0f}\" height=\"{:.1f}\" rx=\"6\"/>\n{}</svg>\n",
                       width * kScale, height * kScale, width, height, escape(picture.title), drawing_css(),
                       "svg text{font-family:system-ui,sans-serif}\n"
                       "svg .title{font-size:14px;font-weight:600}\n"
                       ".sheet{fill:var(--paper)}\n",
                       drawing_hatchings(), width, height, sheet.svg);
}

} // namespace

std::string line_picture(const Picture& picture, const Drawing& drawing) { return framed(picture, drawing, line_swatch); }

std::string bar_picture(const Picture& picture, const Drawing& drawing) { return framed(picture, drawing, area_swatch); }

} // namespace vksort::bench::report
