// SPDX-License-Identifier: MIT
#include "orderings.h"

#include <map>

#ifdef VKSORT_SOAK_COMPARATORS
#include "vksort/vksort_compiler.hpp"
#endif

namespace vksort::test {

#ifdef VKSORT_SOAK_COMPARATORS

namespace {

struct Compiled {
    CompiledComparator kernels;
    Ordering ordering;
};

void compile(Compiled& compiled, const std::string& name, uint32_t key_words, uint32_t word, uint32_t mask) {
    const std::string key = ".words[" + std::to_string(word) + "] & " + std::to_string(mask) + "u)";
    const std::string text = "bool before(Key a, Key b) { return (a" + key + " < (b" + key + "; }";
    char message[1000] = "";
    if (compiled.kernels.compile(text, key_words, name.c_str(), message, sizeof message) != VK_SUCCESS) {
        throw host::Error(host::Error::Kind::usage, "the soak's comparator was refused: " + std::string(message));
    }
    compiled.ordering.name = name;
    compiled.ordering.key_words = key_words;
    compiled.ordering.before = [word, mask](const uint32_t* a, const uint32_t* b) {
        return (a[word] & mask) < (b[word] & mask);
    };
    compiled.ordering.generate = [key_words](Random& random, uint32_t* words) {
        random.fill(std::as_writable_bytes(std::span(words, key_words)));
    };
    compiled.ordering.kernels = compiled.kernels.info();
}

} // namespace

const Ordering* draw_ordering(Random& random) {
    static std::map<std::string, Compiled> by_name;
    const auto key_words =
        static_cast<uint32_t>(1 + (random.below(2) == 0 ? random.below(4) : random.below(VKSORT_MAX_KEY_WORDS)));
    const auto word = static_cast<uint32_t>(random.below(key_words));
    constexpr uint32_t kMasks[] = {0xFFFFFFFF, 0x7FFFFFFF, 0xFF00, 0xFFF, 7};
    const uint32_t mask = kMasks[random.below(std::size(kMasks))];
    const std::string name =
        "keys of " + std::to_string(key_words) + " words by word " + std::to_string(word) + " & " + std::to_string(mask);
    Compiled& compiled = by_name[name];
    if (!compiled.kernels) {
        compile(compiled, name, key_words, word, mask);
    }
    return &compiled.ordering;
}

#else

const Ordering* draw_ordering(Random&) { return nullptr; }

#endif

} // namespace vksort::test
