// SPDX-License-Identifier: MIT
//
// Results as a page to read.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vksort::bench {

// One HTML page that needs no other file, no network and no script. Throws SchemaError (report_data.h) where the results do
// not fit the schema.
std::string html_report(const nlohmann::json& results);

} // namespace vksort::bench
