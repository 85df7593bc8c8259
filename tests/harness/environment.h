// SPDX-License-Identifier: MIT
//
// What the environment says about a run; see tests/README.md.
#pragma once

#include <cstdint>

namespace vksort::test {

// VKSORT_TEST_LEVEL=full: sizes and combinations that take minutes on a software device.
bool is_full_level();

// VKSORT_TEST_SEED, or a fixed number. The data of a run follow from it; a failure prints it.
uint64_t base_seed();

// The base seed mixed with the running test's name, so that tests do not influence each other's data. Where an expectation
// could fail by chance, a fixed number takes the place of the base seed.
uint64_t test_seed();

// VKSORT_TEST_VALIDATION=0 runs without the validation layer, on machines that do not have it.
bool wants_validation();

// Before the device is made. Mesa 22.3 keeps compiled kernels without noting the vectors' width: by hand, as in
// devices.cmake, lavapipe must not run what another width has left.
void use_no_kernels_of_other_widths();

// Text of an environment variable, empty if unset.
const char* environment(const char* name);

} // namespace vksort::test
