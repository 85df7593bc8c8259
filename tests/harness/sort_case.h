// SPDX-License-Identifier: MIT
//
// One sort as data, and a batch of them: recorded into one command buffer, run, and compared with the reference to the
// last byte, guards included.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena.h"
#include "device.h"
#include "generate.h"
#include "manual.h"
#include "plan.h"
#include "select.h"

namespace vksort::test {

// Tiles times digit positions that onesweep in one dispatch may have to sort in a test: one workgroup may have to do all,
// and lavapipe ends an invocation's loops after 65,535 iterations in all, of which half are a margin for waiting.
inline constexpr uint64_t kMostSweptTiles = 140;

// An order of keys of whole words that a comparator's kernels have, and the same in C++.
struct Ordering {
    std::string name; // of one order
    uint32_t key_words = 1;
    std::function<bool(const uint32_t* a, const uint32_t* b)> before;
    std::function<void(Random& random, uint32_t* key)> generate;
    VksortComparatorInfo kernels = {};
};

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
    uint64_t count = 0;     // keys that are sorted
    uint64_t max_count = 0; // of the plan; at least the count
    // What the count buffer holds; clamped to max_count it gives the count.
    std::optional<uint32_t> gpu_count = std::nullopt;
    bool prepare_later = false; // VKSORT_PLAN_PREPARE_LATER_BIT; the test prepares the plan, or does not
    Distribution distribution = Distribution::uniform;
    std::optional<uint32_t> digit_mask = std::nullopt; // generate_digits instead of the distribution
    std::vector<uint64_t> ordered_keys = {};           // these, in ordered form, instead of both; as many as the count
    std::string keys_name = "";
    uint64_t seed = 0; // 0: from the test's seed and the case's place in the batch
    PlanOverrides overrides = {};
    Limits limits = {};                 // of the context
    const Ordering* ordering = nullptr; // a comparator instead of the key type; of the distributions, orders alone count

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
    uint64_t record_count = 0; // 0: as the plan's maxCount
    std::optional<uint32_t> gpu_count = std::nullopt;
    bool out_of_range = false; // some indices point past the records
    uint64_t seed = 0;
    Limits limits = {};
};

VksortPlanDesc description_of(const GatherCase& gather);
std::string describe(const GatherCase& gather);

struct MergeCase {
    VksortKeyType key = VKSORT_KEY_U32;
    uint32_t value_size = 0;
    bool argsort = false;
    bool descending = false;
    bool discard_keys = false;
    uint64_t count_a = 0;
    uint64_t count_b = 0;
    uint64_t max_a = 0; // of the plan; at least the count
    uint64_t max_b = 0;
    bool gpu_counts = false; // from the count buffer
    Distribution distribution = Distribution::uniform;
    // Splits the sorted keys of both: 0: at random; -1: all of A before all of B; 1: the reverse.
    int order_of_inputs = 0;
    uint64_t seed = 0;
    PlanOverrides overrides = {};
    Limits limits = {};
    const Ordering* ordering = nullptr;
};

VksortPlanDesc description_of(const MergeCase& merge);
std::string describe(const MergeCase& merge);

struct Segment {
    uint32_t begin = 0;
    uint32_t end = 0;
};

