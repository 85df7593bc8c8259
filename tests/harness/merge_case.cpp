// SPDX-License-Identifier: MIT
//
// Merges and segmented sorts as items of a batch.
#include <algorithm>
#include <numeric>

#include "batch_item.h"
#include "environment.h"

namespace vksort::test {

namespace {

Bytes slice(ByteSpan bytes, uint64_t offset, uint64_t size) {
    const ByteSpan part = bytes.subspan(offset, size);
    return Bytes(part.begin(), part.end());
}

Bytes bytes_of(std::span<const uint32_t> words) {
    const ByteSpan bytes = std::as_bytes(words);
    return Bytes(bytes.begin(), bytes.end());
}

Bytes sorted(ByteSpan keys, const KeyOrder& order) { return reference::gather(keys, order.key_size(), order.argsort(keys)); }

// The indices that sort every segment; elements outside stay.
std::vector<uint32_t> segmented_argsort(ByteSpan keys, uint64_t count, const KeyOrder& order,
                                        std::span<const Segment> segments) {
    const uint32_t size = order.key_size();
    std::vector<uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), 0u);
    for (const Segment& segment : segments) {
        const uint64_t begin = std::min<uint64_t>(segment.begin, count);
        const uint64_t end = std::min<uint64_t>(segment.end, count);
        if (begin < end) {
            const std::vector<uint32_t> order_within = order.argsort(keys.subspan(begin * size, (end - begin) * size));
            for (size_t i = 0; i < order_within.size(); ++i) {
                indices[begin + i] = static_cast<uint32_t>(begin) + order_within[i];
            }
        }
    }
    return indices;
}

// Pairs of offset and count, in an order that is always the same.
std::vector<uint32_t> shuffled_pairs(std::vector<Segment> segments) {
    Random random(mix(test_seed(), segments.size()));
    std::vector<uint32_t> words;
    for (; !segments.empty(); segments.pop_back()) {
        std::swap(segments[random.below(segments.size())], segments.back());
        words.insert(words.end(), {segments.back().begin, segments.back().end - segments.back().begin});
    }
    return words;
}

bool has_pairs(const SegmentedCase& sort) {
    return sort.kind == VKSORT_SEGMENTS_OFFSETS || sort.kind == VKSORT_SEGMENTS_OFFSET_COUNTS;
}

std::vector<uint32_t> words_of(const SegmentedCase& sort) {
    if (sort.kind == VKSORT_SEGMENTS_OFFSET_COUNTS) {
        return shuffled_pairs(sort.segments);
    }
    std::vector<uint32_t> words;
    if (sort.kind == VKSORT_SEGMENTS_HEAD_FLAGS) {
        words.assign((std::max(sort.count, sort.max_count) + 31) / 32, 0);
        for (uint64_t bit = sort.count + 1; bit < 32 * words.size(); ++bit) { // of which nobody may take notice
            words[bit / 32] |= 1u << (bit % 32);
        }
    }
    for (const Segment& segment : sort.segments) {
        if (sort.kind == VKSORT_SEGMENTS_OFFSETS) {
            words.insert(words.end(), {segment.begin, segment.end});
        } else if (segment.begin != 0 || !sort.leave_out_zero) {
            if (sort.kind == VKSORT_SEGMENTS_HEAD_INDICES) {
                words.push_back(segment.begin);
            } else if (segment.begin < std::max(sort.count, sort.max_count)) {
                words[segment.begin / 32] |= 1u << (segment.begin % 32);
            }
        }
    }
    return words;
}

const char* name_of(VksortSegments kind) {
    switch (kind) {
    case VKSORT_SEGMENTS_HEAD_FLAGS: return "head flags";
    case VKSORT_SEGMENTS_HEAD_INDICES: return "head indices";
    case VKSORT_SEGMENTS_OFFSETS: return "offsets";
    default: return "offsets and counts";
    }
}

uint64_t segment_count(const SegmentedCase& sort) {
    return sort.kind == VKSORT_SEGMENTS_HEAD_FLAGS     ? 0
           : sort.kind == VKSORT_SEGMENTS_HEAD_INDICES ? words_of(sort).size()
                                                       : sort.segments.size();
}

} // namespace

