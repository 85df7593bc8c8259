// SPDX-License-Identifier: MIT
//
// One round of a soak on the device, from its cases to what is wrong.
#pragma once

#include <string>
#include <vector>

#include "draw.h"

namespace vksort::test {

struct Verdict {
    std::vector<std::string> failures;       // none: all was right
    std::vector<VksortAlgorithm> algorithms; // that ran, one a case
    bool right() const { return failures.empty(); }
};

Verdict play(const Round& round);

} // namespace vksort::test
