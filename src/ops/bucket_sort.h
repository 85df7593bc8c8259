// SPDX-License-Identifier: MIT
//
// bucket_sort as numbers: what it adds to a plan whose other passes sort the keys that it leaves.
#pragma once

#include "radix_common.h"

namespace vksort {

struct Buckets {
    // Adds what it needs to onesweep's push constants and state. beforeMsd: what is not for buckets is left to msd.
    Buckets(const PlanBuilder& builder, Onesweep& onesweep, bool beforeMsd);
    // Slot 2 for keys, of `leastBytes` at least, since onesweep and msd use it, too; and slot 3 where there are two levels.
    void bind_slots(PlanBuilder& builder, uint64_t leastBytes) const;
    void add_passes(PlanBuilder& builder, const RadixPush& push) const;

    RadixShape shape;
    bool byDistribution = false;
    uint32_t recordBytes = 0; // of a key or, with values, of a key of one word and its source index
    BucketTuning tuning;
    bool beforeMsd = false;
    bool sizedByArgs = false;       // the passes between the setup and those behind
    uint32_t bucketSize = 0;        // elements
    uint32_t coarseBucketsEach = 0; // that passes of the second level take at a time

    bool two_levels() const { return tuning.coarseBucketBits > 0; }

private:
    Pass& add_kernel(PlanBuilder& builder, const char* name, bool isFinish) const;
    // Sizes a dispatch: `groups` workgroups or, if 0, one for each `elements`. If sizedByArgs, the GPU sizes it, by what
    // stands at byte `args` of IndirectArgs.
    void size(PlanBuilder& builder, Pass& pass, uint64_t args, uint64_t groups, uint32_t elements) const;
    void add_distribution(PlanBuilder& builder, const RadixPush& push) const;
    void add_second_level(PlanBuilder& builder, const RadixPush& push) const;
};

} // namespace vksort
