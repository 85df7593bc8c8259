// SPDX-License-Identifier: MIT
//
// Sorts strings without regard to case, by a comparator that CMake compiles (examples/CMakeLists.txt):
//
//     vksort_add_comparator(<target> NAME case_insensitive SOURCE case_insensitive.glsl KEY_SIZE 16)
//
//     comparator_at_build_time [index of the device, or a part of its name]
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include <vksort/vksort.hpp>
#include <vksort/vksort_host.hpp>

#include "case_insensitive.h" // extern const VksortComparatorInfo case_insensitive;

// A key: a string of up to 16 bytes, filled up with zeros.
using Text = std::array<char, 16>;

// The order of case_insensitive.glsl, in C++.
static bool before(const Text& a, const Text& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](unsigned char x, unsigned char y) { return std::toupper(x) < std::toupper(y); });
}

static std::vector<Text> make_texts() {
    constexpr const char* kWords[] = {"Vulkan", "sort",   "GPU", "Merge", "key",   "vulkan", "barrier", "Sort", "queue",
                                      "merge",  "Buffer", "gpu", "Key",   "VALUE", "fence",  "buffer",  "SORT", "value"};
    std::vector<Text> texts;
    for (const char* word : kWords) {
        Text& text = texts.emplace_back();
        std::copy_n(word, std::strlen(word), text.begin());
    }
    return texts;
}

static void print(const char* what, std::span<const Text> texts) {
    std::printf("%s", what);
    for (const Text& text : texts) {
        std::printf(" %.16s", text.data());
    }
    std::printf("\n");
}

int main(int argc, char** argv) try {
    vksort::host::DeviceOptions options;
    options.selector = argc > 1 ? argv[1] : "";
    vksort::host::Device device(options);
    VksortComparator handle = VK_NULL_HANDLE;
    if (vksortCreateComparator(device.context(), &case_insensitive, &handle) != VK_SUCCESS) {
        std::fprintf(stderr, "comparator_at_build_time: %s\n", device.last_message().c_str());
        return 1;
    }
    const vksort::Comparator comparator(handle); // destroys the comparator before the device and its context

    std::vector<Text> texts = make_texts();
    print("unsorted:", texts);
    std::vector<Text> expected = texts;
    std::stable_sort(expected.begin(), expected.end(), before);

    vksort::host::SortRequest request;
    request.desc.keyType = VKSORT_KEY_COMPARATOR;
    request.desc.comparator = comparator.get();
    request.key_words = sizeof(Text) / sizeof(uint32_t);
    request.keys = std::as_bytes(std::span(texts));
    const vksort::host::SortOutcome outcome = vksort::host::sort(device, request);
    std::memcpy(texts.data(), outcome.keys.data(), outcome.keys.size());
    print("sorted:  ", texts);

    // Strings that differ only in case are equal to the comparator. They keep their input order, as in std::stable_sort.
    if (texts != expected) {
        std::fprintf(stderr, "comparator_at_build_time: the result differs from that of std::stable_sort\n");
        return 1;
    }
    std::printf("%s sorted %zu strings by %s: verified\n", device.listing().name.c_str(), texts.size(),
                vksortAlgorithmName(outcome.plan.algorithm));
    return 0;
} catch (const vksort::host::Error& error) {
    std::fprintf(stderr, "comparator_at_build_time: %s\n", error.what());
    return 1;
}
