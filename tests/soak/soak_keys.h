// SPDX-License-Identifier: MIT
//
// Keys that no distribution of the harness gives, in ordered form, in which all key types are alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../harness/random.h"
#include "vksort/vksort.h"

namespace vksort::test {

struct NamedKeys {
    std::string name;
    std::vector<uint64_t> ordered;
};

NamedKeys draw_keys(VksortKeyType type, uint64_t count, Random& random);

} // namespace vksort::test
