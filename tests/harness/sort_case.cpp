// SPDX-License-Identifier: MIT
#include "sort_case.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "batch_item.h"
#include "context.h"
#include "describe.h"
#include "environment.h"

namespace vksort::test {

namespace {

// Around these a batch runs by itself: memory, and time until the first failure is seen.
constexpr uint64_t kBatchBytes = 48 << 20;
constexpr size_t kBatchItems = 64;

uint32_t varying_digits(ByteSpan keys, const reference::Order& order) {
    uint32_t size = reference::key_size(order.type);
    uint64_t varying = 0;
    for (uint64_t i = 0; i < keys.size(); i += size) {
        varying |= reference::digit_of(order, reference::load_bits(keys.data() + i, size)) ^
                   reference::digit_of(order, reference::load_bits(keys.data(), size));
    }
    uint32_t digits = 0;
    for (; varying != 0; varying >>= 8) {
        digits += (varying & 0xFF) != 0 ? 1 : 0;
    }
    return digits;
}

// onesweep: the lowest digit position needs no look-back.
bool scatters_first_digit(const VksortPlanDesc& desc) {
    const bool allBits = desc.endBit == 0 || (desc.beginBit == 0 && desc.endBit == reference::key_bits(desc.keyType));
    return desc.valueSize == 0 && (desc.flags & VKSORT_PLAN_ARGSORT_BIT) == 0 && allBits;
}

// The kernel that gives an algorithm away.
const char* kernel_of(VksortAlgorithm algorithm, const VksortPlanDesc& desc, PlanOverrides::SampleStep sampleStep) {
    switch (algorithm) {
    case VKSORT_ALGORITHM_ONE_WORKGROUP: return "one_workgroup";
    case VKSORT_ALGORITHM_ONESWEEP:
        return scatters_first_digit(desc) && reference::key_size(desc.keyType) == 1 ? "radix_scatter" : "radix_onesweep";
    case VKSORT_ALGORITHM_REDUCE_SCAN: return "radix_upsweep";
    case VKSORT_ALGORITHM_SEGMENTED: return "segmented_blocksort";
    case VKSORT_ALGORITHM_SIZE_CLASSES:
    case VKSORT_ALGORITHM_MSD: return "msd_finish";
    case VKSORT_ALGORITHM_SAMPLE_SORT:
        return sampleStep == PlanOverrides::SampleStep::ranks     ? "sample_ranks"
               : sampleStep == PlanOverrides::SampleStep::buckets ? "sample_buckets"
                                                                  : "sample_";
    case VKSORT_ALGORITHM_BUCKET_SORT: return "bucket_finish";
    default: return desc.operation == VKSORT_OPERATION_MERGE ? "merge_pass" : "blocksort";
    }
}

Bytes slice(ByteSpan bytes, uint64_t size) { return Bytes(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size)); }

} // namespace

// The dense keys with something else between them.
Bytes strided(ByteSpan keys, VksortKeyType type, uint32_t stride, uint32_t offset, Random& random) {
    uint32_t size = reference::key_size(type);
    uint64_t count = keys.size() / size;
    Bytes bytes(count * stride);
    random.fill(bytes);
    for (uint64_t i = 0; i < count; ++i) {
        std::memcpy(bytes.data() + i * stride + offset, keys.data() + i * size, size);
    }
    return bytes;
}

void set_keys(VksortPlanDesc& desc, VksortKeyType type, const Ordering* ordering, const Limits& limits) {
    desc.keyType = ordering != nullptr ? VKSORT_KEY_COMPARATOR : type;
    if (ordering != nullptr) {
        desc.comparator = context(limits).comparator(ordering->name, ordering->kernels);
    }
}

