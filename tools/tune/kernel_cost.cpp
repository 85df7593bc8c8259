// SPDX-License-Identifier: MIT
#include "kernel_cost.h"

#include <algorithm>
#include <cctype>

namespace vksort::tune {

KernelCost cost_of(const bench::PipelineNumbers& numbers) {
    KernelCost cost;
    const auto add = [](std::optional<uint64_t>& sum, uint64_t number) { sum = sum.value_or(0) + number; };
    for (const auto& [name, number] : numbers) {
        std::string lower = name;
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
        const auto has = [&lower](const char* part) { return lower.find(part) != std::string::npos; };
        if (has("spill") || has("scratch") || has("stack") || has("local mem")) {
            add(cost.spills, number);
        } else if (has("shared mem") || has("lds")) {
            add(cost.shared_bytes, number);
        } else if (lower == "vgprs" || has("register count") || has("registers")) {
            add(cost.registers, number);
        }
    }
    return cost;
}

} // namespace vksort::tune
