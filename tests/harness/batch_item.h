// SPDX-License-Identifier: MIT
//
// One item of a batch while it is under way, and what the files that make items share.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sort_case.h"

namespace vksort::test {

inline VkFlags flag(bool set, VksortPlanFlagBits bit) { return set ? static_cast<VkFlags>(bit) : 0; }

// The least that a buffer of such elements may be aligned to.
inline uint64_t alignment_for(uint64_t element) {
    return element == 8 || element == 16 ? element : element % 4 == 0 ? 4 : 1;
}

Bytes strided(ByteSpan keys, VksortKeyType type, uint32_t stride, uint32_t offset, Random& random);

// The order of a case's keys, and what follows from it.
struct KeyOrder {
    reference::Order order = {}; // its `descending` counts for comparators, too
    const Ordering* ordering = nullptr;

    uint32_t key_size() const { return ordering != nullptr ? 4 * ordering->key_words : reference::key_size(order.type); }
    std::vector<uint32_t> argsort(ByteSpan keys) const;
    Bytes generate(uint64_t count, Distribution distribution, uint64_t seed) const;
    const char* type_name() const { return ordering != nullptr ? ordering->name.c_str() : vksortKeyTypeName(order.type); }
};

// The key type of a description, or the comparator that takes its place.
void set_keys(VksortPlanDesc& desc, VksortKeyType type, const Ordering* ordering, const Limits& limits);

std::string hex(uint64_t bits, uint32_t size);
std::string hex(ByteSpan bytes);
std::string describe(const PlanOverrides& overrides);
std::string describe(const Limits& limits);
std::string describe_counts(uint64_t count, uint64_t max_count, const std::optional<uint32_t>& gpu_count);

struct Batch::Item {
    struct Output {
        std::string name;
        Region region;          // as allocated
        Bytes expected;         // what its first bytes must be
        uint32_t element;       // bytes
        bool defined = true;    // false: any content is allowed where `expected` would be
        bool any_order = false; // the elements of `expected` in any order will do
    };

    std::string label;
    VksortPlan plan = VK_NULL_HANDLE;
    VksortPlanInfo info = {};
    std::vector<std::string> pass_names; // as vksortDescribePasses gives them
    Region scratch;
    VksortBuffer scratch_buffer = {};
    VksortBuffer count_buffer = {};
    std::optional<uint64_t> host_count;
    std::vector<Output> outputs;
    Bytes input_keys;
    uint64_t count = 0;
    uint32_t varying = 0;
    bool is_sort = true;
    bool asks_for_sweeps = false; // onesweep in one dispatch, on every device
    std::unique_ptr<DescriptorPool> pool;
    std::function<void(VkCommandBuffer, Item&)> record;
    std::vector<std::pair<VksortPassEvent, std::string>> events; // the pass callback's calls
    std::string callback_error;

    // The one whose counts include this item's, of the plans that share its recording.
    const Plan& sorting_plan() const;

    static void on_pass(void* user, VkCommandBuffer, VksortPassEvent event, uint32_t index, const char* name) {
        Item& item = *static_cast<Item*>(user);
        if (index != item.events.size() / 2 || name == nullptr) {
            item.callback_error = "the pass callback was called out of order";
        }
        item.events.emplace_back(event, name == nullptr ? "" : name);
    }
};

// Nothing where there is no region: none begins at 0.
inline VksortBuffer buffer_at(const Region& region) { return region.offset == 0 ? VksortBuffer{} : data_arena().at(region); }

// The fields that every call's struct of buffers has.
template <typename Buffers, typename Item> void set_call(Buffers& buffers, Item& item) {
    buffers.countBuffer = item.count_buffer;
    buffers.descriptorPool = item.pool->handle();
    buffers.passCallback = Item::on_pass;
    buffers.passUser = &item;
}

} // namespace vksort::test
