// SPDX-License-Identifier: MIT
#include "draw.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "../harness/batch_item.h"
#include "context.h"
#include "orderings.h"
#include "select.h"
#include "soak_keys.h"
#include "tuning.h"

namespace vksort::test {

namespace {

// Rounds of a CPU driver are to be short, and its time goes into pipelines, so that it has many rounds with each kind.
constexpr uint64_t kMaxCountOnCpu = 100'000;
constexpr uint64_t kMaxCountOnGpu = uint64_t{1} << 22;
// What GPUs get may sort in one dispatch, which one workgroup may have to do alone: see kMostSweptTiles.
constexpr uint64_t kMaxCountAsGpuOnCpu = 30'000;

bool one_in(Random& random, uint64_t n) { return random.below(n) == 0; }

// 0 to most, each power of two as often as the others.
uint64_t log_uniform(Random& random, uint64_t most) {
    const double top = std::log2(static_cast<double>(most) + 1);
    return std::min(static_cast<uint64_t>(std::exp2(random.unit() * top)) - (one_in(random, 8) ? 1 : 0), most);
}

// Where kernels have their edges, or any.
uint64_t draw_count(Random& random, uint64_t most, uint64_t tile) {
    const uint64_t power = uint64_t{1} << random.below(64 - static_cast<uint64_t>(std::countl_zero(most | 1)));
    uint64_t count = 0;
    switch (random.below(16)) {
    case 0: count = random.below(3); break;
    case 1: count = power - 1; break;
    case 2: count = power; break;
    case 3: count = tile * (1 + random.below(most / tile + 1)) - 1; break;
    case 4: count = tile + random.below(3) - 1; break;
    case 5: count = most - random.below(2) % (most + 1); break;
    case 6: count = most; break;
    case 7:
    case 8:
    case 9: count = random.below(most + 1); break;
    default: count = log_uniform(random, most); break;
    }
    return std::min(count, most);
}

VksortKeyType draw_key_type(Random& random) {
    return reference::kAllKeyTypes[random.below(std::size(reference::kAllKeyTypes))];
}

// Values, argsort or neither, and whether the keys are wanted.
template <typename Drawn> void draw_values(Random& random, Drawn& drawn, bool argsort) {
    constexpr uint32_t kSizes[] = {0, 0, 0, 4, 4, 4, 8, 8, 12, 16};
    drawn.argsort = argsort;
    drawn.value_size = argsort ? 0 : kSizes[random.below(std::size(kSizes))];
    drawn.descending = one_in(random, 3);
    drawn.discard_keys = (argsort || drawn.value_size > 0) && one_in(random, 5);
}

template <typename Drawn> void draw_stride(Random& random, Drawn& drawn) {
    const uint32_t size = reference::key_size(drawn.key);
    const uint32_t unit = std::min(size, 4u);
    drawn.stride = size + unit * static_cast<uint32_t>(random.below(7));
    drawn.offset = unit * static_cast<uint32_t>(random.below((drawn.stride - size) / unit + 1));
}

template <typename Drawn> void draw_data(Random& random, Drawn& drawn) {
    drawn.seed = random.next() | 1; // 0 would take another one
    drawn.distribution = kAllDistributions[random.below(std::size(kAllDistributions))];
}

// Also keys that the distributions do not give.
template <typename Drawn> void draw_more_data(Random& random, Drawn& drawn) {
    draw_data(random, drawn);
    if (drawn.ordering == nullptr && one_in(random, 3)) {
        NamedKeys keys = draw_keys(drawn.key, drawn.count, random);
        drawn.keys_name = std::move(keys.name);
        drawn.ordered_keys = std::move(keys.ordered);
    }
}

// A count that the host tells is the recording's, so that it stays.
template <typename Drawn>
void draw_counts(Random& random, Drawn& drawn, const Drawn* first, uint64_t tile, uint32_t halvings) {
    const uint64_t count = draw_count(random, drawn.max_count, tile);
    drawn.count = (first != nullptr && !drawn.gpu_count ? first->count : count >> halvings);
    if (drawn.gpu_count) {
        const bool above = one_in(random, 2) && count == drawn.max_count && halvings == 0; // then the maximum counts
        drawn.gpu_count = above ? 0xFFFFFFFF : static_cast<uint32_t>(drawn.count);
    }
}

void fill(Random& random, SortCase& sort, const SortCase* first, uint64_t tile, uint32_t halvings) {
    draw_counts(random, sort, first, tile, halvings);
    draw_more_data(random, sort);
    if (sort.ordered_keys.empty() && sort.ordering == nullptr && one_in(random, 10)) {
        sort.digit_mask = static_cast<uint32_t>(random.below(uint64_t{1} << reference::key_size(sort.key)));
    }
}

void fill(Random& random, MergeCase& merge, const MergeCase* first, uint64_t tile, uint32_t halvings) {
    const uint64_t a = draw_count(random, merge.max_a, tile) >> halvings;
    const uint64_t b = draw_count(random, merge.max_b, tile) >> halvings;
    const bool stay = first != nullptr && !merge.gpu_counts;
    merge.count_a = stay ? first->count_a : a;
    merge.count_b = stay ? first->count_b : b;
    merge.order_of_inputs = one_in(random, 3) ? (one_in(random, 2) ? 1 : -1) : 0;
    draw_data(random, merge);
}

// Rising, through all that the plan has room for. The number of those that are told stays the same if the host tells it.
void draw_segments(Random& random, SegmentedCase& sort, const SegmentedCase* first, uint64_t tile) {
    const bool offsets = sort.kind == VKSORT_SEGMENTS_OFFSETS || sort.kind == VKSORT_SEGMENTS_OFFSET_COUNTS;
    const bool flags = sort.kind == VKSORT_SEGMENTS_HEAD_FLAGS;
    const bool stay = first != nullptr && !flags && !sort.gpu_segment_count;
    const uint64_t capacity = sort.max_count;
    // The element that heads begin with may be left unsaid.
    sort.leave_out_zero = !offsets && (sort.max_segments == 0 || one_in(random, 4));
    const uint64_t most = flags ? capacity : sort.max_segments + (sort.leave_out_zero ? 1 : 0);
    const uint64_t mean = std::max<uint64_t>(log_uniform(random, capacity), 1);
    const uint64_t style = random.below(5);
    sort.segments_name = style == 0   ? "alike"
                         : style == 1 ? "exponential"
                         : style == 2 ? "tiles"
                         : style == 3 ? "one long"
                                      : "any";
    sort.segments_name += ", mean " + std::to_string(mean);
    uint64_t at = 0;
    while (at < capacity && sort.segments.size() < most) {
        const double spread = -std::log(1.0 - random.unit());
        uint64_t length = mean;
        switch (style) {
        case 0: break;
        case 1: length = static_cast<uint64_t>(spread * static_cast<double>(mean)); break;
        case 2: length = tile + random.below(3) - 1; break;
        case 3: length = sort.segments.size() == 3 ? capacity / 2 : 1 + random.below(9); break;
        default: length = log_uniform(random, 2 * mean); break;
        }
        const uint64_t gap = offsets && one_in(random, 4) ? random.below(mean + 1) : 0;
        length = offsets && one_in(random, 8) ? 0 : std::max<uint64_t>(length, 1);
        const uint64_t begin = std::min(at + gap, capacity);
        const uint64_t end = std::min(begin + length, capacity);
        sort.segments.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
        at = end;
    }
    if (stay) {
        sort.segments = first->segments;
        sort.segments_name = first->segments_name;
        sort.leave_out_zero = first->leave_out_zero;
    }
    if (!sort.segments.empty() && !offsets) {
        sort.segments.back().end = static_cast<uint32_t>(capacity);
    }
    for (Segment& segment : sort.segments) {
        if (offsets) { // within the elements, empty where there are no more
            segment.begin = static_cast<uint32_t>(std::min<uint64_t>(segment.begin, sort.count));
            segment.end = static_cast<uint32_t>(std::min<uint64_t>(segment.end, sort.count));
        }
    }
}

void fill(Random& random, SegmentedCase& sort, const SegmentedCase* first, uint64_t tile, uint32_t halvings) {
    draw_counts(random, sort, first, tile, halvings);
    draw_segments(random, sort, first, tile);
    draw_more_data(random, sort);
}

void fill(Random& random, GatherCase& gather, const GatherCase* first, uint64_t tile, uint32_t halvings) {
    draw_counts(random, gather, first, tile, halvings);
    gather.out_of_range = one_in(random, 2);
    gather.seed = random.next() | 1;
}

const PlanOverrides& overrides_of(const Case& drawn) {
    static const PlanOverrides none;
    return std::visit(
        [](const auto& each) -> const PlanOverrides& {
            if constexpr (requires { each.overrides; }) {
                return each.overrides;
            } else {
                return none;
            }
        },
        drawn);
}

bool planned(const Case& drawn, Plan& plan) {
    Message message;
    const auto desc = std::visit([](const auto& each) { return description_of(each); }, drawn);
    const Limits& limits = std::visit([](const auto& each) -> const Limits& { return each.limits; }, drawn);
    return make_plan(context(limits).info(), desc, overrides_of(drawn), plan, message) == VK_SUCCESS;
}

// Algorithms by name do not take every description and count: fewer elements then, or `auto`, which takes all that is drawn.
void make_plannable(SortCase& sort) {
    Plan plan;
    const uint64_t wanted = sort.max_count;
    while (sort.algorithm != VKSORT_ALGORITHM_AUTO && !planned(sort, plan)) {
        if (sort.max_count > 0) {
            sort.max_count /= 4;
        } else {
            sort.algorithm = VKSORT_ALGORITHM_AUTO;
            sort.max_count = wanted;
        }
    }
}

VksortAlgorithm draw_algorithm(Random& random) {
    uint32_t names = 0;
    while (vksortAlgorithmName(static_cast<VksortAlgorithm>(names)) != nullptr) {
        ++names;
    }
    return one_in(random, 2) ? VKSORT_ALGORITHM_AUTO : static_cast<VksortAlgorithm>(random.below(names));
}

// Mostly the device itself; else with fewer features, with the least of everything, or taken for a GPU.
Limits draw_limits(Random& random) {
    Limits limits;
    switch (random.below(20)) {
    case 0:
    case 1: limits.features = static_cast<VksortFeatureFlags>(random.below(16)); break;
    case 2: limits = kLeastLimits; break;
    case 3: limits.is_gpu = true; break;
    default: break;
    }
    return limits;
}

// Those that users get, or small ones, of which few elements are many.
PlanOverrides draw_tiles(Random& random, const Limits& limits) {
    PlanOverrides overrides;
    if (!limits.is_gpu && one_in(random, 3)) {
        overrides.workgroupSize = 128;
        overrides.keysPerThread = 4;
    }
    return overrides;
}

} // namespace

std::string describe(const Case& drawn) {
    return std::visit([](const auto& each) { return describe(each); }, drawn);
}

const char* operation_of(const Case& drawn) {
    struct {
        const char* operator()(const SortCase& sort) const {
            return sort.ordering ? "comparator sort" : sort.argsort ? "argsort" : "sort";
        }
        const char* operator()(const MergeCase& merge) const { return merge.ordering ? "comparator merge" : "merge"; }
        const char* operator()(const SegmentedCase& sort) const {
            return sort.ordering ? "comparator segmented" : "segmented";
        }
        const char* operator()(const GatherCase&) const { return "gather"; }
    } name;
    return std::visit(name, drawn);
}

std::string describe(const Round& round) {
    std::string text = "round " + std::to_string(round.number);
    text += round.shares_scratch ? ", one scratch for all" : "";
    for (size_t i = 0; i < round.submissions.size(); ++i) {
        text += i == 0 ? "" : "\n  submitted again:";
        for (const Case& drawn : round.submissions[i]) {
            text += "\n  " + describe(drawn);
        }
    }
    return text;
}

Draw::Draw(uint64_t seed, uint64_t max_count, uint64_t kinds)
    : seed_(seed), max_count_(max_count != 0             ? max_count
                              : is_cpu(context().info()) ? kMaxCountOnCpu
                                                         : kMaxCountOnGpu),
      kinds_(kinds) {}

// A CPU driver takes longer to make a plan than to run it.
uint64_t Draw::burst_of(uint64_t number) {
    const bool cpu = is_cpu(context().info());
    while (burst_ends_.empty() || burst_ends_.back() <= number) {
        Random random(mix(mix(seed_, burst_ends_.size()), hash("burst")));
        const uint64_t rounds = cpu ? 4 + random.below(17) : 1 + random.below(4);
        burst_ends_.push_back((burst_ends_.empty() ? 0 : burst_ends_.back()) + rounds);
    }
    return static_cast<uint64_t>(std::upper_bound(burst_ends_.begin(), burst_ends_.end(), number) - burst_ends_.begin());
}

uint64_t Draw::draw_max_count(Random& random, const Limits& limits) const {
    const uint64_t most = limits.is_gpu && is_cpu(context().info()) ? std::min(max_count_, kMaxCountAsGpuOnCpu) : max_count_;
    return one_in(random, 3) ? random.below(most + 1) : log_uniform(random, most);
}

Case Draw::draw_sort(Random& random, const Limits& limits, const PlanOverrides& tiles) const {
    SortCase sort = {.key = draw_key_type(random)};
    sort.overrides = tiles;
    sort.limits = limits;
    draw_values(random, sort, one_in(random, 4));
    constexpr VksortResult kResults[] = {VKSORT_RESULT_IN_PLACE, VKSORT_RESULT_IN_PLACE, VKSORT_RESULT_PING_PONG,
                                         VKSORT_RESULT_SEPARATE, VKSORT_RESULT_SEPARATE};
    sort.result = kResults[random.below(std::size(kResults))];
    sort.algorithm = draw_algorithm(random);
    if (one_in(random, 5) && (sort.algorithm == VKSORT_ALGORITHM_AUTO || is_radix_family(sort.algorithm))) {
        const uint32_t bits = reference::key_bits(sort.key);
        sort.begin_bit = static_cast<uint32_t>(random.below(bits));
        sort.end_bit = sort.begin_bit + 1 + static_cast<uint32_t>(random.below(bits - sort.begin_bit));
    }
    if (sort.result == VKSORT_RESULT_SEPARATE && one_in(random, 3)) {
        draw_stride(random, sort);
    }
    if (one_in(random, 3)) {
        sort.gpu_count = 0;
    }
    sort.prepare_later = one_in(random, 8);
    sort.max_count = draw_max_count(random, limits);
    make_plannable(sort);
    return sort;
}

Case Draw::draw_merge(Random& random, const Limits& limits, const PlanOverrides& tiles) const {
    MergeCase merge = {.key = draw_key_type(random)};
    merge.overrides = tiles;
    merge.limits = limits;
    draw_values(random, merge, one_in(random, 4));
    merge.max_a = draw_max_count(random, limits);
    merge.max_b = one_in(random, 2) ? merge.max_a : draw_max_count(random, limits);
    merge.gpu_counts = one_in(random, 3);
    return merge;
}

Case Draw::draw_segmented(Random& random, const Limits& limits, const PlanOverrides& tiles) const {
    SegmentedCase sort = {.key = draw_key_type(random)};
    constexpr VksortAlgorithm kAlgorithms[] = {VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_SEGMENTED,
                                               VKSORT_ALGORITHM_SIZE_CLASSES};
    sort.by = kAlgorithms[random.below(std::size(kAlgorithms))];
    sort.by = context(limits).can_run(sort.by) ? sort.by : VKSORT_ALGORITHM_AUTO;
    sort.overrides = tiles;
    sort.limits = limits;
    draw_values(random, sort, one_in(random, 4));
    sort.result = one_in(random, 2) ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
    if (sort.result == VKSORT_RESULT_SEPARATE && one_in(random, 4)) {
        draw_stride(random, sort);
    }
    sort.max_count = draw_max_count(random, limits);
    if (one_in(random, 3)) {
        sort.gpu_count = 0;
    }
    sort.kind = static_cast<VksortSegments>(random.below(4));
    if (sort.kind != VKSORT_SEGMENTS_HEAD_FLAGS) {
        sort.max_segments = log_uniform(random, sort.max_count);
        sort.gpu_segment_count = one_in(random, 3);
    }
    return sort;
}

Case Draw::draw_gather(Random& random, const Limits& limits) const {
    GatherCase gather = {.record_size = static_cast<uint32_t>(4 * (1 + log_uniform(random, 31)))};
    gather.limits = limits;
    gather.max_count = draw_max_count(random, limits) / 4;
    gather.record_count = one_in(random, 2) ? 0 : 1 + log_uniform(random, 2 * gather.max_count);
    if (one_in(random, 3)) {
        gather.gpu_count = 0;
    }
    return gather;
}

Draw::Kind Draw::draw_kind(uint64_t number) const {
    Random random(mix(mix(seed_, number), hash("kind")));
    const Limits limits = draw_limits(random);
    const PlanOverrides tiles = draw_tiles(random, limits);
    const uint64_t operation = random.below(20);
    Kind kind = {.plan = operation < 10   ? draw_sort(random, limits, tiles)
                         : operation < 13 ? draw_merge(random, limits, tiles)
                         : operation < 18 ? draw_segmented(random, limits, tiles)
                                          : draw_gather(random, limits)};
    if (one_in(random, 8)) {
        if (const Ordering* ordering = draw_ordering(random)) {
            struct {
                const Ordering* by;
                Random& random;
                void operator()(SortCase& sort) const {
                    sort.ordering = by;
                    sort.begin_bit = sort.end_bit = sort.stride = sort.offset = 0;
                    sort.algorithm = one_in(random, 2) ? VKSORT_ALGORITHM_AUTO : VKSORT_ALGORITHM_LOCALITY;
                    make_plannable(sort);
                }
                void operator()(MergeCase& merge) const { merge.ordering = by; }
                void operator()(SegmentedCase& sort) const {
                    sort.ordering = by;
                    sort.by = VKSORT_ALGORITHM_AUTO;
                    sort.stride = sort.offset = 0;
                }
                void operator()(GatherCase&) const {}
            } compare = {ordering, random};
            std::visit(compare, kind.plan);
        }
    }
    Plan plan;
    if (planned(kind.plan, plan)) {
        kind.tile = std::max(plan.info.tileSize, 1u);
        kind.elements = plan.desc.maxCount + plan.desc.maxCountB;
    }
    return kind;
}

const Draw::Kind& Draw::kind(uint64_t number) {
    const auto found = known_.find(number);
    return found != known_.end() ? found->second : known_.emplace(number, draw_kind(number)).first->second;
}

Round Draw::round(uint64_t number, const Shrink& shrink) {
    const uint64_t burst = burst_of(number);
    Round round;
    round.number = number;
    round.seed = mix(mix(seed_, number), hash("round"));
    Random random(round.seed);
    // Beside this burst's kind such as are there already, as far as that is not too much memory.
    std::vector<uint64_t> kinds = {kind_of_burst(burst)};
    uint64_t elements = kind(kinds.front()).elements;
    for (const uint64_t more = one_in(random, 3) ? 1 + random.below(3) : 0; kinds.size() <= more;) {
        const uint64_t back = one_in(random, 3) ? std::min<uint64_t>(burst, 1 + random.below(3)) : 0;
        elements += kind(kind_of_burst(burst - back)).elements;
        if (elements > 2 * max_count_) {
            break;
        }
        kinds.push_back(kind_of_burst(burst - back));
    }
    round.shares_scratch = kinds.size() > 1 && one_in(random, 2);
    round.submissions.resize(one_in(random, 4) ? 2 + random.below(2) : 1);
    uint64_t filled = 0;
    for (std::vector<Case>& submission : round.submissions) {
        for (size_t i = 0; i < kinds.size(); ++i) {
            const Kind& drawn = kind(kinds[i]);
            Random of_case(mix(round.seed, ++filled));
            submission.push_back(drawn.plan);
            const Case* first = &submission == &round.submissions.front() ? nullptr : &round.submissions.front()[i];
            std::visit(
                [&]<typename Drawn>(Drawn& each) {
                    fill(of_case, each, first == nullptr ? nullptr : &std::get<Drawn>(*first), drawn.tile, shrink.halvings);
                },
                submission.back());
        }
    }
    if (shrink.item) {
        for (std::vector<Case>& submission : round.submissions) {
            submission = {submission.at(std::min(*shrink.item, submission.size() - 1))};
        }
    }
    return round;
}

} // namespace vksort::test
