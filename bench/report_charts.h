// SPDX-License-Identifier: MIT
//
// The charts of the report with their tables.
#pragma once

#include <string>
#include <vector>

#include "report_slices.h"

namespace vksort::bench::report {

struct Section {
    std::string title;
    std::string html;
};

// One for each operation, key and value, without the charts that there are no results for.
std::vector<Section> chart_sections(const Results& results, const Contenders& contenders);

} // namespace vksort::bench::report
