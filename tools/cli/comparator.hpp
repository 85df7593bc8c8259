// SPDX-License-Identifier: MIT
//
// Orders of keys from files of GLSL.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "vksort/vksort.hpp"

// Compiled before a device is opened, so that a text that is refused is refused at once.
class ComparatorFile {
public:
    // Fails with the compiler's words, or where the tool was built without the compiler.
    ComparatorFile(const std::string& path, uint32_t key_words);
    ~ComparatorFile();
    ComparatorFile(const ComparatorFile&) = delete;
    ComparatorFile& operator=(const ComparatorFile&) = delete;

    // To be destroyed before the context.
    vksort::Comparator create(VksortContext context) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};