std::vector<uint32_t> KeyOrder::argsort(ByteSpan keys) const {
    if (ordering == nullptr) {
        return reference::argsort(keys, order);
    }
    std::vector<uint32_t> words(keys.size() / 4);
    std::memcpy(words.data(), keys.data(), 4 * words.size());
    std::vector<uint32_t> indices(words.size() / ordering->key_words);
    std::iota(indices.begin(), indices.end(), 0u);
    std::stable_sort(indices.begin(), indices.end(), [&](uint32_t a, uint32_t b) {
        const auto key = [&](uint32_t i) { return &words[i * size_t{ordering->key_words}]; };
        return order.descending ? ordering->before(key(b), key(a)) : ordering->before(key(a), key(b));
    });
    return indices;
}

Bytes KeyOrder::generate(uint64_t count, Distribution distribution, uint64_t seed) const {
    if (ordering == nullptr) {
        return generate_keys(order.type, count, distribution, seed);
    }
    Random random(mix(seed, hash(ordering->name)));
    std::vector<uint32_t> words(count * ordering->key_words);
    for (uint64_t i = 0; i < count; ++i) {
        ordering->generate(random, &words[i * ordering->key_words]);
    }
    const ByteSpan bytes = std::as_bytes(std::span(words));
    const bool in_order = distribution == Distribution::sorted || distribution == Distribution::nearly_sorted;
    if (!in_order && distribution != Distribution::reversed) {
        return Bytes(bytes.begin(), bytes.end());
    }
    std::vector<uint32_t> indices = argsort(bytes);
    if (!in_order) {
        std::reverse(indices.begin(), indices.end());
    }
    if (distribution == Distribution::nearly_sorted && count > 0) {
        for (uint64_t i = 0; i < count / 50 + 1; ++i) {
            std::swap(indices[random.below(count)], indices[random.below(count)]);
        }
    }
    return reference::gather(bytes, key_size(), indices);
}

SortCase with_gpu_count(SortCase sort, uint32_t held, uint64_t max_count) {
    sort.gpu_count = held;
    sort.max_count = max_count;
    sort.count = std::min<uint64_t>(held, max_count);
    return sort;
}

VksortPlanDesc description_of(const SortCase& sort) {
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_SORT;
    set_keys(desc, sort.key, sort.ordering, sort.limits);
    desc.valueSize = sort.value_size;
    desc.flags = flag(sort.descending, VKSORT_PLAN_DESCENDING_BIT) | flag(sort.argsort, VKSORT_PLAN_ARGSORT_BIT) |
                 flag(sort.discard_keys, VKSORT_PLAN_DISCARD_KEYS_BIT) |
                 flag(sort.gpu_count.has_value(), VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) |
                 flag(sort.prepare_later, VKSORT_PLAN_PREPARE_LATER_BIT);
    desc.result = sort.result;
    desc.algorithm = sort.algorithm;
    desc.beginBit = sort.begin_bit;
    desc.endBit = sort.end_bit;
    desc.keyStride = sort.stride;
    desc.keyOffset = sort.offset;
    desc.maxCount = sort.capacity();
    return desc;
}

Batch::Batch() : Batch(test_seed()) {}
Batch::Batch(uint64_t seed) : seed_(seed) {}

Batch::~Batch() {
    if (!items_.empty()) {
        ADD_FAILURE() << "a batch was not run";
    }
}

void Batch::fail(const std::string& text) {
    if (failures_++ < kMostFailures) {
        ADD_FAILURE() << text;
    }
}

uint64_t Batch::next_seed(uint64_t wanted) {
    ++added_;
    return wanted != 0 ? wanted : mix(seed_, added_);
}