VksortPlanDesc description_of(const MergeCase& merge) {
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_MERGE;
    set_keys(desc, merge.key, merge.ordering, merge.limits);
    desc.valueSize = merge.value_size;
    desc.flags = flag(merge.descending, VKSORT_PLAN_DESCENDING_BIT) | flag(merge.argsort, VKSORT_PLAN_ARGSORT_BIT) |
                 flag(merge.discard_keys, VKSORT_PLAN_DISCARD_KEYS_BIT) |
                 flag(merge.gpu_counts, VKSORT_PLAN_COUNT_FROM_BUFFER_BIT);
    desc.result = VKSORT_RESULT_SEPARATE;
    desc.maxCount = std::max(merge.count_a, merge.max_a);
    desc.maxCountB = std::max(merge.count_b, merge.max_b);
    return desc;
}

std::string describe(const MergeCase& merge) {
    std::string text = std::string("merge of ") + KeyOrder{{.type = merge.key}, merge.ordering}.type_name();
    text += merge.argsort ? ", argsort" : merge.value_size > 0 ? ", values of " + std::to_string(merge.value_size) : "";
    text += merge.descending ? ", descending" : "";
    text += merge.discard_keys ? ", keys discarded" : "";
    text += ", " + std::to_string(merge.count_a) + " and " + std::to_string(merge.count_b);
    text += merge.gpu_counts ? " (from the GPU)" : "";
    text += merge.order_of_inputs < 0 ? ", A before B" : merge.order_of_inputs > 0 ? ", B before A" : "";
    return text + ", " + name_of(merge.distribution) + describe(merge.overrides) + describe(merge.limits);
}

void Batch::add(const MergeCase& merge) {
    begin_item();
    auto owned = std::make_unique<Item>();
    Item& item = *owned;
    const uint64_t seed = next_seed(merge.seed);
    item.label = describe(merge) + " (case " + std::to_string(added_) + ")";
    const VksortPlanDesc desc = description_of(merge);
    if (!make_plan(item, merge.limits, desc, merge.overrides)) {
        return;
    }
    const KeyOrder order = {{merge.key, merge.descending, 0, 0}, merge.ordering};
    const uint32_t key_size = order.key_size();
    const uint32_t value_size = merge.argsort ? 4 : merge.value_size;
    const uint64_t total = merge.count_a + merge.count_b;
    item.count = total;
    item.host_count = 0;

    Bytes keys = order.generate(total, merge.distribution, seed);
    if (merge.order_of_inputs != 0) {
        keys = sorted(keys, order);
    }
    const uint64_t a_bytes = merge.count_a * key_size;
    const uint64_t b_bytes = merge.count_b * key_size;
    const bool reversed = merge.order_of_inputs > 0;
    const Bytes keys_a = sorted(slice(keys, reversed ? b_bytes : 0, a_bytes), order);
    const Bytes keys_b = sorted(slice(keys, reversed ? 0 : a_bytes, b_bytes), order);
    item.input_keys = keys_a;
    item.input_keys.insert(item.input_keys.end(), keys_b.begin(), keys_b.end());
    // Both are sorted, so that a stable sort of one behind the other is their merge.
    const std::vector<uint32_t> indices = order.argsort(item.input_keys);
    const Bytes values = merge.argsort ? Bytes{} : generate_values(total, value_size);
    const Bytes merged_values = merge.argsort ? bytes_of(indices) : reference::gather(values, value_size, indices);

    struct Places {
        Region keys_a, keys_b, values_a, values_b, keys_out, values_out;
    } places;
    places.keys_a = place_input(item, "keysA", keys_a, desc.maxCount, key_size);
    places.keys_b = place_input(item, "keysB", keys_b, desc.maxCountB, key_size);
    if (value_size > 0 && !merge.argsort) {
        const ByteSpan all = values;
        places.values_a = place_input(item, "valuesA", all.first(merge.count_a * value_size), desc.maxCount, value_size);
        places.values_b = place_input(item, "valuesB", all.subspan(merge.count_a * value_size), desc.maxCountB, value_size);
    }
    const uint64_t capacity = desc.maxCount + desc.maxCountB;
    if (!merge.discard_keys) {
        places.keys_out = place_output(item, "keysOut", {}, reference::gather(item.input_keys, key_size, indices), capacity,
                                       key_size, true);
    }
    if (value_size > 0) {
        places.values_out = place_output(item, "valuesOut", {}, merged_values, capacity, value_size, true);
    }
    if (merge.gpu_counts) {
        const uint32_t counts[] = {static_cast<uint32_t>(merge.count_a), static_cast<uint32_t>(merge.count_b)};
        place_counts(item, counts);
    }
    item.record = [places, merge](VkCommandBuffer commands, Item& self) {
        VksortMergeBuffers buffers = {};
        buffers.keysA = buffer_at(places.keys_a);
        buffers.keysB = buffer_at(places.keys_b);
        buffers.valuesA = buffer_at(places.values_a);
        buffers.valuesB = buffer_at(places.values_b);
        buffers.keysOut = buffer_at(places.keys_out);
        buffers.valuesOut = buffer_at(places.values_out);
        buffers.scratch = self.scratch_buffer;
        buffers.countA = merge.gpu_counts ? 0 : merge.count_a;
        buffers.countB = merge.gpu_counts ? 0 : merge.count_b;
        set_call(buffers, self);
        vksortCmdMerge(commands, self.plan, &buffers);
    };
    added(std::move(owned));
}

