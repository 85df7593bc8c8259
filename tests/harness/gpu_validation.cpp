// SPDX-License-Identifier: MIT
#include "gpu_validation.h"

#include <cstdlib>
#include <cstring>
#include <vector>

#include "device.h"
#include "environment.h"
#include "exact_bindings.h"

namespace vksort::test {

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr uint32_t kFirstThatSeesRaces = VK_MAKE_API_VERSION(0, 1, 4, 350);
constexpr uint32_t kFirstThatSeesAccesses = VK_MAKE_API_VERSION(0, 1, 3, 290);
constexpr uint32_t kFirstThatTrustsRobustness = VK_MAKE_API_VERSION(0, 1, 4, 313);

// By the layer's environment variables: Vulkan headers of 2023 lack VK_EXT_layer_settings. What a developer has set stays.
void set_for_layer(const char* setting, bool value) {
    setenv((std::string("VK_LAYER_") + setting).c_str(), value ? "true" : "false", 0);
}

uint32_t layer_version() {
    const auto list = reinterpret_cast<PFN_vkEnumerateInstanceLayerProperties>(
        device().get_instance_proc_addr()(VK_NULL_HANDLE, "vkEnumerateInstanceLayerProperties"));
    uint32_t count = 0;
    list(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    list(&count, layers.data());
    for (const VkLayerProperties& layer : layers) {
        if (std::strcmp(layer.layerName, kValidationLayer) == 0) {
            return layer.specVersion;
        }
    }
    return 0;
}

std::string version_text(uint32_t version) {
    return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version)) + "." +
           std::to_string(VK_API_VERSION_PATCH(version));
}

} // namespace

bool checks_races() { return wants_validation() && std::strcmp(environment("VKSORT_TEST_RACES"), "1") == 0; }

bool takes_bindings_for_accesses() {
    static const bool takes = wants_validation() && layer_version() < kFirstThatSeesAccesses;
    return takes;
}

void choose_layer_settings() {
    set_for_layer("GPUAV_DESCRIPTOR_CHECKS", checks_bounds());
    set_for_layer("GPUAV_SHARED_MEMORY_DATA_RACE", checks_races());
    // Otherwise it is silent after ten races, whichever test they belong to.
    set_for_layer("ENABLE_MESSAGE_LIMIT", false);
    for (const char* other : {"VALIDATE_CORE", "GPUAV_POST_PROCESS_DESCRIPTOR_INDEXING", "GPUAV_BUFFER_ADDRESS_OOB",
                              "GPUAV_SHADER_SANITIZER", "GPUAV_BUFFERS_VALIDATION", "GPUAV_MESH_SHADING",
                              "GPUAV_VALIDATE_TRACE_RAY", "GPUAV_VERTEX_ATTRIBUTE_FETCH_OOB"}) {
        set_for_layer(other, false);
    }
}

bool is_about_layer_settings(const std::string& message) {
    return message.find("Warning that validation is adjusting settings:\n\tForcing") != std::string::npos;
}

std::string why_robust_accesses_go_unnoticed() {
    const uint32_t version = layer_version();
    return version < kFirstThatTrustsRobustness
               ? ""
               : "the validation layer " + version_text(version) +
                     " looks at no access to a buffer where robustBufferAccess is enabled, even if a pipeline has no such "
                     "checks (as all since " +
                     version_text(kFirstThatTrustsRobustness) + ")";
}

std::string why_races_go_unnoticed() {
    const uint32_t version = layer_version();
    return version >= kFirstThatSeesRaces
               ? ""
               : "the validation layer " + version_text(version) +
                     " does not know gpuav_shared_memory_data_race, which came by " + version_text(kFirstThatSeesRaces);
}

} // namespace vksort::test
