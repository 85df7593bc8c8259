// SPDX-License-Identifier: MIT
//
// bucket_sort as numbers: what it adds to a plan whose other passes sort the keys that it leaves.
#pragma once

#include <functional>

#include "radix_common.h"

namespace vksort {

struct Buckets {
    Buckets(const PlanBuilder& builder, Onesweep& onesweep); // adds what it needs to onesweep's push constants and state
    // Slot 2, which onesweep and msd use, too, of so many bytes at least, and with two levels slot 3.
    void bind_slots(PlanBuilder& builder, uint64_t keyBytes, uint64_t leastBytes) const;
    void add_passes(PlanBuilder& builder, const RadixPush& push) const;

    RadixShape shape;
    BucketTuning tuning;
    uint32_t bucketSize = 0; // elements
    uint32_t roomsEach = 0;  // that passes of the second level take at a time

    bool two_levels() const { return tuning.roomBits > 0; }

private:
    // Sizes a pass: where in IndirectArgs that stands, workgroups or 0, and elements of one.
    using Size = std::function<void(Pass&, uint64_t, uint64_t, uint32_t)>;
    void add_second_level(PlanBuilder& builder, const RadixPush& push, const Size& size) const;
};

} // namespace vksort
