// SPDX-License-Identifier: MIT
//
// Comparators of a soak, compiled at run time.
#pragma once

#include "../harness/sort_case.h"

namespace vksort::test {

// One of many orders, by some bits of one word of keys of up to 16 words; null where vksort::compiler was not built.
const Ordering* draw_ordering(Random& random);

} // namespace vksort::test
