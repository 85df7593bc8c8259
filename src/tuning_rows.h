// SPDX-License-Identifier: MIT
//
// Rows of kernel sizes, and how the first row that fits a device is chosen. docs/log/tuning.md has the figures behind them.
#pragma once

#include "tuning.h"

namespace vksort {

inline constexpr uint32_t kAnyCpu = 1; // no vendor has this id
inline constexpr uint32_t kAnyValues = 4;

// A row names its fields, in this order, and leaves out those with the value given here.
struct Row {
    uint32_t vendorId = 0;            // 0: any device; kAnyCpu: any CPU driver
    uint32_t keyWords = 1;            // 4-byte words of a key
    uint32_t valueWords = kAnyValues; // the most 4-byte words of a value; 0: keys-only
    uint32_t workgroupSize = 0;
    uint32_t keysPerThread = 0;
    uint32_t stageRounds = 1; // the tile goes through shared memory in this number of rounds
};

// The most keys of one invocation that shaders/thread/register_sort.glsl can sort.
inline constexpr uint32_t kMostRunKeys = 32;

bool applies(uint32_t vendorId, const VksortDeviceInfo& device);
// Whether kernels that can rank by ballots or by counters rank by ballots: the overrides decide, or else what is faster on
// the device.
bool ranks_by_ballots(const VksortDeviceInfo& device, const PlanOverrides& overrides);
// A kernel that ranks by ballots counts digits in 1 KiB of shared memory for each subgroup. With subgroups narrower than 8
// lanes, which CPU drivers have, a workgroup may have 16 subgroups. The result is the factor by which a workgroup of this
// size has to be smaller; its invocations have that many times as many keys.
uint32_t narrowed_by(uint32_t workgroupSize, uint32_t subgroupSize);
bool fits(const VksortDeviceInfo& device, const RankTuning& tuning, uint32_t sharedBytes);

// Shared memory of workgroup/bin_sort.glsl, in bytes.
uint32_t bin_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords);
// Shared memory of the finish of msd and size_classes, or of the kernels that sort what the finish leaves over, whichever is
// larger, in bytes.
uint32_t finish_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords);
PlanOverrides with_uniform_keys(PlanOverrides overrides);

// The first row that fits and whose tile has at least `wanted` elements, or else the largest tile that fits. `shared_bytes`
// returns the shared memory that a tuning needs. Kernels that rank by ballots need a known subgroup size; those that rank by
// counters do not.
template <size_t Count, typename SharedBytes>
RankTuning choose(const Row (&rows)[Count], const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                  const PlanOverrides& overrides, const SharedBytes& shared_bytes, uint64_t wanted = 0,
                  bool byBallots = true) {
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
        // The rounds of a row divide the keys per invocation of that row only.
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

// The same for kernels that sort a tile by bins. Without values these split the keys of an invocation into two halves
// (workgroup/bin_sort.glsl), so that rows with an odd number of keys are for values only.
template <size_t Count, typename SharedBytes>
RankTuning choose_for_bins(const Row (&rows)[Count], const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                           const PlanOverrides& overrides, const SharedBytes& shared_bytes, uint64_t wanted,
                           bool byBallots = true) {
    const auto bytes_where_uniform = [&](const RankTuning& tuning) {
        const bool isRegisterRun = tuning.keysPerThread % 2 == 0 && tuning.keysPerThread <= kMostRunKeys;
        return valueWords == 0 && !isRegisterRun ? UINT32_MAX : shared_bytes(tuning);
    };
    return choose(rows, device, keyWords, valueWords, overrides, bytes_where_uniform, wanted, byBallots);
}

} // namespace vksort
