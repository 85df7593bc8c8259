// SPDX-License-Identifier: MIT
//
// Merges of two sorted arrays in host memory.
#include "operation.hpp"

namespace vksort::host {

SortOutcome merge(Device& device, const MergeRequest& request) {
    VksortPlanDesc desc = request.desc;
    desc.operation = VKSORT_OPERATION_MERGE;
    desc.result = VKSORT_RESULT_SEPARATE;
    desc.maxCount = checked_count(request, request.keys_a, request.values_a);
    desc.maxCountB = checked_count(request, request.keys_b, request.values_b);
    const uint64_t count = desc.maxCount + desc.maxCountB;
    const bool has_values = moved_value_size(desc) != 0;
    const bool reads_values = has_values && !is_argsort(desc);
    const uint64_t key_bytes = discards_keys(desc) ? 0 : request.keys_a.size() + request.keys_b.size();
    const uint64_t value_bytes = count * moved_value_size(desc);

    Operation operation(device, request, desc);
    Buffer keys_a = operation.buffer(true, request.keys_a.size());
    Buffer keys_b = operation.buffer(true, request.keys_b.size());
    Buffer values_a = operation.buffer(reads_values, request.values_a.size());
    Buffer values_b = operation.buffer(reads_values, request.values_b.size());
    const Buffer keys_out = operation.buffer(!discards_keys(desc), key_bytes);
    const Buffer values_out = operation.buffer(has_values, value_bytes);

    VksortMergeBuffers buffers = {};
    buffers.keysA.buffer = keys_a.handle();
    buffers.keysB.buffer = keys_b.handle();
    buffers.valuesA.buffer = values_a.handle();
    buffers.valuesB.buffer = values_b.handle();
    buffers.keysOut.buffer = keys_out.handle();
    buffers.valuesOut.buffer = values_out.handle();
    buffers.countA = operation.warm_up_count(desc.maxCount);
    buffers.countB = operation.warm_up_count(desc.maxCountB);
    operation.warm_up(buffers, vksortCmdMerge);

    Transfer uploading(request, "uploading",
                       request.keys_a.size() + request.keys_b.size() + request.values_a.size() + request.values_b.size());
    uploading.upload(keys_a, request.keys_a);
    uploading.upload(keys_b, request.keys_b);
    uploading.upload(values_a, request.values_a);
    uploading.upload(values_b, request.values_b);
    buffers.countA = desc.maxCount;
    buffers.countB = desc.maxCountB;
    operation.run("merging", buffers, vksortCmdMerge);

    SortOutcome outcome = operation.outcome(count);
    Transfer downloading(request, "downloading", key_bytes + value_bytes);
    if (!discards_keys(desc)) {
        outcome.keys = downloading.download(keys_out, key_bytes);
    }
    outcome.values = downloading.download(values_out, value_bytes);
    return outcome;
}

} // namespace vksort::host
