// SPDX-License-Identifier: MIT
//
// bucket_sort as numbers: what it adds to a plan whose other passes sort the keys that it leaves.
#pragma once

#include "radix_common.h"

namespace vksort {

struct Buckets {
    Buckets(const PlanBuilder& builder, Onesweep& onesweep); // adds what it needs to onesweep's push constants and state
    // Slot 2, which onesweep and msd use, too, and with two levels slot 3.
    void bind_slots(PlanBuilder& builder, uint64_t keyBytes) const;
    void add_passes(PlanBuilder& builder, const RadixPush& push) const;

    RadixShape shape;
    BucketTuning tuning;
    uint32_t bucketSize = 0; // elements

    bool two_levels() const { return tuning.roomBits > 0; }
};

} // namespace vksort
