// SPDX-License-Identifier: MIT
//
// What merge sort, merge, locality sort and segmented sort share: the description in the kernels' terms, push constants,
// segments and the passes around the sorting.
#pragma once

#include "ops.h"

namespace vksort {

// The description in the numbers that planning needs.
struct MergeShape {
    explicit MergeShape(const VksortPlanDesc& desc);
    bool comparator;
    bool argsort;
    bool discardKeys;
    bool separate;
    bool packed; // keys of 8 and 16 bits, which travel in words
    bool twoInputs;
    bool queues; // locality, segmented
    bool segmented;
    bool segmentPairs; // of either kind
    // Set by the planner of merge sort and merge.
    bool hostCounts = false;   // there is no setup
    bool fourWay = false;      // merge sort by a comparator: passes merge four lists
    bool passSearches = false; // there is no partition
    uint32_t keySize;
    uint32_t keyWords;
    uint32_t valueWords;
    MergeKind kind() const {
        return twoInputs ? MergeKind::two_inputs
               : queues  ? MergeKind::work_queues
               : fourWay ? MergeKind::four_lists
                         : MergeKind::two_lists;
    }
    uint64_t slot_key_bytes() const { return 4 * keyWords; }
    uint64_t value_bytes() const { return 4 * valueWords; }
};

// What the planners of all merge algorithms share.
class MergeFamilyPlanner {
protected:
    explicit MergeFamilyPlanner(PlanBuilder& builder);
    void fill_common_push();
    void bind_first_slots(); // slots 0 and 1 of a sort, keys and values
    void bind_value_slot2();
    void bind_segments();
    void bind_packed();
    uint32_t reserve(uint64_t words); // of state, behind the control block; their offset
    // From the caller's segments.
    bool makes_heads() const { return shape_.segmented && desc_.segments != VKSORT_SEGMENTS_HEAD_FLAGS; }
    void reserve_heads(); // for these head flags
    void bind_reserved(); // the control block and all that was reserved
    PlainTuning one_key_a_thread(uint32_t workgroupSize) const;
    Pass& add_plain(const char* name, uint32_t module, uint32_t workgroupSize);
    Pass& add_setup_pass();
    void size_by_args(Pass& pass, uint64_t offset) const; // of IndirectArgs, by its divisor; with hostCounts by the host
    void add_segment_passes();
    void size_by_words(Pass& pass) const; // of head flags, by the host
    void add_pack_pass();

    static constexpr uint32_t kSingleGroup = 64; // workgroup of the setup kernel
    static constexpr uint32_t kWordGroup = 128;  // workgroup of the segment and pack kernels

    PlanBuilder& builder_;
    const VksortPlanDesc& desc_;
    MergeShape shape_;
    uint64_t total_;
    MergePush push_ = {};
    uint32_t knownFlags_ = 0; // for the specialization constant
    uint64_t stateWords_ = 0; // reserved so far
};

} // namespace vksort