bool Batch::make_plan(Item& item, const Limits& limits, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    Context& owner = context(limits);
    if (owner.plan(desc, overrides, &item.plan) != VK_SUCCESS) {
        std::vector<std::string> messages = take_messages();
        fail(item.label + ": the plan was refused: " + (messages.empty() ? "without a message" : messages.front()));
        return false;
    }
    item.asks_for_sweeps = overrides.sweeps == PlanOverrides::Sweeps::together;
    vksortGetPlanInfo(item.plan, &item.info);
    const VksortPlanInfo& info = item.info;
    if (info.algorithm == VKSORT_ALGORITHM_AUTO && item.is_sort) {
        fail(item.label + ": the plan does not say which algorithm runs");
    }
    if (desc.algorithm != VKSORT_ALGORITHM_AUTO && info.algorithm != desc.algorithm) {
        fail(item.label + ": another algorithm was chosen: " + vksortAlgorithmName(info.algorithm));
    }
    if (info.maxCount != desc.maxCount || info.largestCount < info.maxCount || info.passCount == 0 ||
        info.passCount > VKSORT_MAX_PASSES) {
        fail(item.label + ": the plan's info makes no sense");
    }
    std::vector<VksortPassInfo> passes(VKSORT_MAX_PASSES);
    uint32_t pass_count = VKSORT_MAX_PASSES;
    if (describe_passes(owner.info(), desc, overrides, desc.maxCount + desc.maxCountB, pass_count, passes.data()) !=
            VK_SUCCESS ||
        pass_count != info.passCount) {
        fail(item.label + ": the passes described are not those of the plan");
    }
    bool found = !item.is_sort;
    const Recordable* recorded[kMostRecorded] = {};
    const Plan* plans[kMostRecorded] = {};
    const uint32_t plan_count = item.plan->list(item.plan->current(), recorded);
    for (uint32_t i = 0; i < plan_count; ++i) {
        plans[i] = &recorded[i]->plan;
    }
    for_each_pass(plans, plan_count, [&item](uint32_t, const Pass& pass) { item.pass_names.push_back(pass.name); });
    for (uint32_t i = 0; i < pass_count; ++i) {
        found = found || std::strstr(passes[i].kernel, kernel_of(info.algorithm, desc, overrides.sampleStep)) != nullptr;
    }
    if (!found) {
        fail(item.label + ": no pass is a kernel of " + vksortAlgorithmName(info.algorithm));
    }
    return true;
}

// A buffer that begins with `content` and has guard-like bytes up to its capacity.
Region Batch::place(const std::string& label, ByteSpan content, uint64_t capacity_bytes, uint64_t alignment) {
    Region region = data_arena().allocate(capacity_bytes, alignment, label);
    std::copy(content.begin(), content.end(), data_arena().bytes(region).begin());
    return region;
}

// At any word, with words before that would be plausible counts, too.
void Batch::place_counts(Item& item, std::span<const uint32_t> held) {
    std::vector<uint32_t> words(17 * added_ % 64,
                                1000); // as many for any seed: a recording may be submitted with other data
    const uint64_t before = 4 * words.size();
    words.insert(words.end(), held.begin(), held.end());
    Region region = place("the counts of " + item.label, std::as_bytes(std::span(words)), 4 * words.size(), 4);
    item.count_buffer.offset = region.offset + before;
    item.host_count.reset();
}

Region Batch::place_output(Item& item, const char* name, ByteSpan content, const Bytes& expected, uint64_t capacity,
                           uint32_t element, bool defined) {
    Region region = place(std::string(name) + " of " + item.label, content, capacity * element, alignment_for(element));
    item.outputs.push_back({name, region, expected, element, defined});
    return region;
}

Region Batch::place_input(Item& item, const char* name, ByteSpan content, uint64_t capacity, uint64_t element,
                          uint64_t stride) {
    return place(std::string(name) + " of " + item.label, content, capacity * std::max(element, stride),
                 alignment_for(element));
}

void Batch::begin_item() {
    if (items_.empty()) {
        data_arena().clear(mix(seed_, added_));
        scratch_arena().clear(mix(seed_, added_ + 1));
    }
}

