// SPDX-License-Identifier: MIT
//
// Results to test with. Nothing in them was measured.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// Without results.
nlohmann::json empty_file();

// A sort of u32 keys.
nlohmann::json scenario(uint64_t count, const std::string& distribution = "uniform");

// p5 and p95 lie `noise` apart, as a share of the median.
nlohmann::json times(double median, double noise = 0.02);

// "ok", with the GPU's clock.
nlohmann::json result(const nlohmann::json& scenario, const std::string& contender, double microseconds,
                      double noise = 0.02);

// Every kind of chart, every status.
nlohmann::json sample_file();

// A file of these.
nlohmann::json with(const std::vector<nlohmann::json>& results);

// Whether, and how often, a text is part of a longer one.
bool has(const std::string& whole, const std::string& text);
size_t count_of(const std::string& whole, const std::string& text);
