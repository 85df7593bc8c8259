// SPDX-License-Identifier: MIT
//
// Sorts floats in host memory, in a program without a VkDevice: vksort::host creates one, uploads, sorts, waits and
// downloads.
//
//     headless [index of the device, or a part of its name]
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include <vksort/vksort_host.hpp>

int main(int argc, char** argv) try {
    std::mt19937 random(1);
    std::normal_distribution<float> distribution(0, 100);
    std::vector<float> keys(100'000);
    std::generate(keys.begin(), keys.end(), [&] { return distribution(random); });
    std::vector<float> expected = keys;

    vksort::host::DeviceOptions options;
    options.selector = argc > 1 ? argv[1] : ""; // empty: the first GPU, or else a driver for the CPU
    vksort::host::Device device(options);
    vksort::host::SortRequest request;
    request.desc.keyType = VKSORT_KEY_F32;
    request.keys = std::as_bytes(std::span(keys));
    const vksort::host::SortOutcome outcome = vksort::host::sort(device, request);
    std::memcpy(keys.data(), outcome.keys.data(), outcome.keys.size());

    std::sort(expected.begin(), expected.end());
    if (keys != expected) {
        std::fprintf(stderr, "headless: the result differs from that of std::sort\n");
        return 1;
    }
    std::printf("%s sorted %zu floats by %s, from %g to %g: verified\n", device.listing().name.c_str(), keys.size(),
                vksortAlgorithmName(outcome.plan.algorithm), keys.front(), keys.back());
    return 0;
} catch (const vksort::host::Error& error) {
    std::fprintf(stderr, "headless: %s\n", error.what());
    return 1;
}
