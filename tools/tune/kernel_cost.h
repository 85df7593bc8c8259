// SPDX-License-Identifier: MIT
//
// What a kernel takes of a multiprocessor, out of what drivers tell of it, each in words of its own.
#pragma once

#include <optional>

#include "pipeline_statistics.h"

namespace vksort::tune {

struct KernelCost {
    std::optional<uint64_t> registers;
    std::optional<uint64_t> shared_bytes;
    std::optional<uint64_t> spills; // registers or bytes that went to memory, as the driver counts them
};

KernelCost cost_of(const bench::PipelineNumbers& numbers);

} // namespace vksort::tune
