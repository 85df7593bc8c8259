// SPDX-License-Identifier: MIT
//
// The sizes of selection's kernel.
#include "tuning_rows.h"

namespace vksort {

namespace {

constexpr Row kSelectionRows[] = {
    // NVIDIA H100, driver 580.159.04, graphics queue, 2026-11, µs of u32, u32+4, u64 and u64+4: 2^12 8.0, 8.5, 9.1, 9.4 (512x8 8.2, 8.5, 9.2, 9.8), 2^13
    // 9.1, 9.8, 11.1, 11.3. Of 2^14 by 512x32 11.7, 13.6, 16.0, 17.2.
    {kVendorNvidia, 1, kAnyValues, 1024, 2, 1},
    {kVendorNvidia, 2, kAnyValues, 1024, 2, 1},
    {kVendorNvidia, 1, kAnyValues, 1024, 4, 1},
    {kVendorNvidia, 2, kAnyValues, 1024, 4, 1},
    {kVendorNvidia, 1, kAnyValues, 1024, 8, 1},
    {kVendorNvidia, 2, kAnyValues, 1024, 8, 1},
    {kVendorNvidia, 1, kAnyValues, 1024, 16, 1},
    {kVendorNvidia, 2, kAnyValues, 1024, 16, 1},
    // Any device. Not measured.
    {0, 1, kAnyValues, 256, 8, 1},
    {0, 2, kAnyValues, 256, 8, 1},
    {0, 1, kAnyValues, 512, 16, 1},
    {0, 2, kAnyValues, 512, 16, 1},
    {0, 1, kAnyValues, 128, 16, 1},
    {0, 2, kAnyValues, 128, 16, 1},
};

// Elements that a workgroup writes. (H100, as above: with 32, 64 and 128 2^12 8.1, 8.1, 8.0, pairs 8.4, 8.6, 8.5, 2^13 with 64 and 128 8.9 and 9.1, 9.8 and 9.8.)
constexpr uint32_t kEach = 128;

} // namespace

SelectionTuning selection_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t wanted,
                                 const PlanOverrides& overrides) {
    SelectionTuning tuning;
    tuning.each = overrides.selectedEach != 0 ? overrides.selectedEach : kEach;
    const uint32_t gathered = (tuning.each + kMostInSelectionBin) * (keyWords + (valueWords > 0 ? 1 : 0));
    const auto shared_bytes = [gathered](const RankTuning& kernel) {
        const uint32_t bins = kSelectionBins + kernel.workgroupSize; // rounded up to the workgroup's
        const uint32_t scan = 2 * kernel.workgroupSize;
        return (bins + gathered + scan) * 4 + 64;
    };
    tuning.kernel = choose(kSelectionRows, device, keyWords, valueWords, overrides, shared_bytes, wanted);
    return tuning;
}

} // namespace vksort
