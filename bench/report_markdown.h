// SPDX-License-Identifier: MIT
//
// Results as a page of Markdown, for a project's documents.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vksort::bench {

// A page for GitHub's reading of Markdown. Throws SchemaError (report_data.h) where the results do not fit the schema.
std::string markdown_report(const nlohmann::json& results);

} // namespace vksort::bench
