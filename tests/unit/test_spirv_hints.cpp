// SPDX-License-Identifier: MIT
//
// Loops that ask to be unrolled, told not to be.
#include <vector>

#include <gtest/gtest.h>

#include "spirv_hints.h"

namespace vksort::test {
namespace {

using Code = std::vector<uint32_t>;

constexpr uint32_t kUnroll = 1;
constexpr uint32_t kDontUnroll = 2;
constexpr uint32_t kDependencyInfinite = 4;
constexpr uint32_t kPartialCount = 256; // takes a parameter

// The words of the header look like loops.
const Code kHeader = {0x07230203, 0x00010500, 4u << 16 | 246, 1, kUnroll};

uint32_t first_word(uint32_t opcode, uint32_t length) { return length << 16 | opcode; }

Code loop(uint32_t control) { return {first_word(246, 4), 11, 12, control}; }

Code joined(std::initializer_list<Code> parts) {
    Code code;
    for (const Code& part : parts) {
        code.insert(code.end(), part.begin(), part.end());
    }
    return code;
}

Code kept(Code code) {
    keep_loops(code.data(), code.size());
    return code;
}

TEST(SpirvHints, EveryLoopControl) {
    const auto with = [](uint32_t control) { return kept(joined({kHeader, loop(control)})); };
    EXPECT_EQ(with(kUnroll), joined({kHeader, loop(kDontUnroll)}));
    EXPECT_EQ(with(kDontUnroll), joined({kHeader, loop(kDontUnroll)}));
    EXPECT_EQ(with(0), joined({kHeader, loop(0)}));
    EXPECT_EQ(with(kUnroll | kDependencyInfinite), joined({kHeader, loop(kDontUnroll | kDependencyInfinite)}));
}

TEST(SpirvHints, OtherInstructionsStay) {
    const Code selection = {first_word(247, 3), 11, kUnroll};
    const Code constant = {first_word(43, 4), 11, 12, kUnroll};
    const Code holds_a_loop = {first_word(44, 6), 11, first_word(246, 4), 12, 13, kUnroll}; // as its operands
    const Code partly = {first_word(246, 5), 11, 12, kUnroll | kPartialCount, 4};
    const auto code = [&](uint32_t control) {
        return joined({kHeader, selection, constant, loop(control), holds_a_loop, partly, loop(control)});
    };
    EXPECT_EQ(kept(code(kUnroll)), code(kDontUnroll));
}

TEST(SpirvHints, WhatIsNoModuleEndsTheWalk) {
    const Code loops = joined({kHeader, loop(kUnroll)});
    for (size_t words = 0; words < loops.size(); ++words) { // the sanitizer sees what is read beyond
        const Code cut(loops.begin(), loops.begin() + static_cast<ptrdiff_t>(words));
        EXPECT_EQ(kept(cut), cut) << words << " words";
    }
    const Code no_length = joined({kHeader, loop(kUnroll), {first_word(246, 0), 11, 12, kUnroll}, loop(kUnroll)});
    EXPECT_EQ(kept(no_length), joined({kHeader, loop(kDontUnroll), {first_word(246, 0), 11, 12, kUnroll}, loop(kUnroll)}));
    const Code too_short = joined({kHeader, {first_word(246, 3), 11, 12}, loop(kUnroll)});
    EXPECT_EQ(kept(too_short), joined({kHeader, {first_word(246, 3), 11, 12}, loop(kDontUnroll)}));
    const Code too_long = joined({kHeader, {first_word(43, 40), 11}, loop(kUnroll)});
    EXPECT_EQ(kept(too_long), too_long);
}

} // namespace
} // namespace vksort::test
