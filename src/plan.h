// SPDX-License-Identifier: MIT
//
// A plan as data: which pipelines are executed, over what, in which order. Pure numbers, no Vulkan call; record.cpp executes
// it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../shaders/host/args.h"
#include "../shaders/host/commands.h"
#include "../shaders/host/gather.h"
#include "../shaders/host/merge.h"
#include "../shaders/host/radix.h"
#include "message.h"
#include "vksort/vksort.h"

namespace vksort {

// A SPIR-V module of the generated table; numbered in the order of shaders/variants.txt.
using ModuleId = uint32_t;

// Where the memory of a descriptor binding comes from.
enum class Source : uint8_t {
    none, // not used by any pass: bound to whatever is at hand
    keys,
    values,
    keys_alternate,
    values_alternate,
    keys_out,
    values_out,
    scratch,
    count,
    segments,
    second_keys, // a merge's list B
    second_values,
    commands,
};
inline constexpr size_t kSourceCountOf = 13;

// What sizes follow.
struct Counts {
    uint64_t elements = 0; // of a merge: of A
    uint64_t second = 0;   // of a merge's list B
    uint64_t segments = 0; // head indices or offset pairs
    uint64_t all() const { return elements + second; }
};

struct Binding {
    Source source = Source::none;
    uint64_t offset = 0;      // from the source's own offset
    uint64_t fixedSize = 0;   // bytes that do not follow the count
    uint64_t elementSize = 0; // bytes an element
    uint64_t secondSize = 0;  // bytes an element of list B
    uint64_t segmentSize = 0; // bytes a segment
    uint64_t elementBits = 0;
    uint32_t slackDivisor = 0; // not 0: the elements' bytes, divided by this, are added
    // Bytes bound: whole words, since shaders read words.
    uint64_t size(const Counts& counts) const {
        return (fixedSize + elementSize * counts.elements + secondSize * counts.second + segmentSize * counts.segments +
                (elementBits * counts.elements + 7) / 8 +
                (slackDivisor == 0 ? 0 : elementSize * counts.elements / slackDivisor) + 3) /
               4 * 4;
    }
};

enum class Dispatch : uint8_t {
    one,          // one workgroup
    fixed,        // groupsLimit workgroups
    per_elements, // ceil(count / divisor) workgroups, the count known to the host
    indirect,     // DispatchArgs in scratch at indirectOffset
};

struct Pass {
    const char* name = "";
    ModuleId module = 0;
    // Passes of one step have no barrier in between: all but one have nothing to do. Passes of a step see what earlier steps
    // have written.
    uint32_t step = 0;
    // Not null: kernel `module` is that one of the comparator's (src/comparator.h).
    VksortComparator comparator = VK_NULL_HANDLE;
    uint32_t specialization[kSpecCountOf] = {};
    uint32_t requiredSubgroupSize = 0; // 0: any
    bool checked = false;   // buffers' bounds, where a pipeline may choose, even if not all passes of the module are
    uint32_t pushBlock = 0; // of Plan::push
    uint32_t digitPass = 0; // becomes PushHeader::pass: digit position, merge pass, stage
    Dispatch dispatch = Dispatch::one;
    uint32_t divisor = 1;             // per_elements, and the model of an indirect dispatch; 0: no workgroups
    uint32_t groupsLimit = 0;         // at most this many workgroups; 0: no limit
    uint32_t leastGroups = 0;         // per_elements: at least this many
    uint32_t extraGroups = 0;         // per_elements: and this many more
    uint64_t indirectOffset = 0;      // bytes from the start of scratch
    bool writesArgs = false;          // sizes later indirect dispatches
    uint32_t bytesReadPerElement = 0; // traffic model
    uint32_t bytesWrittenPerElement = 0;
};

// Push constants that passes have in common. They begin with a PushHeader, whose count and pass are filled in while
// recording, as are the other counts of their kind.
enum class PushKind : uint8_t { radix, merge, gather, commands };
struct PushBlock {
    PushKind kind = PushKind::radix;
    uint32_t size = 0;
    alignas(4) unsigned char bytes[kMaxPushBytes] = {};
};
inline constexpr uint32_t kMostPushBlocks = 2; // msd has passes of onesweep besides its own

// Where a plan stands among those of one recording. If the count is on the GPU, plans for smaller counts may come before the
// plan for maxCount, and all begin at once: their passes have barriers in between only where they follow each other in one
// plan, and all passes of a plan whose counts do not include the count leave at once or have no workgroups.
struct Place {
    uint32_t index = 0;
    uint32_t plans = 1;
    uint64_t least = 0; // counts below are sorted by the plans before
    bool is_shared() const { return plans > 1; }
    bool is_last() const { return index + 1 == plans; }
};
inline constexpr uint32_t kMostSmallerPlans = 4;
inline constexpr uint32_t kMostPlans = kMostSmallerPlans + 1;
// Plans of one recording, including the plan that writes indirect commands.
inline constexpr uint32_t kMostRecorded = kMostPlans + 1;

// A plan for smaller counts than another's maxCount, if the count is on the GPU.
struct SmallerPlan {
    uint64_t mostElements = 0;
    VksortAlgorithm algorithm = VKSORT_ALGORITHM_AUTO;
};

struct SmallerPlans {
    SmallerPlan plans[kMostSmallerPlans];
    uint32_t count = 0;
};

struct Plan {
    VksortPlanDesc desc = {};
    VksortPlanInfo info = {};
    Place place;
    SmallerPlans smaller; // of the last plan: those before it
    PushBlock push[kMostPushBlocks];
    Binding bindings[kBindingCountOf];
    Pass passes[VKSORT_MAX_PASSES];
    uint32_t steps = 0;
};

// Calls visit(index of a plan, pass) for each pass of plans that share a recording, in the order of recording: step by step.
// Every second step goes backwards through the plans, since the bindings change from plan to plan.
template <typename Visit> void for_each_pass(const Plan* const* plans, uint32_t count, Visit&& visit) {
    uint32_t steps = 0;
    for (uint32_t i = 0; i < count; ++i) {
        steps = plans[i]->steps > steps ? plans[i]->steps : steps;
    }
    for (uint32_t step = 0; step < steps; ++step) {
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t index = step % 2 == 0 ? i : count - 1 - i;
            const Plan& plan = *plans[index];
            for (uint32_t pass = 0; pass < plan.info.passCount; ++pass) {
                if (plan.passes[pass].step == step) {
                    visit(index, plan.passes[pass]);
                }
            }
        }
    }
}