VksortPlanDesc description_of(const SegmentedCase& sort) {
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
    desc.algorithm = sort.by;
    set_keys(desc, sort.key, sort.ordering, sort.limits);
    desc.valueSize = sort.value_size;
    desc.flags = flag(sort.descending, VKSORT_PLAN_DESCENDING_BIT) | flag(sort.argsort, VKSORT_PLAN_ARGSORT_BIT) |
                 flag(sort.discard_keys, VKSORT_PLAN_DISCARD_KEYS_BIT) |
                 flag(sort.gpu_count.has_value(), VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) |
                 flag(sort.gpu_segment_count, VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT) |
                 flag(sort.prepare_later, VKSORT_PLAN_PREPARE_LATER_BIT);
    desc.result = sort.result;
    desc.keyStride = sort.stride;
    desc.keyOffset = sort.offset;
    desc.maxCount = std::max(sort.count, sort.max_count);
    desc.segments = sort.kind;
    if (sort.kind != VKSORT_SEGMENTS_HEAD_FLAGS) {
        desc.maxSegments = std::max(segment_count(sort), sort.max_segments);
    }
    return desc;
}

std::string describe(const SegmentedCase& sort) {
    std::string text = std::string(vksortAlgorithmName(sort.by)) + " sort of segments of " +
                       KeyOrder{{.type = sort.key}, sort.ordering}.type_name();
    text += sort.argsort ? ", argsort" : sort.value_size > 0 ? ", values of " + std::to_string(sort.value_size) : "";
    text += sort.descending ? ", descending" : "";
    text += sort.discard_keys ? ", keys discarded" : "";
    text += sort.result == VKSORT_RESULT_SEPARATE ? ", separate" : ", in place";
    if (sort.stride != 0) {
        text += ", stride " + std::to_string(sort.stride) + " offset " + std::to_string(sort.offset);
    }
    text += describe_counts(sort.count, std::max(sort.count, sort.max_count), sort.gpu_count);
    text += ", " + std::to_string(sort.segments.size()) + " segments (" + sort.segments_name + ") by " + name_of(sort.kind);
    text += sort.gpu_segment_count ? " counted on the GPU" : "";
    text += ", " + (sort.ordered_keys.empty() ? name_of(sort.distribution) : sort.keys_name);
    return text + describe(sort.overrides) + describe(sort.limits);
}

