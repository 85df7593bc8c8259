// SPDX-License-Identifier: MIT
//
// What a run of all tests of a device may cost, and what it leaves out. A CPU driver's time goes into compiling kernels, and
// the number of pipelines grows by tests that nobody notices. So it is held to a number in tests/budgets.cmake, as is that
// of skipped tests: whoever makes a test skip says so there.
#pragma once

#include "vksort/vksort.h"

namespace vksort::test {

// Counts the pipelines that the context has made so far, each distinct one of the process once.
void count_pipelines(VksortContext context);

// Prints the number of distinct pipelines, and what the run exceeds or misses, if the environment has numbers to hold it to:
// VKSORT_TEST_PIPELINES and VKSORT_TEST_SKIPS, which ctest sets, and kernels of which there was no pipeline, if it sets
// VKSORT_TEST_EVERY_KERNEL. False if it does. The full level has no budget.
bool keeps_budget();

} // namespace vksort::test
