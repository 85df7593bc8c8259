// SPDX-License-Identifier: MIT
//
// What kernels ask of the compiler in a driver.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vksort {

// Has every loop of a SPIR-V module that asks to be unrolled ask not to be. Drivers that compile for the CPU take two to
// three times as long for kernels whose loops over an invocation's keys they unroll, and these run no faster then. Loops
// with parameters, which say how to unroll them, stay as they are. A comparator's module comes from the caller, so nothing
// is read behind an instruction of no length, or of more words than are left.
void keep_loops(uint32_t* words, size_t wordCount);

} // namespace vksort
