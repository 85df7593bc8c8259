// SPDX-License-Identifier: MIT
//
// Where and of what something was measured, for the files.
#pragma once

#include <nlohmann/json.hpp>

#include "vksort/vksort_host.hpp"

namespace vksort::bench {

nlohmann::json program_json(); // version, commit, compiler, flags
nlohmann::json device_json(const host::Device& device, bool compute_queue);
std::string date_text(); // now, ISO 8601, UTC

} // namespace vksort::bench
