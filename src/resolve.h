// SPDX-License-Identifier: MIT
//
// What a plan comes to for given counts: sizes of bindings, push constants, workgroups and barriers, as plain numbers.
// record.cpp records these, and export.cpp hands them out.
#pragma once

#include "plan.h"

namespace vksort {

inline constexpr size_t index_of(Source source) { return static_cast<size_t>(source); }

// What differs from call to call.
struct Arguments {
    Counts counts;               // from the host, else the plan's maxima
    uint64_t recordCount = 0;    // of a gather
    uint64_t countOffset = 0;    // bytes from where the binding of the counts begins to the first one
    uint64_t commandsOffset = 0; // the same of indirect commands
};

// The counts that a plan goes by if its caller gives these: its maxima where the GPU has the counts.
Counts counts_in_use(const VksortPlanDesc& desc, const Counts& given);

// Those of a plan, if `last` are those of the last plan of its recording: plans before it are for their own maxima.
Arguments arguments_of(const Plan& plan, const Arguments& last);

// What the contract asks of VksortBuffer::offset, besides minStorageBufferOffsetAlignment.
uint64_t element_alignment(const Plan& plan, Source source);

bool is_written(const VksortPlanDesc& desc, Source source);

// Counts and commands stand at any word: the binding, which has to be aligned, begins before.
inline bool stands_at_any_word(Source source) { return source == Source::count || source == Source::commands; }

// Bytes that each binding needs. What no pass uses is bound all the same, to the range of the binding that stands in.
struct BoundSizes {
    uint64_t bytes[kBindingCountOf] = {};
    uint32_t standIn = kBindingCountOf;
    bool any() const { return standIn != kBindingCountOf; } // false: nothing is bound, because there is nothing to do
};
BoundSizes bound_sizes(const Plan& plan, const Arguments& arguments);

// Bytes between the beginning of a binding and what the caller has there.
inline uint64_t bytes_before(const Arguments& arguments, Source source) {
    return source == Source::count ? arguments.countOffset : source == Source::commands ? arguments.commandsOffset : 0;
}

// The push constants of a block, block.size bytes, but for PushHeader::pass.
void fill_push_constants(const PushBlock& block, const Arguments& arguments, unsigned char* bytes);

// The size of a direct dispatch; x is 0 if there is nothing to dispatch.
VkDispatchIndirectCommand dispatch_size(const Pass& pass, uint64_t count, uint32_t maxGroupsX);

// The barrier before each pass of plans that share a recording.
class Barriers {
public:
    // firstPass: passes before it are another call's.
    Barriers(const Plan* const* plans, uint32_t count, bool separatesPasses, uint32_t firstPass = 0)
        : plans_(plans), count_(count), separatesPasses_(separatesPasses), firstPass_(firstPass),
          argsWritten_(firstPass > 0) {}
    // To be asked once for each pass from the first one on, in the order of recording. No stages: there is none.
    VksortExportedBarrier before(uint32_t passIndex, const Pass& pass);

private:
    bool has_indirect(uint32_t step) const;

    const Plan* const* plans_;
    uint32_t count_;
    bool separatesPasses_; // as in PlanOverrides
    uint32_t firstPass_;
    uint32_t step_ = 0;
    bool argsWritten_; // and not waited for
};

} // namespace vksort
