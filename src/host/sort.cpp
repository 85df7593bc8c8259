// SPDX-License-Identifier: MIT
//
// Sorts and segmented sorts of data in host memory.
#include "operation.hpp"

namespace vksort::host {

namespace {

// The buffers that sorts and segmented sorts have in common, and their contents.
class SortData {
public:
    SortData(const Operation& operation, const SortRequest& request, const VksortPlanDesc& desc)
        : request_(request), separate_(desc.result == VKSORT_RESULT_SEPARATE), discard_keys_(discards_keys(desc)),
          key_bytes_(request.keys.size()), value_bytes_(desc.maxCount * moved_value_size(desc)) {
        const bool has_values = moved_value_size(desc) != 0;
        keys_ = operation.buffer(true, key_bytes_);
        values_ = operation.buffer(has_values && !(is_argsort(desc) && separate_), value_bytes_);
        keys_out_ = operation.buffer(separate_ && !discard_keys_, key_bytes_);
        values_out_ = operation.buffer(separate_ && has_values, value_bytes_);
    }

    template <class Buffers> void set(Buffers& buffers) const {
        buffers.keys.buffer = keys_.handle();
        buffers.values.buffer = values_.handle();
        buffers.keysOut.buffer = keys_out_.handle();
        buffers.valuesOut.buffer = values_out_.handle();
    }

    void upload() {
        Transfer uploading(request_, "uploading", request_.keys.size() + request_.values.size());
        uploading.upload(keys_, request_.keys);
        uploading.upload(values_, request_.values);
    }

    // From the alternate buffers where they hold the result.
    void download(SortOutcome& outcome, const Buffer* keys_alternate, const Buffer* values_alternate) const {
        Transfer downloading(request_, "downloading", (discard_keys_ ? 0 : key_bytes_) + value_bytes_);
        if (!discard_keys_) {
            const Buffer& keys = keys_alternate != nullptr ? *keys_alternate : separate_ ? keys_out_ : keys_;
            outcome.keys = downloading.download(keys, key_bytes_);
        }
        const Buffer& values = values_alternate != nullptr ? *values_alternate : separate_ ? values_out_ : values_;
        outcome.values = downloading.download(values, value_bytes_);
    }

    uint64_t key_bytes() const { return key_bytes_; }
    uint64_t value_bytes() const { return value_bytes_; }

private:
    const SortRequest& request_;
    bool separate_;
    bool discard_keys_;
    uint64_t key_bytes_;
    uint64_t value_bytes_;
    Buffer keys_;
    Buffer values_;
    Buffer keys_out_;
    Buffer values_out_;
};

} // namespace

SortOutcome sort(Device& device, const SortRequest& request) {
    VksortPlanDesc desc = request.desc;
    desc.operation = VKSORT_OPERATION_SORT;
    desc.maxCount = checked_count(request, request.keys, request.values);
    Operation operation(device, request, desc);
    SortData data(operation, request, desc);
    const bool ping_pong = desc.result == VKSORT_RESULT_PING_PONG;
    const Buffer keys_alternate = operation.buffer(ping_pong, data.key_bytes());
    const Buffer values_alternate = operation.buffer(ping_pong && moved_value_size(desc) != 0, data.value_bytes());

    VksortSortBuffers buffers = {};
    data.set(buffers);
    buffers.keysAlternate.buffer = keys_alternate.handle();
    buffers.valuesAlternate.buffer = values_alternate.handle();
    buffers.count = operation.warm_up_count(desc.maxCount);
    operation.warm_up(buffers, vksortCmdSort);
    data.upload();
    buffers.count = desc.maxCount;
    operation.run("sorting", buffers, vksortCmdSort);

    SortOutcome outcome = operation.outcome(desc.maxCount);
    const bool alternate = ping_pong && operation.info().resultInAlternate == VK_TRUE;
    data.download(outcome, alternate ? &keys_alternate : nullptr, alternate ? &values_alternate : nullptr);
    return outcome;
}

SortOutcome segmented_sort(Device& device, const SegmentedSortRequest& request) {
    VksortPlanDesc desc = request.desc;
    desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
    desc.maxCount = checked_count(request, request.keys, request.values);
    if (desc.segments == VKSORT_SEGMENTS_HEAD_FLAGS && request.segments.size() < (desc.maxCount + 31) / 32) {
        throw Error(Error::Kind::usage, "there are " + std::to_string(request.segments.size()) +
                                            " words of head flags, where " + std::to_string(desc.maxCount) + " keys need " +
                                            std::to_string((desc.maxCount + 31) / 32));
    }
    if (desc.segments == VKSORT_SEGMENTS_OFFSETS && request.segments.size() % 2 != 0) {
        throw Error(Error::Kind::usage, std::to_string(request.segments.size()) + " offsets are not pairs of begin and end");
    }
    if (desc.segments == VKSORT_SEGMENTS_OFFSET_COUNTS && request.segments.size() % 2 != 0) {
        throw Error(Error::Kind::usage,
                    std::to_string(request.segments.size()) + " words are not pairs of offset and count");
    }
    switch (desc.segments) {
    case VKSORT_SEGMENTS_HEAD_INDICES: desc.maxSegments = request.segments.size(); break;
    case VKSORT_SEGMENTS_OFFSETS:
    case VKSORT_SEGMENTS_OFFSET_COUNTS: desc.maxSegments = request.segments.size() / 2; break;
    default: desc.maxSegments = 0;
    }
    Operation operation(device, request, desc);
    SortData data(operation, request, desc);
    Buffer segments = operation.buffer(true, request.segments.size_bytes());

    VksortSegmentedSortBuffers buffers = {};
    data.set(buffers);
    buffers.segments.buffer = segments.handle();
    buffers.count = operation.warm_up_count(desc.maxCount);
    buffers.segmentCount = desc.maxSegments;
    operation.warm_up(buffers, vksortCmdSegmentedSort);
    segments.upload(std::as_bytes(request.segments));
    data.upload();
    buffers.count = desc.maxCount;
    operation.run("sorting", buffers, vksortCmdSegmentedSort);

    SortOutcome outcome = operation.outcome(desc.maxCount);
    data.download(outcome, nullptr, nullptr);
    return outcome;
}

} // namespace vksort::host
