// SPDX-License-Identifier: MIT
//
// Small runs to look at, each checked against the C++ standard library.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

#include "commands.hpp"
#include "failure.hpp"
#include "file.hpp"
#include "format.hpp"
#include "random.hpp"
#include "report.hpp"
#include "vksort/vksort_host.hpp"

namespace {

using vksort::host::SortOutcome;
using Keys = std::vector<uint32_t>;

constexpr size_t kShown = 100;  // keys in a table
constexpr size_t kColumns = 10; // of it

struct DemoOptions {
    std::string name;
    std::string device;
    uint64_t seed = 1;
};

Keys keys_of(const std::vector<std::byte>& bytes) {
    Keys keys(bytes.size() / sizeof(uint32_t));
    std::memcpy(keys.data(), bytes.data(), bytes.size());
    return keys;
}

// Rows of keys, each row with the position of its first key. `mark`: the character before key i, or a blank.
std::string keys_text(
    const Keys& keys, const std::function<char(size_t)>& mark = [](size_t) { return ' '; }) {
    const uint32_t largest = keys.empty() ? 0 : *std::max_element(keys.begin(), keys.end());
    const size_t width = std::to_string(largest).size();
    const size_t row_width = std::to_string(keys.size()).size();
    std::string text;
    for (size_t i = 0; i < keys.size(); ++i) {
        if (i % kColumns == 0) {
            text += fmt::format("{}  {:>{}}:", i == 0 ? "" : "\n", i, row_width);
        }
        text += fmt::format("  {}{:>{}}", mark(i), keys[i], width);
    }
    return text + "\n";
}

void expect_same(const Keys& found, const Keys& expected, const char* what) {
    const auto [at, expected_at] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
    if (found.size() != expected.size()) {
        fail(kCheckFailed, "wrong: there are {} {}, and {} were expected", found.size(), what, expected.size());
    }
    if (at != found.end()) {
        fail(kCheckFailed, "wrong: number {} of the {} is {}, and {} was expected", at - found.begin(), what, *at,
             *expected_at);
    }
}

void show_segments(vksort::host::Device& device, Random& random) {
    Keys keys(kShown);
    Keys heads = {0};
    for (size_t i = 0; i < keys.size(); ++i) {
        keys[i] = static_cast<uint32_t>(random.below(100));
        if (i != 0 && random.below(10) == 0) {
            heads.push_back(static_cast<uint32_t>(i));
        }
    }
    vksort::host::SegmentedSortRequest request;
    request.desc.segments = VKSORT_SEGMENTS_HEAD_INDICES;
    request.keys = std::as_bytes(std::span(keys));
    request.segments = heads;
    const SortOutcome outcome = vksort::host::segmented_sort(device, request);

    const Keys sorted = keys_of(outcome.keys);
    Keys expected = keys;
    for (size_t i = 0; i < heads.size(); ++i) {
        const auto begin = expected.begin() + heads[i];
        const auto end = i + 1 < heads.size() ? expected.begin() + heads[i + 1] : expected.end();
        std::stable_sort(begin, end);
    }
    const auto mark = [&](size_t i) { return std::binary_search(heads.begin(), heads.end(), i) ? '|' : ' '; };
    print_out(fmt::format("{} keys in {} segments; | stands where one begins\n{}", keys.size(), heads.size(),
                          keys_text(keys, mark)));
    print_out(fmt::format("each segment sorted by itself\n{}", keys_text(sorted, mark)));
    expect_same(sorted, expected, "keys");
    print_out("verified: the same as std::stable_sort of each segment\n");
}

void show_locality(vksort::host::Device& device, Random& random) {
    // Each key stands within kReach places of where it belongs.
    constexpr uint64_t kCount = 100000;
    constexpr uint64_t kReach = 500;
    Keys keys(kCount);
    for (uint64_t i = 0; i < kCount; ++i) {
        keys[i] = static_cast<uint32_t>(i + random.below(kReach));
    }
    vksort::host::SortRequest request;
    request.desc.algorithm = VKSORT_ALGORITHM_LOCALITY;
    request.keys = std::as_bytes(std::span(keys));
    const SortOutcome outcome = vksort::host::sort(device, request);

    const Keys sorted = keys_of(outcome.keys);
    Keys expected = keys;
    std::stable_sort(expected.begin(), expected.end());
    print_out(fmt::format("{} keys, each at most {} places from where it belongs; the first {}\n{}", with_commas(kCount),
                          kReach, kShown, keys_text(Keys(keys.begin(), keys.begin() + kShown))));
    print_out(fmt::format("sorted\n{}", keys_text(Keys(sorted.begin(), sorted.begin() + kShown))));
    print_out("what was merged and what was copied\n" + work_text(outcome));
    expect_same(sorted, expected, "keys");
    print_out("verified: the same as std::stable_sort\n");
}

void show_merge(vksort::host::Device& device, Random& random) {
    Keys a(kShown * 2 / 5);
    Keys b(kShown - a.size());
    for (Keys* keys : {&a, &b}) {
        std::generate(keys->begin(), keys->end(), [&] { return static_cast<uint32_t>(random.below(100)); });
        std::sort(keys->begin(), keys->end());
    }
    vksort::host::MergeRequest request;
    request.desc.flags = VKSORT_PLAN_ARGSORT_BIT;
    request.keys_a = std::as_bytes(std::span(a));
    request.keys_b = std::as_bytes(std::span(b));
    const SortOutcome outcome = vksort::host::merge(device, request);

    const Keys merged = keys_of(outcome.keys);
    const Keys sources = keys_of(outcome.values);
    Keys expected;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    Keys expected_sources(expected.size());
    std::iota(expected_sources.begin(), expected_sources.end(), 0);
    const auto middle = expected_sources.begin() + static_cast<ptrdiff_t>(a.size());
    const auto key_of = [&](uint32_t source) { return source < a.size() ? a[source] : b[source - a.size()]; };
    std::inplace_merge(expected_sources.begin(), middle, expected_sources.end(),
                       [&](uint32_t x, uint32_t y) { return key_of(x) < key_of(y); });
    print_out(fmt::format("A, {} sorted keys\n{}", a.size(), keys_text(a)));
    print_out(fmt::format("B, {} sorted keys\n{}", b.size(), keys_text(b)));
    print_out(fmt::format("merged; * stands before keys of B\n{}",
                          keys_text(merged, [&](size_t i) { return sources[i] < a.size() ? ' ' : '*'; })));
    expect_same(merged, expected, "keys");
    expect_same(sources, expected_sources, "places of origin");
    print_out("verified: the same as std::merge, and of equal keys those of A come first\n");
}

struct Demo {
    const char* name;
    const char* what;
    void (*show)(vksort::host::Device& device, Random& random);
};

constexpr Demo kDemos[] = {
    {"segments", "100 keys in segments, each sorted by itself", show_segments},
    {"locality", "nearly sorted keys, and how little of them is merged", show_locality},
    {"merge", "two sorted lists and their merge", show_merge},
};

void run_demo(const DemoOptions& options) {
    std::string names;
    std::string list;
    for (const Demo& demo : kDemos) {
        names += fmt::format("{}{}", names.empty() ? "" : " ", demo.name);
        list += fmt::format("  {:<10} {}\n", demo.name, demo.what);
    }
    if (options.name.empty()) {
        print_out("vksort demo NAME, where NAME is one of\n" + list);
        return;
    }
    const Demo* demo =
        std::find_if(std::begin(kDemos), std::end(kDemos), [&](const Demo& one) { return one.name == options.name; });
    if (demo == std::end(kDemos)) {
        fail(kBadInput, "there is no demo '{}': use one of {}", options.name, names);
    }
    vksort::host::DeviceOptions device_options;
    device_options.selector = options.device;
    vksort::host::Device device(device_options);
    print_out(fmt::format("on {}\n", device.listing().name));
    Random random(options.seed);
    demo->show(device, random);
}

} // namespace

void add_demo_command(CLI::App& app) {
    auto options = std::make_shared<DemoOptions>();
    CLI::App* command = app.add_subcommand("demo", "Show a small segmented sort, locality sort or merge, and check it");
    command->add_option("NAME", options->name, "segments, locality or merge; without a name, the list of them")
        ->type_name("");
    command->add_option("--device", options->device, "Number or part of the name of a device, see vksort info")
        ->type_name("N|NAME");
    command->add_option("--seed", options->seed, "Another seed gives other keys")->type_name("S")->capture_default_str();
    command->footer("Exit status 0: the result is right; 1: it is not.");
    command->callback([options] { run_demo(*options); });
}
