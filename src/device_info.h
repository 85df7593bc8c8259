// SPDX-License-Identifier: MIT
//
// What a physical device offers, as plain numbers.
#pragma once

#include "vk_table.h"

namespace vksort {

// Fills everything of `features`; features.supported tells whether the floor is there.
VkResult query_device(VkPhysicalDevice physicalDevice, const InstanceTable& table, VksortRequiredFeatures& features);

// The device as it is with only these features enabled.
VksortDeviceInfo narrow_device_info(const VksortDeviceInfo& offered, VksortFeatureFlags enabled);

} // namespace vksort
