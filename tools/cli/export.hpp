// SPDX-License-Identifier: MIT
//
// A plan in files, for programs that execute it without the library: plan.json, and a .spv file for each kernel.
#pragma once

#include <string>

#include "vksort/vksort.h"

// Writes to a folder, which is made if it is not there. Fails as commands do.
void export_files(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const std::string& folder);
