// SPDX-License-Identifier: MIT
//
// A plan as data: which pipelines run, over what, in which order. Pure numbers, no Vulkan call; record.cpp executes it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../shaders/host/gather.h"
#include "../shaders/host/radix.h"
#include "vksort/vksort.h"

// The compiler checks the arguments of a printf-like function: positions of the text and of the first argument.
#if defined(__GNUC__)
#define VKSORT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VKSORT_PRINTF(text, first)
#endif

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
};
inline constexpr size_t kSourceCountOf = 9;

struct Binding {
    Source source = Source::none;
    uint64_t offset = 0;      // from the source's own offset
    uint64_t fixedSize = 0;   // bytes that do not follow the count
    uint64_t elementSize = 0; // bytes an element
    // Bytes bound for `count` elements: whole words, since shaders read words.
    uint64_t size(uint64_t count) const { return (fixedSize + elementSize * count + 3) / 4 * 4; }
};

enum class Dispatch : uint8_t {
    one,          // one workgroup
    per_elements, // ceil(count / divisor) workgroups, the count known to the host
    indirect,     // DispatchArgs in scratch at indirectOffset
};

struct Pass {
    const char* name = "";
    ModuleId module = 0;
    uint32_t specialization[kSpecCountOf] = {};
    uint32_t requiredSubgroupSize = 0; // 0: any
    uint32_t digitPass = 0;            // becomes PushHeader::pass
    Dispatch dispatch = Dispatch::one;
    uint32_t divisor = 1;             // per_elements, and the model of an indirect dispatch; 0: no workgroups
    uint32_t groupsLimit = 0;         // at most this many workgroups; 0: no limit
    uint64_t indirectOffset = 0;      // bytes from the start of scratch
    uint32_t bytesReadPerElement = 0; // traffic model
    uint32_t bytesWrittenPerElement = 0;
};

struct Plan {
    VksortPlanDesc desc = {};
    VksortPlanInfo info = {};
    // Push constants of every pass. They begin with a PushHeader, whose count and pass are filled in while recording.
    alignas(4) unsigned char push[kMaxPushBytes] = {};
    uint32_t pushSize = 0;
    Binding bindings[kBindingCountOf];
    Pass passes[VKSORT_MAX_PASSES];
};

// One sentence for the caller. Fixed room, so that no failure path allocates.
struct Message {
    char text[320] = {};
    VKSORT_PRINTF(2, 3) void format(const char* fmt, ...);
};

// Choices that only tests and the tuner make; all zero in production.
struct PlanOverrides {
    uint32_t stallModulo = 0;
    uint32_t workgroupSize = 0;
    uint32_t keysPerThread = 0;
    uint32_t stageRounds = 0;
    uint32_t spinLimit = 0;
    uint32_t rank = 0; // 1: subgroup ballots, 2: subgroup-free counters
};

// Checks the description, chooses the algorithm, lays out scratch and lists the passes. Pure.
VkResult make_plan(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides, Plan& plan,
                   Message& message);

} // namespace vksort
