// SPDX-License-Identifier: MIT
//
// The comparators in examples/, with the same order in C++.
#pragma once

#include <bit>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../harness/random.h"
#include "by_magnitude.h"
#include "case_insensitive.h"
#include "layer_then_depth.h"

namespace vksort::test {

struct Example {
    const char* name;
    uint32_t keyWords;
    bool (*before)(const uint32_t* a, const uint32_t* b);
    void (*generate)(Random& random, uint32_t* key);
    const VksortComparatorInfo* built; // by vksort_add_comparator
};

inline void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }

inline const Example kExamples[] = {
    {"case_insensitive", 4,
     [](const uint32_t* a, const uint32_t* b) {
         char texts[2][16];
         std::memcpy(texts[0], a, 16);
         std::memcpy(texts[1], b, 16);
         for (char(&text)[16] : texts) {
             for (char& c : text) {
                 c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
             }
         }
         return std::memcmp(texts[0], texts[1], 16) < 0;
     },
     // Few words, in many spellings.
     [](Random& random, uint32_t* key) {
         static constexpr std::string_view kWords[] = {
             "", "a", "ab", "sort", "sorted", "key", "{brace", "sixteen letters!", "\xC3\xA9t\xC3\xA9"};
         const std::string_view word = kWords[random.below(std::size(kWords))];
         char text[16] = {};
         word.copy(text, 16);
         for (char& c : text) {
             c = c >= 'a' && c <= 'z' && random.below(2) == 0 ? static_cast<char>(c - 'a' + 'A') : c;
         }
         std::memcpy(key, text, 16);
     },
     &case_insensitive},
    {"layer_then_depth", 2,
     [](const uint32_t* a, const uint32_t* b) {
         return a[0] != b[0] ? a[0] < b[0] : std::bit_cast<float>(a[1]) < std::bit_cast<float>(b[1]);
     },
     // Zeros of both signs among the depths.
     [](Random& random, uint32_t* key) {
         key[0] = static_cast<uint32_t>(random.below(5)) << 30;
         const float depth = static_cast<float>(random.below(200)) - 100;
         key[1] = std::bit_cast<uint32_t>(random.below(2) == 0 ? depth * 0.0f : depth * 1e30f);
     },
     &layer_then_depth},
    {"by_magnitude", 1, [](const uint32_t* a, const uint32_t* b) { return (a[0] & 0x7FFFFFFF) > (b[0] & 0x7FFFFFFF); },
     // A quarter with few values, so that both signs of one occur; NaN, infinity and denormals among the rest.
     [](Random& random, uint32_t* key) {
         const auto bits = static_cast<uint32_t>(random.next());
         key[0] = random.below(4) == 0 ? bits & 0x80700000 : bits;
     },
     &by_magnitude},
};

inline std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    if (!file) {
        throw std::runtime_error("cannot read " + path);
    }
    return text.str();
}

inline std::string source_path(const std::string& path) { return std::string(VKSORT_TEST_SOURCE) + "/" + path; }

inline std::string text_of(const Example& example) { return read_text(source_path("examples/") + example.name + ".glsl"); }

} // namespace vksort::test
