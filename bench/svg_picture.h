// SPDX-License-Identifier: MIT
//
// A chart as an SVG file of its own, for the <img> of a README: such a picture gets neither style nor text from the page
// around it, so title, legend, colours and paper are inside.
#pragma once

#include <string>
#include <vector>

#include "svg_chart.h"

namespace vksort::bench::report {

struct Picture {
    std::string title;
    std::vector<std::string> notes; // paragraphs below the title
    std::vector<LegendEntry> legend;
};

// Empty where the drawing is.
std::string line_picture(const Picture& picture, const Drawing& drawing);
std::string bar_picture(const Picture& picture, const Drawing& drawing);

} // namespace vksort::bench::report
