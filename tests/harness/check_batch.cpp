// SPDX-License-Identifier: MIT
//
// What a batch has left on the GPU: results, guard zones, calls of pass callbacks, and what statistics and control blocks
// say.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "batch_item.h"
#include "context.h"
#include "select.h"

namespace vksort::test {

namespace {

// The elements' bytes, sorted as text.
std::vector<std::string> elements_in_order(ByteSpan bytes, uint32_t element) {
    std::vector<std::string> elements;
    for (size_t i = 0; i + element <= bytes.size(); i += element) {
        elements.emplace_back(reinterpret_cast<const char*>(bytes.data()) + i, element);
    }
    std::sort(elements.begin(), elements.end());
    return elements;
}

} // namespace

const Plan& Batch::Item::sorting_plan() const {
    for (uint32_t i = 0; i < plan->smaller_count(); ++i) {
        if (count <= plan->others[i].plan.info.maxCount) {
            return plan->others[i].plan;
        }
    }
    return plan->plan;
}

void Batch::check_all() {
    data_arena().download();
    scratch_arena().download();
    const Item* last = nullptr; // whose scratch is as it has left it, if all share it
    for (const auto& item : items_) {
        last = item->info.scratchSize > 0 ? item.get() : last;
    }
    for (const auto& item : items_) {
        check(*item, !shares_scratch_ || item->info.scratchSize == 0 || item.get() == last);
    }
    for (const std::string& trouble : {data_arena().check_guards(), scratch_arena().check_guards()}) {
        if (!trouble.empty()) {
            fail(trouble);
        }
    }
    for (const std::string& message : take_messages()) {
        fail("a message while a batch ran whose last item was " + items_.back()->label + ": " + message);
    }
}

void Batch::check(const Item& item, bool statistics) {
    for (const Item::Output& output : item.outputs) {
        data_arena().exclude({output.region.offset, output.expected.size()});
        ByteSpan got = data_arena().result({output.region.offset, output.expected.size()});
        if (output.any_order) {
            if (elements_in_order(got, output.element) != elements_in_order(output.expected, output.element)) {
                fail(item.label + ": " + output.name + " is no permutation of the input");
            }
            continue;
        }
        if (!output.defined || std::memcmp(got.data(), output.expected.data(), got.size()) == 0) {
            continue;
        }
        auto at = static_cast<uint64_t>(std::mismatch(got.begin(), got.end(), output.expected.begin()).first - got.begin());
        uint64_t element = at / output.element;
        uint64_t wrong = 0;
        for (uint64_t i = 0; i < item.count; ++i) {
            wrong += std::memcmp(got.data() + i * output.element, output.expected.data() + i * output.element,
                                 output.element) != 0;
        }
        fail(item.label + ": " + output.name + "[" + std::to_string(element) + "] is " +
             hex(got.subspan(element * output.element, output.element)) + ", should be " +
             hex(ByteSpan(output.expected).subspan(element * output.element, output.element)) + "; " +
             std::to_string(wrong) + " of " + std::to_string(item.count) + " are wrong");
    }
    if (item.info.scratchSize > 0) {
        scratch_arena().exclude(item.scratch);
    }
    std::vector<std::pair<VksortPassEvent, std::string>> events;
    for (const std::string& name : item.pass_names) {
        events.emplace_back(VKSORT_PASS_BEGIN, name);
        events.emplace_back(VKSORT_PASS_END, name);
    }
    if (item.events != events || !item.callback_error.empty()) {
        fail(item.label + ": the pass callback got " + std::to_string(item.events.size()) +
             " calls that are not begin and " + "end of each described pass in turn. " + item.callback_error);
    }
    Outcome outcome;
    outcome.info = item.info;
    outcome.varying_digits = item.varying;
    if (statistics) {
        outcome.kernels = kernels_run(item);
        check_statistics(item, outcome);
    }
    outcomes_.push_back(outcome);
}

void Batch::check_statistics(const Item& item, Outcome& outcome) {
    const Plan& plan = item.sorting_plan();
    VksortPlanInfo info = item.info;
    info.algorithm = plan.info.algorithm;
    const bool scratchIsPlainOnes = item.plan->plain != nullptr && info.statisticsOffset == UINT64_MAX;
    if (info.scratchSize == 0 || scratchIsPlainOnes || !item.is_sort) {
        if (info.statisticsOffset != UINT64_MAX) {
            fail(item.label + ": statistics without scratch");
        }
        return;
    }
    if (!item.plan->isPrepared) {
        return; // It says so in vksort.h: there are none.
    }
    VksortStatistics& statistics = outcome.statistics;
    if (info.statisticsOffset > info.scratchSize - sizeof statistics) {
        fail(item.label + ": the statistics lie outside the scratch");
        return;
    }
    ByteSpan scratch = scratch_arena().result(item.scratch);
    std::memcpy(&statistics, scratch.data() + info.statisticsOffset, sizeof statistics);
    // Digits are 8 bits from beginBit on; a pass runs for each in which the keys differ, unless they are in order.
    const bool hasDigitPasses = is_radix_family(info.algorithm) && info.algorithm != VKSORT_ALGORITHM_ONE_WORKGROUP;
    const uint32_t varying = hasDigitPasses ? item.varying : 0;
    const bool tookFallback = info.algorithm == VKSORT_ALGORITHM_MSD && statistics.digitPassesRun == info.keyBits / 8;
    const bool bucketSort = info.algorithm == VKSORT_ALGORITHM_BUCKET_SORT;
    const auto has_pass = [&plan](const char* name) {
        return std::any_of(plan.passes, plan.passes + plan.info.passCount,
                           [name](const Pass& pass) { return std::strcmp(pass.name, name) == 0; });
    };
    const bool leavesSkewed = info.algorithm == VKSORT_ALGORITHM_SAMPLE_SORT && has_pass("fallback sweeps");
    const bool mayHaveLeft = (bucketSort || leavesSkewed) && statistics.digitPassesRun <= info.keyBits / 8;
    bool right = statistics.count == item.count && (statistics.digitPassesRun == varying || tookFallback || mayHaveLeft) &&
                 statistics.copied <= 1;
    if (partitions_by_top_digits(info.algorithm) || mayHaveLeft) {
        right = right && statistics.fallbacks <= item.count;
    } else if (info.algorithm == VKSORT_ALGORITHM_SAMPLE_SORT) {
        right = right && statistics.fallbacks <= 1;
    } else if (info.algorithm != VKSORT_ALGORITHM_ONESWEEP) {
        right = right && statistics.fallbacks == 0;
    }
    if (item.asks_for_sweeps && has_pass("fallback sweeps")) {
        const Pass* sweeps = std::find_if(plan.passes, plan.passes + plan.info.passCount,
                                          [](const Pass& pass) { return std::string_view(pass.name) == "fallback sweeps"; });
        const uint64_t tiles = (item.count + sweeps->divisor - 1) / sweeps->divisor;
        if (statistics.digitPassesRun * tiles > kMostSweptTiles) {
            fail(item.label + ": " + std::to_string(tiles) + " tiles are too many for one dispatch of every driver");
        }
    }
    if (info.workStatisticsOffset != UINT64_MAX) {
        std::memcpy(&outcome.work, scratch.data() + info.workStatisticsOffset, sizeof outcome.work);
        right = right && outcome.work.tiles == (item.count + info.tileSize - 1) / info.tileSize &&
                outcome.work.mergePasses <= info.mergePasses;
    }
    if (bucketSort) {           // the passes behind have no workgroups, or those of onesweep's histogram and msd's setup
        IndirectArgs args = {}; // sizes of dispatches, as the GPU left them
        std::memcpy(&args, scratch.data() + plan.bindings[kBindingArgs].offset, sizeof args);
        const bool beforeMsd = has_pass("msd setup");
        Control control; // of which msd leaves nothing
        std::memcpy(&control, scratch.data() + plan.bindings[kBindingRadixState].offset, sizeof control);
        outcome.buckets = beforeMsd ? 0 : control.buckets;
        const uint32_t sweeping = has_pass("fallback sweeps") ? control.sweeping : 0;
        const uint32_t counting = has_pass("fallback histogram") ? args.histogram.x : 0;
        const uint32_t behind = beforeMsd ? args.msd.x : sweeping | counting;
        outcome.by_buckets = item.count > 0 && behind == 0;
    }
    const auto merge_control = [&] {
        MergeControl control;
        std::memcpy(&control, scratch.data() + info.statisticsOffset, sizeof control);
        return control;
    };
    if (info.algorithm == VKSORT_ALGORITHM_MSD) {
        const MergeControl control = merge_control();
        outcome.coarse_bucket = control.coarseBucket;
        outcome.coarse_buckets_sufficed = control.coarseBucket != 0 && control.coarseBucketsOverflow == 0;
    }
    if (info.algorithm == VKSORT_ALGORITHM_SIZE_CLASSES) {
        const MergeControl control = merge_control();
        outcome.jobs = control.jobs;
        outcome.large_jobs = control.largeJobs;
        outcome.long_segments = control.ranges[0];
    }
    if (!right) {
        fail(item.label + ": statistics say count " + std::to_string(statistics.count) + ", passes run " +
             std::to_string(statistics.digitPassesRun) + ", fallbacks " + std::to_string(statistics.fallbacks) +
             ", copied " + std::to_string(statistics.copied) + "; the keys differ in " + std::to_string(varying) +
             " digits");
    }
}

} // namespace vksort::test