void Batch::add(const SortCase& sort) {
    begin_item();
    auto owned = std::make_unique<Item>();
    Item& item = *owned;
    uint64_t seed = next_seed(sort.seed);
    item.label = describe(sort) + " (case " + std::to_string(added_) + ")";
    const VksortPlanDesc desc = description_of(sort);
    if (!make_plan(item, sort.limits, desc, sort.overrides)) {
        return;
    }
    const KeyOrder order = {{sort.key, sort.descending, sort.begin_bit, sort.end_bit}, sort.ordering};
    const uint32_t key_size = order.key_size();
    const uint32_t value_size = sort.argsort ? 4 : sort.value_size;
    const uint64_t capacity = sort.capacity();
    Random random(mix(seed, 7));
    item.count = sort.count;
    item.host_count = sort.count;
    item.input_keys = !sort.ordered_keys.empty() ? stored_keys(sort.key, sort.ordered_keys)
                      : sort.digit_mask          ? generate_digits(sort.key, sort.count, *sort.digit_mask, seed)
                                                 : order.generate(sort.count, sort.distribution, seed);
    item.varying = sort.ordering != nullptr ? 0 : varying_digits(item.input_keys, order.order);
    const std::vector<uint32_t> indices = order.argsort(item.input_keys);
    // Input that is in order by all bits has nothing sorted.
    const bool all_bits = sort.begin_bit == 0 && sort.end_bit % reference::key_bits(sort.key) == 0;
    if (all_bits && std::is_sorted(indices.begin(), indices.end())) {
        item.varying = 0;
    }
    Bytes sorted_keys = reference::gather(item.input_keys, key_size, indices);
    Bytes input_values = sort.argsort ? Bytes{} : generate_values(sort.count, value_size);
    Bytes sorted_values = sort.argsort ? slice(std::as_bytes(std::span(indices)), 4 * sort.count)
                                       : reference::gather(input_values, value_size, indices);

    struct Places {
        Region keys, values, keys_alternate, values_alternate, keys_out, values_out;
    } places;
    const bool values = value_size > 0;
    const bool keeps_keys = !sort.discard_keys;
    if (sort.result == VKSORT_RESULT_SEPARATE) {
        places.keys = sort.stride == 0
                          ? place_input(item, "keys", item.input_keys, capacity, key_size)
                          : place_input(item, "keys", strided(item.input_keys, sort.key, sort.stride, sort.offset, random),
                                        capacity, key_size, sort.stride);
        if (values && !sort.argsort) {
            places.values = place_input(item, "values", input_values, capacity, value_size);
        }
        if (keeps_keys) {
            places.keys_out = place_output(item, "keysOut", {}, sorted_keys, capacity, key_size, true);
        }
        if (values) {
            places.values_out = place_output(item, "valuesOut", {}, sorted_values, capacity, value_size, true);
        }
    } else {
        const bool ping_pong = sort.result == VKSORT_RESULT_PING_PONG;
        const bool alternate = ping_pong && item.info.resultInAlternate == VK_TRUE;
        places.keys = place_output(item, "keys", item.input_keys, sorted_keys, capacity, key_size, keeps_keys && !alternate);
        if (values) {
            places.values = place_output(item, "values", input_values, sorted_values, capacity, value_size, !alternate);
        }
        if (ping_pong) {
            places.keys_alternate =
                place_output(item, "keysAlternate", {}, sorted_keys, capacity, key_size, keeps_keys && alternate);
            if (values) {
                places.values_alternate =
                    place_output(item, "valuesAlternate", {}, sorted_values, capacity, value_size, alternate);
            }
        }
    }
    if (sort.gpu_count) {
        place_counts(item, {{*sort.gpu_count}});
    }
    item.record = [places](VkCommandBuffer commands, Item& self) {
        VksortSortBuffers buffers = {};
        buffers.keys = buffer_at(places.keys);
        buffers.values = buffer_at(places.values);
        buffers.keysAlternate = buffer_at(places.keys_alternate);
        buffers.valuesAlternate = buffer_at(places.values_alternate);
        buffers.keysOut = buffer_at(places.keys_out);
        buffers.valuesOut = buffer_at(places.values_out);
        buffers.scratch = self.scratch_buffer;
        buffers.count = self.host_count.value_or(0);
        set_call(buffers, self);
        vksortCmdSort(commands, self.plan, &buffers);
    };
    added(std::move(owned));
}

