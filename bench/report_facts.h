// SPDX-License-Identifier: MIT
//
// What the results say of the device, the build and the method, as names with values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace vksort::bench::report {

using Facts = std::vector<std::pair<std::string, std::string>>;

// "NVIDIA H200"
std::string device_text(const nlohmann::json& about);
// "NVIDIA 580.159.04"
std::string driver_text(const nlohmann::json& about);

// Device, driver, date, commit and the like; "not given" where the results do not say.
Facts main_facts(const nlohmann::json& about);
// Empty where the results do not say how they were measured.
Facts method_facts(const nlohmann::json& about);
// What main_facts leaves out of the device.
Facts other_device_facts(const nlohmann::json& about);

} // namespace vksort::bench::report
