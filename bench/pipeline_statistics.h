// SPDX-License-Identifier: MIT
//
// What a driver's compiler tells of a pipeline (VK_KHR_pipeline_executable_properties).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

namespace vksort::bench {

// By the driver's names for them, "VGPRs", "Register Count".
using PipelineNumbers = std::map<std::string, uint64_t>;

class PipelineStatistics {
public:
    // `function` gives a function of the device by its name. The device has the extension enabled.
    template <typename Function>
    PipelineStatistics(VkDevice device, const Function& function)
        : device_(device), properties_(reinterpret_cast<PFN_vkGetPipelineExecutablePropertiesKHR>(
                               function("vkGetPipelineExecutablePropertiesKHR"))),
          statistics_(
              reinterpret_cast<PFN_vkGetPipelineExecutableStatisticsKHR>(function("vkGetPipelineExecutableStatisticsKHR"))) {
    }

    // Of a pipeline that was made to be asked (PipelineCache::capture_statistics). Executables are added up.
    PipelineNumbers of(VkPipeline pipeline) const {
        VkPipelineInfoKHR pipeline_info = {};
        pipeline_info.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
        pipeline_info.pipeline = pipeline;
        uint32_t executables = 0;
        properties_(device_, &pipeline_info, &executables, nullptr);
        PipelineNumbers numbers;
        for (uint32_t executable = 0; executable < executables; ++executable) {
            VkPipelineExecutableInfoKHR info = {};
            info.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
            info.pipeline = pipeline;
            info.executableIndex = executable;
            uint32_t count = 0;
            statistics_(device_, &info, &count, nullptr);
            VkPipelineExecutableStatisticKHR empty = {};
            empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
            std::vector<VkPipelineExecutableStatisticKHR> statistics(count, empty);
            statistics_(device_, &info, &count, statistics.data());
            for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
                numbers[statistic.name] += number_of(statistic);
            }
        }
        return numbers;
    }

private:
    static uint64_t number_of(const VkPipelineExecutableStatisticKHR& statistic) {
        switch (statistic.format) {
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return statistic.value.b32;
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return static_cast<uint64_t>(statistic.value.i64);
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return statistic.value.u64;
        default: return static_cast<uint64_t>(statistic.value.f64);
        }
    }

    VkDevice device_;
    PFN_vkGetPipelineExecutablePropertiesKHR properties_;
    PFN_vkGetPipelineExecutableStatisticsKHR statistics_;
};

} // namespace vksort::bench