inline constexpr uint32_t kRankBallots = 1;  // of a subgroup
inline constexpr uint32_t kRankCounters = 2; // no subgroup operations: one_workgroup and reduce_scan
inline constexpr uint32_t kRankAtomics = 3;  // as ballots; where there is such a kernel, what shared atomics return

// Choices that only tests, the tuner and plain plans make; all zero otherwise.
struct PlanOverrides {
    uint32_t stallModulo = 0;
    uint32_t workgroupSize = 0;
    uint32_t keysPerThread = 0;
    uint32_t stageRounds = 0;
    uint32_t spinLimit = 0;
    uint32_t rank = 0;           // kRank...; 0: by the device
    uint32_t disorderModulo = 0; // of kRankAtomics: of this number of tiles one comes out in another order at first
    uint32_t drainGroups = 0;
    uint32_t mergeWays = 0;              // of merge sort by a comparator: 2 or 4 lists a pass; 0: by device and count
    uint32_t prefetchTiles = 0;          // of merges, see MergeTuning
    bool mergePartition = false;         // of merges, see merge_has_partition()
    uint32_t partitionWorkgroupSize = 0; // msd: of the partition, where it is not to be as the finish
    uint32_t partitionKeysPerThread = 0;
    uint32_t largeWorkgroupSize = 0; // msd: of the large finish
    uint32_t largeKeysPerThread = 0; // the same; sample_sort: of a bucket; 0, with keysPerThread: twice those of the tile
    // Sample_sort: whether the second step ranks elements or gathers buckets.
    enum class SampleStep : uint8_t { by_count, ranks, buckets } sampleStep = SampleStep::by_count;
    uint32_t leftElements = 0;        // sample_sort: from how many on onesweep sorts what is not spread evenly, if it can
    uint32_t sampleKeysPerThread = 0; // sample_sort: of the samples; 0, with keysPerThread: as many as of the tile
    // Onesweep behind others: in one dispatch or not.
    enum class Sweeps : uint8_t { by_count, apart, together } sweeps = Sweeps::by_count;
    // onesweep: what numbers tiles; backwards as on a device that starts the last workgroup first.
    enum class TileNumbers : uint8_t { by_device, tickets, groups, groups_backwards } tileNumbers = TileNumbers::by_device;
    uint32_t manyElements = 0; // bucket_sort: from how many on msd sorts what is not for buckets
    // One_workgroup, of packed keys and indices: values of one word have shared memory of their own, if it is large enough.
    bool ownSharedMemory = true;
    // One_workgroup: bins follow 4-byte keys without values that are not even, whatever they are and however few.
    bool skewedBins = false;
    bool bucketArgs = false; // bucket_sort: its setup sizes its other passes, however few elements
    // Bucket_sort: the most buckets that one level scatters keys to; sample_sort: workgroups that sort buckets, at most.
    uint32_t bucketsAtOnce = 0;
    // Bucket_sort: chunks of its coarse buckets, 4 at most, that have passes of their own.
    uint32_t coarseBucketChunks = 0;
    bool indexed = false; // msd with values: the finish sorts packed keys and indices wherever it can
    // Merge family: passes learn their slots, and kernels of msd and size_classes their flags, when they are executed.
    bool fewPipelines = false;
    // Plans for smaller counts than maxCount, by rising counts. Without any, they are chosen by device and description.
    SmallerPlans smaller = SmallerPlans();
    bool alone = false; // no plans for smaller counts
    // Plans that share a recording: a barrier before each pass, also between those of a step, and all wait for sizes of
    // dispatches. Validation that takes all that a kernel might access for accessed asks for that.
    bool separatesPasses = false;
    bool noFallback = false; // of msd: its levels sort skewed keys, too
    uint32_t levels = 0;     // of msd: the most, where onesweep may sort what they leave together
};

