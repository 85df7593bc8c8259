// SPDX-License-Identifier: MIT
//
// Rows of sizes, and how the first one that fits a device is chosen.
#pragma once

#include "tuning.h"

namespace vksort {

inline constexpr uint32_t kAnyCpu = 1; // no vendor has this id

struct Row {
    uint32_t vendorId; // 0: any device; kAnyCpu: any CPU driver
    uint32_t keyWords;
    uint32_t valueWords; // at most
    uint32_t workgroupSize;
    uint32_t keysPerThread;
    uint32_t stageRounds;
};

inline constexpr uint32_t kAnyValues = 4;
// Keys of an invocation that shaders/thread/window_sort.glsl can sort.
inline constexpr uint32_t kMostWindowKeys = 32;

bool applies(uint32_t vendorId, const VksortDeviceInfo& device);
// Whether kernels that can rank by ballots or by counters rank by ballots: as the overrides ask, or as is faster on the device.
bool ranks_by_ballots(const VksortDeviceInfo& device, const PlanOverrides& overrides);
// A kernel that ranks by ballots counts digits in 1 KiB of shared memory a subgroup. Subgroups narrower than 8 lanes, which CPU drivers have, leave
// room for sixteen of them: by how much a workgroup of so many invocations is to be smaller. Its invocations have as many more keys.
uint32_t narrowed_by(uint32_t workgroupSize, uint32_t subgroupSize);
bool fits(const VksortDeviceInfo& device, const RankTuning& tuning, uint32_t sharedBytes);

// Shared memory of workgroup/bin_sort.glsl.
uint32_t bin_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords);
// Of the finish of msd and msd, and of the sorts of what it leaves over, whichever takes most.
uint32_t finish_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords);
PlanOverrides with_uniform_keys(PlanOverrides overrides);

// `shared_bytes` tells what a tuning needs. The first row whose tile has at least `wanted` elements, or else the largest tile. Rows are of a kernel that
// ranks by ballots, which needs a known subgroup size, or of one that ranks by counters.
template <size_t Count, typename SharedBytes>
RankTuning choose(const Row (&rows)[Count], const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                  const PlanOverrides& overrides, const SharedBytes& shared_bytes, uint64_t wanted = 0, bool byBallots = true) {
    RankTuning largest;
    const uint32_t subgroupSize = byBallots ? known_subgroup_size(device) : 1;
    for (const Row& row : rows) {
        if (subgroupSize == 0 || !applies(row.vendorId, device) || row.keyWords != keyWords || valueWords > row.valueWords) {
            continue;
        }
        RankTuning tuning;
        tuning.ballot = byBallots;
        tuning.subgroupSize = subgroupSize;
        tuning.workgroupSize = overrides.workgroupSize != 0 ? overrides.workgroupSize : row.workgroupSize;
        tuning.keysPerThread = overrides.keysPerThread != 0 ? overrides.keysPerThread : row.keysPerThread;
        // A row's rounds divide its own keys per thread only.
        tuning.stageRounds = overrides.keysPerThread == 0 ? row.stageRounds : 1;
        if (overrides.stageRounds != 0 && byBallots) {
            tuning.stageRounds = overrides.stageRounds;
        }
        if (byBallots) {
            const uint32_t narrowed = narrowed_by(tuning.workgroupSize, subgroupSize);
            tuning.workgroupSize /= narrowed;
            tuning.keysPerThread *= narrowed;
        }
        if (fits(device, tuning, shared_bytes(tuning))) {
            if (tuning.tile_size() >= wanted) {
                return tuning;
            }
            largest = tuning.tile_size() > largest.tile_size() ? tuning : largest;
        }
    }
    return largest;
}

// For kernels that sort a tile by bins: without values an invocation's keys are a window of two halves (workgroup/bin_sort.glsl), so that rows
// with an odd number are for values only.
template <size_t Count, typename SharedBytes>
RankTuning choose_for_bins(const Row (&rows)[Count], const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                           const PlanOverrides& overrides, const SharedBytes& shared_bytes, uint64_t wanted, bool byBallots = true) {
    const auto bytes_where_uniform = [&](const RankTuning& tuning) {
        const bool isWindow = tuning.keysPerThread % 2 == 0 && tuning.keysPerThread <= kMostWindowKeys;
        return valueWords == 0 && !isWindow ? UINT32_MAX : shared_bytes(tuning);
    };
    return choose(rows, device, keyWords, valueWords, overrides, bytes_where_uniform, wanted, byBallots);
}

} // namespace vksort
