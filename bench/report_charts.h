// SPDX-License-Identifier: MIT
//
// The parts of the report that compare: who is faster where, and the charts with their tables.
#pragma once

#include <string>
#include <vector>

#include "report_slices.h"

namespace vksort::bench::report {

struct Section {
    std::string title;
    std::string html;
};

// Each vksort contender against each other library, and every scenario that is lost. Empty without such a pair.
std::string standing_html(const Results& results, const Contenders& contenders);

// One for each operation, key and value, without the charts that there are no results for.
std::vector<Section> chart_sections(const Results& results, const Contenders& contenders);

} // namespace vksort::bench::report