// Whether the algorithm takes desc.maxCount elements, and the device can have the bindings and buffers that they need. Pure.
bool fits_device(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                 VksortAlgorithm algorithm);

struct KernelSet;

// The result for a description that cannot be planned.
inline constexpr VkResult kRefused = VK_ERROR_FORMAT_NOT_SUPPORTED;

// Refuses in words descriptions that contradict themselves, whatever the device. Pure.
VkResult check_desc(const VksortPlanDesc& desc, Message& message);

// Refuses in words what needs kernels that a build has not. Pure.
VkResult check_kernels(const KernelSet& built, const VksortPlanDesc& desc, Message& message);

// Checks the description, chooses the algorithm, lays out scratch and lists the passes. Pure.
VkResult make_plan(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides, Plan& plan,
                   Message& message);

// Makes plan `index` of the plan.place.plans that are recorded together, of which `plan` is the last. Pure.
void make_smaller_plan(const VksortDeviceInfo& device, const PlanOverrides& overrides, const Plan& plan, uint32_t index,
                       Plan& smaller);

// Makes the plan that writes indirect commands in the recording of `plan`, which has VKSORT_PLAN_WRITE_COMMANDS_BIT. Pure.
void make_commands_plan(const VksortDeviceInfo& device, const Plan& plan, Plan& commands);

// The plan that sorts until `plan`, which has VKSORT_PLAN_PREPARE_LATER_BIT, is prepared: one of few pipelines that are
// quick to make, and with the same buffers. False if there is none, so that `plan` has to be prepared at once. Pure.
bool make_plain_plan(const VksortDeviceInfo& device, const Plan& plan, Plan& plain);

} // namespace vksort
