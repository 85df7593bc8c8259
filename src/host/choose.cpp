// SPDX-License-Identifier: MIT
//
// Which of the listed devices a selector means.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "instance.hpp"

namespace vksort::host {

namespace {

// Smaller is better.
int rank(uint32_t device_type) {
    switch (device_type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return 4;
    default: return 3;
    }
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

std::string names_of(std::span<const DeviceListing> devices) {
    std::string names;
    for (size_t i = 0; i < devices.size(); ++i) {
        names += (i == 0 ? "" : ", ") + std::to_string(i) + " = " + devices[i].name;
    }
    return names;
}

} // namespace

size_t choose_device(std::span<const DeviceListing> devices, const std::string& selector) {
    if (devices.empty()) {
        throw Error(Error::Kind::device, kNoDriverMessage);
    }
    size_t index = 0;
    const char* end = selector.data() + selector.size();
    const auto [rest, error] = std::from_chars(selector.data(), end, index);
    const bool is_index = !selector.empty() && error == std::errc{} && rest == end;
    if (is_index && index >= devices.size()) {
        throw Error(Error::Kind::device, "there is no device " + selector + "; there are: " + names_of(devices));
    }
    if (!is_index) {
        const std::string part = lower(selector);
        std::vector<size_t> found;
        for (size_t i = 0; i < devices.size(); ++i) {
            if (lower(devices[i].name).find(part) != std::string::npos) {
                found.push_back(i);
            }
        }
        if (found.empty()) {
            throw Error(Error::Kind::device,
                        "no device has '" + selector + "' in its name; there are: " + names_of(devices));
        }
        index = *std::min_element(found.begin(), found.end(), [&](size_t a, size_t b) {
            const auto key = [&](size_t i) {
                const VksortRequiredFeatures& required = devices[i].required;
                return std::pair(required.supported == VK_TRUE ? 0 : 1, rank(required.deviceInfo.deviceType));
            };
            return key(a) < key(b);
        });
    }
    const DeviceListing& device = devices[index];
    if (device.required.supported != VK_TRUE) {
        throw Error(Error::Kind::device, device.name + " cannot run vksort: " + device.required.reason);
    }
    return index;
}

} // namespace vksort::host
