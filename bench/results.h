// SPDX-License-Identifier: MIT
//
// What was measured, and the files it is written to.
#pragma once

#include <nlohmann/json.hpp>

#include "contender.h"
#include "statistics.h"

namespace vksort::bench {

enum class Status { ok, wrong, too_large, unsupported, interrupted };

const char* name_of(Status status);

struct Result {
    Scenario scenario;
    std::string contender;
    Status status = Status::ok;
    std::string message; // what is wrong; or what there is to say of a good result
    uint32_t runs = 0;   // that the device time was taken of, or the wall time where there is none
    std::optional<Summary> gpu, wall;
    std::optional<double> roofline_share;
    std::optional<uint64_t> model_bytes, scratch_bytes;
    std::vector<PassTime> passes;

    // Of the device time where there is one.
    double median_us() const { return gpu ? gpu->median : wall ? wall->median : 0; }
    double items_per_second() const { return median_us() > 0 ? static_cast<double>(scenario.count) / median_us() * 1e6 : 0; }
};

inline constexpr int kSchema = 1; // raised when a field changes its meaning or goes

nlohmann::json to_json(const Result& result);
nlohmann::json to_json(const Scenario& scenario);

inline constexpr const char* kCsvColumns =
    "operation,key,value_bytes,descending,count,distribution,mean_segment,contender,status,message,runs,gpu_us_median,"
    "gpu_us_p5,gpu_us_p95,gpu_us_least,gpu_us_greatest,wall_us_median,wall_us_p5,wall_us_p95,wall_us_least,wall_us_greatest,"
    "items_per_second,model_bytes,roofline_share,scratch_bytes,passes_us,begin_bit,end_bit";

std::string to_csv(const Result& result); // one line; passes as "name=us;..."

// The whole file: comments with "#" that say where it was measured, a line of column names, a line a result.
std::string csv_text(const nlohmann::json& head, const std::vector<Result>& results);

} // namespace vksort::bench
