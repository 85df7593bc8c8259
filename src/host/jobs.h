// SPDX-License-Identifier: MIT
//
// A job system for VksortContextCreateInfo::runJobs.
#pragma once

#include "vksort/vksort.h"

namespace vksort::host {

// Runs jobs on as many threads as the machine has, this one among them.
void run_jobs(void* user, uint32_t count, VksortJob job, void* data);

} // namespace vksort::host
