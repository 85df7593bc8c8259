// SPDX-License-Identifier: MIT
//
// What a soak sorts: kinds of plans and rounds with them, drawn from a seed. The same seed gives the same rounds on the same
// device, in whatever order they are asked for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "../harness/sort_case.h"

namespace vksort::test {

using Case = std::variant<SortCase, MergeCase, SegmentedCase, GatherCase>;

std::string describe(const Case& drawn);
const char* operation_of(const Case& drawn); // "sort", "argsort", "merge", "segmented sort", "gather"

// One command buffer: what it does, each time that it is submitted.
struct Round {
    uint64_t number = 0;
    uint64_t seed = 0;
    bool shares_scratch = false;
    std::vector<std::vector<Case>> submissions; // of the same cases, but for data and counts from the GPU
};

std::string describe(const Round& round);

// How a round that failed is made smaller.
struct Shrink {
    uint32_t halvings = 0;      // of all counts, with the same plans
    std::optional<size_t> item; // this case alone
};

class Draw {
public:
    // max_count 0: as suits the device. kinds 0: a new kind of plan for every burst of rounds, else this number in turn.
    Draw(uint64_t seed, uint64_t max_count, uint64_t kinds);

    Round round(uint64_t number, const Shrink& shrink = {});
    uint64_t kind_of(uint64_t number) { return kind_of_burst(burst_of(number)); }

private:
    // A plan without counts and data.
    struct Kind {
        Case plan;
        uint64_t tile = 1;     // elements
        uint64_t elements = 0; // at most
    };

    uint64_t burst_of(uint64_t number);
    uint64_t kind_of_burst(uint64_t burst) const { return kinds_ == 0 ? burst : burst % kinds_; }
    const Kind& kind(uint64_t number);
    Kind draw_kind(uint64_t number) const;
    Case draw_sort(Random& random, const Limits& limits, const PlanOverrides& tiles) const;
    Case draw_merge(Random& random, const Limits& limits, const PlanOverrides& tiles) const;
    Case draw_segmented(Random& random, const Limits& limits, const PlanOverrides& tiles) const;
    Case draw_gather(Random& random, const Limits& limits) const;
    uint64_t draw_max_count(Random& random, const Limits& limits) const;

    uint64_t seed_;
    uint64_t max_count_;
    uint64_t kinds_;
    std::vector<uint64_t> burst_ends_; // the first rounds behind them
    std::map<uint64_t, Kind> known_;
};

} // namespace vksort::test
