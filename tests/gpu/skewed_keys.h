// SPDX-License-Identifier: MIT
//
// Keys that are skewed on purpose, in ordered form, for the tests of the sorts that spread keys by their highest bits.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common.h"

namespace vksort::test {

using Keys = std::vector<uint64_t>;

inline Keys made_keys(uint64_t count, const std::function<uint64_t(uint64_t)>& key_at) {
    Keys keys(count);
    for (uint64_t i = 0; i < count; ++i) {
        keys[i] = key_at(i);
    }
    return keys;
}

inline void shuffle(Keys& keys, Random& random) {
    for (size_t i = keys.size(); i > 1; --i) {
        std::swap(keys[i - 1], keys[random.below(i)]);
    }
}

// The case with these keys.
inline SortCase with_keys(SortCase sort, std::string name, Keys keys) {
    sort.count = keys.size();
    sort.ordered_keys = std::move(keys);
    sort.keys_name = std::move(name);
    return sort;
}

} // namespace vksort::test
