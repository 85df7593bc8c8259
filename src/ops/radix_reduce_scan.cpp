// SPDX-License-Identifier: MIT
//
// Least significant digit first, three dispatches a digit position, no waiting between workgroups; see
// shaders/radix_upsweep.comp, radix_spine.comp and radix_downsweep.comp.
#include "radix_common.h"
#include "shader_ids.h"

namespace vksort {

namespace {

constexpr const char* kUpsweepNames[kMaxDigitPasses] = {"digit 0 upsweep", "digit 1 upsweep", "digit 2 upsweep",
                                                        "digit 3 upsweep", "digit 4 upsweep", "digit 5 upsweep",
                                                        "digit 6 upsweep", "digit 7 upsweep"};
constexpr const char* kSpineNames[kMaxDigitPasses] = {"digit 0 spine", "digit 1 spine", "digit 2 spine", "digit 3 spine",
                                                      "digit 4 spine", "digit 5 spine", "digit 6 spine", "digit 7 spine"};
constexpr const char* kDownsweepNames[kMaxDigitPasses] = {"digit 0 downsweep", "digit 1 downsweep", "digit 2 downsweep",
                                                          "digit 3 downsweep", "digit 4 downsweep", "digit 5 downsweep",
                                                          "digit 6 downsweep", "digit 7 downsweep"};

constexpr KernelVariants kDownsweep = {kModule_radix_downsweep_k1_ballot, kModule_radix_downsweep_k1_counter,
                                       kModule_radix_downsweep_k2_ballot, kModule_radix_downsweep_k2_counter};

} // namespace

uint64_t reduce_scan_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const RadixShape shape(desc);
    const uint64_t tile = downsweep_tuning(device, shape.keyWords, shape.valueWords, overrides).tile_size();
    return tile == 0 ? 0 : UINT32_MAX - tile - 1; // the last tile's end is a word
}

void plan_reduce_scan(PlanBuilder& builder) {
    const VksortPlanDesc& desc = builder.plan.desc;
    const RadixShape shape(desc);
    const RankTuning tuning = downsweep_tuning(builder.device, shape.keyWords, shape.valueWords, builder.overrides);
    RadixPush push = radix_push(builder.device, desc, shape);
    const PlainTuning histogram = histogram_tuning(builder.device, builder.plan.desc.maxCount);
    const PlainTuning copy = copy_tuning(builder.device);
    const PlainTuning spine = {spine_workgroup_size(builder.device), 1, 0};
    push.tileSize = tuning.tile_size();
    push.histogramChunk = histogram.workgroupSize * histogram.keysPerThread;
    push.histogramGroups = histogram.maxGroups;
    push.copyChunk = copy.workgroupSize * copy.keysPerThread;
    push.spineGroups = spine_groups(builder.device);

    bind_state(builder, lay_out_state(shape, push, uint64_t{push.spineGroups} * kRadix));
    bind_radix_buffers(builder, shape, push);
    builder.set_push(push);

    add_setup_passes(builder, shape, push, Role::whole);
    for (uint32_t digitPass = 0; digitPass < shape.digitPasses; ++digitPass) {
        Pass& upsweep =
            builder.add_pass(kUpsweepNames[digitPass], by_key(shape, kModule_radix_upsweep_k1, kModule_radix_upsweep_k2));
        specialize(upsweep, histogram);
        upsweep.digitPass = digitPass;
        builder.size_by_args(upsweep, pass_args_offset(digitPass));
        upsweep.divisor = push.tileSize;
        upsweep.groupsLimit = push.spineGroups;
        upsweep.bytesReadPerElement = digitPass == 0 ? push.keyStride : shape.key_bytes();

        Pass& spinePass = builder.add_pass(kSpineNames[digitPass], kModule_radix_spine);
        specialize(spinePass, spine);
        spinePass.digitPass = digitPass;
        builder.size_by_args(spinePass, spine_args_offset(digitPass));
        spinePass.divisor = 1;
        spinePass.groupsLimit = kRadix;

        Pass& downsweep = builder.add_pass(kDownsweepNames[digitPass], kDownsweep.of(shape.keyWords, !tuning.ballot));
        specialize(downsweep, tuning, shape.valueWords);
        downsweep.digitPass = digitPass;
        builder.size_by_args(downsweep, pass_args_offset(digitPass));
        downsweep.divisor = push.tileSize;
        downsweep.groupsLimit = push.spineGroups;
        model_partition(downsweep, desc, shape, digitPass);
    }
    add_copy_pass(builder, shape, push, Role::whole);
    builder.plan.info.digitPasses = shape.digitPasses;
}

} // namespace vksort
