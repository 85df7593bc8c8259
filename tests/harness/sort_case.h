// SPDX-License-Identifier: MIT
//
// One sort as data, and a batch of them: recorded into one command buffer, run, and compared with the reference to the
// last byte, guards included.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena.h"
#include "device.h"
#include "generate.h"
#include "plan.h"

namespace vksort::test {

struct SortCase {
    VksortAlgorithm algorithm = VKSORT_ALGORITHM_AUTO;
    VksortKeyType key = VKSORT_KEY_U32;
    uint32_t value_size = 0;
    bool argsort = false;
    bool descending = false;
    bool discard_keys = false;
    VksortResult result = VKSORT_RESULT_IN_PLACE;
    uint32_t begin_bit = 0;
    uint32_t end_bit = 0;
    uint32_t stride = 0; // 0: dense keys
    uint32_t offset = 0;
    uint64_t count = 0;                 // keys that are sorted
    uint64_t max_count = 0;             // of the plan; at least the count
    std::optional<uint32_t> gpu_count = std::nullopt;  // what the count buffer holds; clamped to max_count it gives the count
    Distribution distribution = Distribution::uniform;
    std::optional<uint32_t> digit_mask = std::nullopt; // generate_digits instead of the distribution
    uint64_t seed = 0;                  // 0: from the test's seed and the case's place in the batch
    PlanOverrides overrides = {};
    Limits limits = {}; // of the context

    bool has_values() const { return argsort || value_size > 0; }
    uint64_t capacity() const { return max_count > count ? max_count : count; }
};

// Count from a buffer that holds `held`.
SortCase with_gpu_count(SortCase sort, uint32_t held, uint64_t max_count);

VksortPlanDesc description_of(const SortCase& sort);
std::string describe(const SortCase& sort);

struct GatherCase {
    uint32_t record_size = 4;
    uint64_t count = 0;
    uint64_t max_count = 0;
    uint64_t record_count = 0;         // 0: as the plan's maxCount
    std::optional<uint32_t> gpu_count = std::nullopt;
    bool out_of_range = false;         // some indices point past the records
    uint64_t seed = 0;
    Limits limits = {};
};

std::string describe(const GatherCase& gather);

// What a finished item can be asked for, beyond being right.
struct Outcome {
    VksortPlanInfo info = {};
    VksortStatistics statistics = {}; // zeros where the plan has no scratch
    uint32_t varying_digits = 0;      // 8-bit digits of the bit range that differ among the keys
};

class Batch {
public:
    Batch();
    ~Batch();

    // Makes the plan and places the buffers. A plan that is refused is a failure of the test. A batch that has grown
    // large runs by itself.
    void add(const SortCase& sort);
    void add(const GatherCase& gather);

    // Runs what is pending; true if everything was right so far. Every difference is a failure of the test.
    bool run();

    // Of all items that ran, in the order of adding. Items whose plan was refused are left out.
    const std::vector<Outcome>& outcomes() const { return outcomes_; }
    // Too much is wrong to go on.
    bool hopeless() const { return failures_ >= kMostFailures; }

private:
    struct Item;
    static constexpr int kMostFailures = 6;

    void fail(const std::string& text);
    bool make_plan(Item& item, const Limits& limits, const VksortPlanDesc& desc, const PlanOverrides& overrides);
    Region place(const std::string& label, ByteSpan content, uint64_t capacity_bytes, uint64_t alignment);
    void place_count(Item& item, uint32_t held);
    void added(std::unique_ptr<Item> item);
    void check(const Item& item);
    void check_statistics(const Item& item, Outcome& outcome);
    uint64_t next_seed(uint64_t wanted);

    std::vector<std::unique_ptr<Item>> items_;
    std::vector<Outcome> outcomes_;
    uint64_t added_ = 0;
    int failures_ = 0;
};

// A batch of one.
Outcome run_sort(const SortCase& sort);

// Expects that planning the case fails with `result` and a sentence that contains `part`.
void expect_refused(const SortCase& sort, VkResult result, const std::string& part);

} // namespace vksort::test