void Batch::add(const SegmentedCase& sort) {
    begin_item();
    auto owned = std::make_unique<Item>();
    Item& item = *owned;
    const uint64_t seed = next_seed(sort.seed);
    item.label = describe(sort) + " (case " + std::to_string(added_) + ")";
    const VksortPlanDesc desc = description_of(sort);
    if (!make_plan(item, sort.limits, desc, sort.overrides)) {
        return;
    }
    const KeyOrder order = {{sort.key, sort.descending, 0, 0}, sort.ordering};
    const uint32_t key_size = order.key_size();
    const uint32_t value_size = sort.argsort ? 4 : sort.value_size;
    const uint64_t capacity = desc.maxCount;
    item.count = sort.count;
    item.host_count = sort.count;
    item.input_keys = !sort.ordered_keys.empty() ? stored_keys(sort.key, sort.ordered_keys)
                                                 : order.generate(sort.count, sort.distribution, seed);
    const std::span<const Segment> segments_kept = sort.any_permutation ? std::span<const Segment>{} : sort.segments;
    const std::vector<uint32_t> indices = segmented_argsort(item.input_keys, sort.count, order, segments_kept);
    const Bytes sorted_keys = reference::gather(item.input_keys, key_size, indices);
    const Bytes values = sort.argsort ? Bytes{} : generate_values(sort.count, value_size);
    const Bytes sorted_values = sort.argsort ? bytes_of(indices) : reference::gather(values, value_size, indices);

    struct Places {
        Region keys, values, keys_out, values_out, segments;
    } places;
    if (sort.result == VKSORT_RESULT_SEPARATE) {
        Random random(mix(seed, 7));
        places.keys = sort.stride == 0
                          ? place_input(item, "keys", item.input_keys, capacity, key_size)
                          : place_input(item, "keys", strided(item.input_keys, sort.key, sort.stride, sort.offset, random),
                                        capacity, key_size, sort.stride);
        if (value_size > 0 && !sort.argsort) {
            places.values = place_input(item, "values", values, capacity, value_size);
        }
        if (!sort.discard_keys) {
            places.keys_out = place_output(item, "keysOut", {}, sorted_keys, capacity, key_size, true);
        }
        if (value_size > 0) {
            places.values_out = place_output(item, "valuesOut", {}, sorted_values, capacity, value_size, true);
        }
    } else {
        places.keys = place_output(item, "keys", item.input_keys, sorted_keys, capacity, key_size, !sort.discard_keys);
        if (value_size > 0) {
            places.values = place_output(item, "values", values, sorted_values, capacity, value_size, true);
        }
    }
    for (Item::Output& output : item.outputs) {
        output.any_order = sort.any_permutation;
    }
    std::vector<uint32_t> words = words_of(sort);
    const uint64_t per_segment = has_pairs(sort) ? 8 : 4;
    const uint64_t segment_bytes = std::max(words.size() * 4, desc.maxSegments * per_segment);
    if (sort.gpu_segment_count) { // behind those that count, others that would do harm
        for (uint32_t position = 1; words.size() * 4 < segment_bytes; ++position) {
            words.push_back(position);
        }
    }
    places.segments = place("segments of " + item.label, std::as_bytes(std::span(words)), segment_bytes, 4);
    const uint64_t segments = segment_count(sort);
    if (sort.gpu_count || sort.gpu_segment_count) {
        const uint32_t counts[] = {sort.gpu_count.value_or(0xABCDu), static_cast<uint32_t>(segments)};
        place_counts(item, counts);
    }
    item.record = [places, sort, segments](VkCommandBuffer commands, Item& self) {
        VksortSegmentedSortBuffers buffers = {};
        buffers.keys = buffer_at(places.keys);
        buffers.values = buffer_at(places.values);
        buffers.keysOut = buffer_at(places.keys_out);
        buffers.valuesOut = buffer_at(places.values_out);
        buffers.segments = buffer_at(places.segments);
        buffers.scratch = self.scratch_buffer;
        buffers.count = sort.gpu_count ? 0 : sort.count;
        buffers.segmentCount = sort.gpu_segment_count ? 0 : segments;
        set_call(buffers, self);
        vksortCmdSegmentedSort(commands, self.plan, &buffers);
    };
    added(std::move(owned));
}

} // namespace vksort::test
