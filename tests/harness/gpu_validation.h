// SPDX-License-Identifier: MIT
//
// GPU-assisted validation, which adds checks to kernels, as a run asks for it:
//   VKSORT_TEST_BOUNDS=1   accesses outside of bindings (exact_bindings.h)
//   VKSORT_TEST_RACES=1    races on shared memory, which layers from 1.4.350 on know
#pragma once

#include <string>

namespace vksort::test {

bool checks_races();

// Whether the validation layer treats each binding as an access, as layers until July 2024 do. Such a layer reports hazards
// between passes of plans that share a recording, so the tests record a barrier before each pass. Otherwise, and without
// validation, sorts are recorded as applications record them.
bool takes_bindings_for_accesses();

// Before the instance is made: lets the layer add what the run asks for and nothing else, as CPU drivers take minutes
// to compile it.
void choose_layer_settings();

// Whether the layer says no more than which features it has enabled for itself.
bool is_about_layer_settings(const std::string& message);

// Why races go unnoticed though they are asked for, or accesses outside of bindings on a device with
// robustBufferAccess; empty if they do not.
std::string why_races_go_unnoticed();
std::string why_robust_accesses_go_unnoticed();

} // namespace vksort::test