struct SegmentedCase {
    VksortAlgorithm by = VKSORT_ALGORITHM_SEGMENTED; // the algorithm
    VksortKeyType key = VKSORT_KEY_U32;
    uint32_t value_size = 0;
    bool argsort = false;
    bool descending = false;
    bool discard_keys = false;
    VksortResult result = VKSORT_RESULT_IN_PLACE;
    uint32_t stride = 0; // 0: dense keys
    uint32_t offset = 0;
    uint64_t count = 0;
    uint64_t max_count = 0;
    std::optional<uint32_t> gpu_count = std::nullopt;
    VksortSegments kind = VKSORT_SEGMENTS_HEAD_FLAGS;
    std::vector<Segment> segments = {}; // rising; without gaps for heads, unless the first ones are left out
    std::string segments_name = "";
    uint64_t max_segments = 0; // of the plan; at least their number
    bool gpu_segment_count = false;
    bool prepare_later = false;   // VKSORT_PLAN_PREPARE_LATER_BIT
    bool leave_out_zero = false;  // heads: element 0 is not marked
    bool any_permutation = false; // the segments break the rules
    Distribution distribution = Distribution::uniform;
    std::vector<uint64_t> ordered_keys = {}; // these, in ordered form, instead; as many as the count
    std::string keys_name = "";
    uint64_t seed = 0;
    PlanOverrides overrides = {};
    Limits limits = {};
    const Ordering* ordering = nullptr;
};

VksortPlanDesc description_of(const SegmentedCase& sort);
std::string describe(const SegmentedCase& sort);

// What a finished item can be asked for, beyond being right.
struct Outcome {
    VksortPlanInfo info = {};
    VksortStatistics statistics = {};      // zeros where the plan has no scratch
    VksortWorkStatistics work = {};        // locality and segmented sort
    std::vector<std::string> kernels = {}; // that had workgroups
    uint32_t varying_digits = 0;           // 8-bit digits of the bit range that differ among the keys
    // msd: elements that each first digit had room for, if the first level was partitioned uncounted, and whether they
    // sufficed.
    uint32_t coarse_bucket = 0;
    bool coarse_buckets_sufficed = false;
    // msd: jobs of both kinds, and segments that were partitioned.
    uint32_t jobs = 0;
    uint32_t large_jobs = 0;
    uint32_t long_segments = 0;
    bool by_buckets = false; // bucket_sort: and not by the passes behind
    // Bucket_sort before onesweep: buckets that keys were scattered to, whether or not they sufficed; 0: the sample was
    // against it.
    uint32_t buckets = 0;
};

class Batch {
public:
    Batch();
    explicit Batch(uint64_t seed); // instead of the test's
    ~Batch();

    // Before anything is added: all items use one piece of scratch, one after the other, each as the one before has left
    // it. Statistics, which are in scratch, are checked of the last one only.
    void share_scratch() { shares_scratch_ = true; }
    // Before anything is added: the items run when run() is called and not before, and what has been recorded stays, for
    // run_again_with().
    void keep_recording() { keeps_recording_ = true; }

    // Makes the plan and places the buffers. A plan that is refused is a failure of the test. A batch that has grown
    // large runs by itself.
    void add(const SortCase& sort);
    void add(const GatherCase& gather);
    void add(const MergeCase& merge);
    void add(const SegmentedCase& sort);

    // Runs what is pending; true if everything was right so far. Every difference is a failure of the test.
    bool run();
    // As run(), but by the command buffer that `recorded` has kept. Its items are the same, but for data and for counts that
    // the GPU reads.
    bool run_again_with(const Batch& recorded);

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
    Region place_input(Item& item, const char* name, ByteSpan content, uint64_t capacity, uint64_t element,
                       uint64_t stride = 0);
    Region place_output(Item& item, const char* name, ByteSpan content, const Bytes& expected, uint64_t capacity,
                        uint32_t element, bool defined);
    void place_counts(Item& item, std::span<const uint32_t> held);
    void begin_item();
    void upload();
    void record(VkCommandBuffer commands);
    void check_all();
    void added(std::unique_ptr<Item> item);
    void check(const Item& item, bool statistics);
    static std::vector<std::string> kernels_run(const Item& item);
    void check_statistics(const Item& item, Outcome& outcome);
    uint64_t next_seed(uint64_t wanted);

    uint64_t seed_;
    bool shares_scratch_ = false;
    bool keeps_recording_ = false;
    std::unique_ptr<Recording> recording_;
    std::vector<std::unique_ptr<Item>> recorded_; // have the descriptors that it uses
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
