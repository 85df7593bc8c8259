// SPDX-License-Identifier: MIT
#include "comparator.hpp"

#include "failure.hpp"

#ifdef VKSORT_TOOL_HAS_COMPILER

#include "file.hpp"
#include "vksort/vksort_compiler.hpp"

struct ComparatorFile::State {
    vksort::CompiledComparator compiled;
};

ComparatorFile::ComparatorFile(const std::string& path, uint32_t key_words) : state_(std::make_unique<State>()) {
    const std::vector<std::byte> bytes = read_file(path);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::string message(4096, '\0');
    const VkResult result = state_->compiled.compile(text, key_words, path.c_str(), message.data(), message.size());
    if (result == VK_SUCCESS) {
        return;
    }
    // One error stands for all: the others often follow from it.
    message.resize(message.find_first_of(std::string_view("\n\0", 2)));
    fail(kBadInput, "the comparator is refused: {}; it defines bool before(Key a, Key b) with uint words[{}] in a Key",
         message, key_words);
}

vksort::Comparator ComparatorFile::create(VksortContext context) const {
    const VksortComparatorInfo info = state_->compiled.info();
    VksortComparator comparator = VK_NULL_HANDLE;
    const VkResult result = vksortCreateComparator(context, &info, &comparator);
    if (result != VK_SUCCESS) {
        fail(kNoDevice, "the device does not take the comparator (Vulkan error {})", static_cast<int>(result));
    }
    return vksort::Comparator(comparator);
}

#else

struct ComparatorFile::State {};

ComparatorFile::ComparatorFile(const std::string& path, uint32_t) {
    fail(kBadInput, "'{}' cannot be compiled: this vksort was built without its compiler (VKSORT_BUILD_COMPILER)", path);
}

vksort::Comparator ComparatorFile::create(VksortContext) const { return {}; }

#endif

ComparatorFile::~ComparatorFile() = default;
