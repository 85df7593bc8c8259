// SPDX-License-Identifier: MIT
#include "text.h"

#include <fmt/format.h>

namespace vksort::bench {

std::string time_text(double us) {
    return us < 1000  ? fmt::format("{:.1f} us", us)
           : us < 1e6 ? fmt::format("{:.2f} ms", us / 1e3)
                      : fmt::format("{:.2f} s", us / 1e6);
}

std::string bytes_text(uint64_t bytes) {
    const auto value = static_cast<double>(bytes);
    return bytes < 10240         ? fmt::format("{} B", bytes)
           : bytes < 10240 << 10 ? fmt::format("{:.1f} KiB", value / 1024)
                                 : fmt::format("{:.1f} MiB", value / 1048576);
}

std::string rate_text(double items_per_second) {
    return items_per_second < 1e9 ? fmt::format("{:.1f} M/s", items_per_second / 1e6)
                                  : fmt::format("{:.2f} G/s", items_per_second / 1e9);
}

} // namespace vksort::bench
