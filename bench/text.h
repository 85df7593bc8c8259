// SPDX-License-Identifier: MIT
//
// Numbers as a terminal shows them.
#pragma once

#include <cstdint>
#include <string>

namespace vksort::bench {

std::string time_text(double us);
std::string bytes_text(uint64_t bytes);
std::string rate_text(double items_per_second); // "41.20 G/s"

} // namespace vksort::bench