VksortPlanDesc description_of(const GatherCase& gather) {
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_GATHER;
    desc.valueSize = gather.record_size;
    desc.flags = flag(gather.gpu_count.has_value(), VKSORT_PLAN_COUNT_FROM_BUFFER_BIT);
    desc.maxCount = std::max(gather.count, gather.max_count);
    return desc;
}

void Batch::add(const GatherCase& gather) {
    begin_item();
    auto owned = std::make_unique<Item>();
    Item& item = *owned;
    uint64_t seed = next_seed(gather.seed);
    const uint64_t capacity = std::max(gather.count, gather.max_count);
    item.label = describe(gather) + " (case " + std::to_string(added_) + ")";
    item.is_sort = false;
    if (!make_plan(item, gather.limits, description_of(gather), {})) {
        return;
    }
    const uint64_t record_count = gather.record_count != 0 ? gather.record_count : capacity;
    Random random(seed);
    Bytes records(record_count * gather.record_size);
    random.fill(records);
    std::vector<uint32_t> indices(gather.count);
    for (uint32_t& index : indices) {
        index = static_cast<uint32_t>(random.below(record_count));
        if (gather.out_of_range && random.below(3) == 0) {
            uint32_t beyond[] = {static_cast<uint32_t>(record_count), static_cast<uint32_t>(record_count) + 1, 0x40000000,
                                 0x80000000, UINT32_MAX};
            index = beyond[random.below(std::size(beyond))];
        }
    }
    item.count = gather.count;
    item.host_count = gather.count;
    Region records_region = place("records of " + item.label, records, records.size(), 4);
    Region indices_region = place("indices of " + item.label, std::as_bytes(std::span(indices)), capacity * 4, 4);
    Region out = place("out of " + item.label, {}, capacity * gather.record_size, 4);
    item.outputs.push_back({"out", out, reference::gather(records, gather.record_size, indices), gather.record_size});
    if (gather.gpu_count) {
        place_counts(item, {{*gather.gpu_count}});
    }
    item.record = [=](VkCommandBuffer commands, Item& self) {
        VksortGatherBuffers buffers = {};
        buffers.records = data_arena().at(records_region);
        buffers.indices = data_arena().at(indices_region);
        buffers.out = data_arena().at(out);
        buffers.count = self.host_count.value_or(0);
        buffers.recordCount = gather.record_count;
        set_call(buffers, self);
        vksortCmdGather(commands, self.plan, &buffers);
    };
    added(std::move(owned));
}

void Batch::added(std::unique_ptr<Item> item) {
    if (item->info.scratchSize > 0 && !shares_scratch_) {
        item->scratch =
            scratch_arena().allocate(item->info.scratchSize, item->info.scratchAlignment, "scratch of " + item->label);
    }
    item->pool = std::make_unique<DescriptorPool>(item->info, 1);
    items_.push_back(std::move(item));
    if (!keeps_recording_ && !shares_scratch_ &&
        (items_.size() >= kBatchItems || data_arena().size() + scratch_arena().size() > kBatchBytes)) {
        run();
    }
}

bool Batch::run() {
    if (items_.empty()) {
        return failures_ == 0;
    }
    upload();
    if (keeps_recording_) {
        recording_ = std::make_unique<Recording>();
        recording_->record([this](VkCommandBuffer commands) {
            const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
            memory_barrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all, VK_PIPELINE_STAGE_TRANSFER_BIT, all);
            record(commands);
            memory_barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, all | VK_ACCESS_HOST_READ_BIT);
        });
        Recording::run({recording_.get()});
    } else {
        device().run([this](VkCommandBuffer commands) { record(commands); });
    }
    check_all();
    if (keeps_recording_) {
        recorded_ = std::move(items_);
    }
    items_.clear();
    return failures_ == 0;
}

bool Batch::run_again_with(const Batch& recorded) {
    const auto same = [](const std::unique_ptr<Item>& mine, const std::unique_ptr<Item>& theirs) {
        return mine->plan == theirs->plan && mine->host_count == theirs->host_count &&
               mine->count_buffer.offset == theirs->count_buffer.offset &&
               std::equal(mine->outputs.begin(), mine->outputs.end(), theirs->outputs.begin(), theirs->outputs.end(),
                          [](const Item::Output& a, const Item::Output& b) { return a.region.offset == b.region.offset; });
    };
    upload();
    if (!std::equal(items_.begin(), items_.end(), recorded.recorded_.begin(), recorded.recorded_.end(), same)) {
        fail("what was recorded is of other items, or of other places, than what is to run by it");
        items_.clear();
        return false;
    }
    for (size_t i = 0; i < items_.size(); ++i) {
        items_[i]->events = recorded.recorded_[i]->events;
    }
    Recording::run({recorded.recording_.get()});
    check_all();
    items_.clear();
    return failures_ == 0;
}

void Batch::upload() {
    Region shared;
    if (shares_scratch_) {
        uint64_t alignment = 1;
        for (const auto& item : items_) {
            shared.size = std::max(shared.size, item->info.scratchSize);
            alignment = std::max(alignment, item->info.scratchAlignment);
        }
        if (shared.size > 0) {
            shared = scratch_arena().allocate(shared.size, alignment, "the scratch that all share");
        }
    }
    data_arena().upload();
    scratch_arena().upload();
    for (const auto& item : items_) {
        if (shares_scratch_) {
            item->scratch = {shared.offset, item->info.scratchSize};
        }
        item->scratch_buffer = item->info.scratchSize > 0 ? scratch_arena().at(item->scratch) : VksortBuffer{};
        if (!item->host_count) {
            item->count_buffer = data_arena().at({item->count_buffer.offset, 4});
        }
    }
}

// The barriers around the sorts are the least that the plans ask for: synchronization validation tells if that is too
// little.
void Batch::record(VkCommandBuffer commands) {
    VkPipelineStageFlags first_stages = 0, last_stages = 0;
    VkAccessFlags first_access = 0, last_access = 0;
    for (const auto& item : items_) {
        first_stages |= item->info.firstStages;
        first_access |= item->info.firstAccess;
        last_stages |= item->info.lastStages;
        last_access |= item->info.lastAccess;
    }
    data_arena().record_upload(commands);
    scratch_arena().record_upload(commands);
    memory_barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, first_stages, first_access);
    const Item* before = nullptr;
    for (const auto& item : items_) {
        if (shares_scratch_ && before != nullptr) {
            plan_to_plan(commands, before->info, item->info);
        }
        item->record(commands, *item);
        before = item.get();
    }
    memory_barrier(commands, last_stages, last_access, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    data_arena().record_download(commands);
    scratch_arena().record_download(commands);
}

Outcome run_sort(const SortCase& sort) {
    Batch batch;
    batch.add(sort);
    batch.run();
    return batch.outcomes().empty() ? Outcome{} : batch.outcomes().front();
}

void expect_refused(const SortCase& sort, VkResult result, const std::string& part) {
    VksortPlan plan = VK_NULL_HANDLE;
    EXPECT_EQ(context(sort.limits).plan(description_of(sort), sort.overrides, &plan), result) << describe(sort);
    EXPECT_EQ(plan, static_cast<VksortPlan>(VK_NULL_HANDLE)) << describe(sort);
    expect_message(part);
}

} // namespace vksort::test
