// SPDX-License-Identifier: MIT
//
// What vksort-tune makes of times that are given: the best, its row, and what never is a candidate.
#include <gtest/gtest.h>

#include <sstream>

#include "../unit/plan_checks.h"
#include "choice.h"
#include "kernel_cost.h"
#include "select.h"
#include "tuning.h"
#include "vksort_job.h"

namespace vksort::tune {
namespace {

constexpr uint32_t kNvidia = 0x10DE;

Provenance provenance() {
    Provenance provenance;
    provenance.device = "NVIDIA H200";
    provenance.driver = "580.159.04";
    provenance.vendor_id = kNvidia;
    provenance.date = "2026-11-21";
    return provenance;
}

Sweep sweep_of(const char* target, const char* kind, uint64_t count) {
    Sweep sweep;
    sweep.target = &parse_target(target);
    bench::parse_kind(kind, sweep.kind);
    sweep.kind.operation = sweep.target->operation;
    sweep.kind.count = count;
    sweep.means = sweep.target->default_means();
    return sweep;
}

Measured measured(uint32_t workgroup_size, uint32_t keys, uint32_t rounds, std::vector<double> us,
                  Rank rank = Rank::ballots) {
    return {{workgroup_size, keys, rounds, rank}, std::move(us)};
}

TEST(TuneChoice, TheLeastTimeIsTheBest) {
    const Sweep sweep = sweep_of("partition", "u32", 1 << 26);
    std::vector<Measured> all = {measured(512, 11, 1, {1890}), measured(384, 22, 2, {1629}), measured(256, 20, 1, {2034})};
    sort_by_time(all);
    EXPECT_EQ(all.front().candidate.workgroup_size, 384u);
    EXPECT_EQ(row_text(provenance(), sweep, all),
              "    // NVIDIA H200, driver 580.159.04, graphics queue, 2^26 u32 keys, 2026-11-21: 41.2 G/s (512x11/1 35.5, "
              "256x20/1 33.0).\n"
              "    {kVendorNvidia, 1, 0, 384, 22, 2},\n");
}

TEST(TuneChoice, SeveralScenariosCountAlike) {
    // By the sum the first would be the best, since segments of 10 take the longest.
    std::vector<Measured> all = {measured(512, 5, 1, {900, 300, 300}), measured(448, 7, 1, {1000, 200, 200}),
                                 measured(384, 9, 1, {1000, 300, 300})};
    EXPECT_NEAR(mean_time(all[1]), 341.995, 0.001);
    sort_by_time(all);
    EXPECT_EQ(all[0].candidate.workgroup_size, 448u);
    EXPECT_EQ(all[1].candidate.workgroup_size, 512u);
    const std::string row = row_text(provenance(), sweep_of("finish", "u32+4", 1 << 24), all);
    EXPECT_EQ(row,
              "    // NVIDIA H200, driver 580.159.04, graphics queue, 2^24 u32+4 pairs in segments of 10, 1000 and 100000, "
              "2026-11-21: 16.8,\n    // 83.9, 83.9 G/s (512x5 18.6, 55.9, 55.9; 384x9 16.8, 55.9, 55.9).\n"
              "    {kVendorNvidia, 1, 1, 448, 7, 1},\n");
}

TEST(TuneChoice, OfEqualTimesTheSmallerTile) {
    std::vector<Measured> all = {measured(512, 12, 1, {5}), measured(256, 12, 1, {5}), measured(1024, 12, 1, {5})};
    sort_by_time(all);
    EXPECT_EQ(all[0].candidate.workgroup_size, 256u);
    EXPECT_EQ(all[2].candidate.workgroup_size, 1024u);
}

TEST(TuneChoice, RowsOfOtherTables) {
    Provenance other = provenance();
    other.vendor_id = 0x5143;
    other.compute_queue = true;
    std::string row =
        row_text(other, sweep_of("downsweep", "f64+8", 1000003), {measured(128, 12, 1, {5e5}, Rank::counters)});
    EXPECT_NE(row.find("compute queue, 1000003 f64+8 pairs, 2026-11-21: 2.00 M/s."), std::string::npos) << row;
    EXPECT_NE(row.find("{0x5143, 2, 2, 128, 12, 1},"), std::string::npos) << row;
    row = row_text(other, sweep_of("downsweep", "f64+16", 1000003), {measured(128, 12, 1, {5e5}, Rank::counters)});
    EXPECT_NE(row.find("{0x5143, 2, kAnyValues, 128, 12, 1},"), std::string::npos) << row;
    other.cpu_device = true;
    row = row_text(other, sweep_of("one_workgroup", "u8", 4096), {measured(128, 32, 1, {1000}, Rank::counters)});
    EXPECT_NE(row.find("{kAnyCpu, 1, kAnyValues, 128, 32, 1},"), std::string::npos) << row;
    row = row_text(provenance(), sweep_of("merge", "u64", 1 << 26),
                   {measured(512, 3, 1, {500}, Rank::none), measured(384, 4, 1, {520}, Rank::none)});
    EXPECT_NE(row.find("merges of two halves of 2^26 u64 keys"), std::string::npos) << row;
    EXPECT_NE(row.find("134.2 G/s (384x4\n    // 129.1).\n"), std::string::npos) << row;
    EXPECT_NE(row.find("    tuning.workgroupSize = 512; // keys of 2 words\n    tuning.keysPerThread = 3;\n"),
              std::string::npos)
        << row;
}

TEST(TuneChoice, LongCommentsAreWrapped) {
    Sweep sweep = sweep_of("segment-partition", "u32", 1 << 26);
    sweep.show_rank = true;
    sweep.means = {10, 20, 30, 40, 50, 60};
    std::vector<Measured> all(9, measured(512, 11, 1, {1, 2, 3, 4, 5, 6}));
    std::istringstream lines(row_text(provenance(), sweep, all));
    size_t comments = 0;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 125u) << line;
        comments += line.starts_with("    // ") ? 1 : 0;
    }
    EXPECT_GE(comments, 3u);
}

TEST(TuneTargets, TodaysSizesAreNeverRefused) {
    size_t found = 0;
    for (const VksortDeviceInfo& device : test::all_devices()) {
        for (const Target& target : all_targets()) {
            // Where auto does not take an algorithm, its row is for any device, and fits by other rules than a candidate's.
            if (ranks_by_ballots_only(target.algorithm) && !prefers_ballots(device)) {
                continue;
            }
            for (const char* kind : {"u32", "u32+4", "u64", "u8", "f64+16"}) {
                const Sweep sweep = sweep_of(target.name, kind, target.id == TargetId::one_workgroup ? 700 : 100000);
                for (size_t i = 0; i < sweep.means.size(); ++i) {
                    const VksortPlanDesc desc = sweep.description(i);
                    const std::optional<Candidate> todays = target.todays(device, desc);
                    if (todays) {
                        EXPECT_EQ(target.refusal(device, desc, *todays), "") << device.name << " " << sweep.text();
                        ++found;
                    }
                }
            }
        }
    }
    EXPECT_GT(found, 100u);
}

TEST(TuneTargets, OverridesReachTheKernelAndNoOther) {
    const VksortDeviceInfo device = test::gpu_device(kNvidia, 32, 32);
    const Target& finish = parse_target("finish");
    const Target& partition = parse_target("segment-partition");
    const VksortPlanDesc desc = sweep_of("finish", "u32", 1 << 20).description(0);
    const std::optional<Candidate> finish_today = finish.todays(device, desc);
    const std::optional<Candidate> partition_today = partition.todays(device, desc);
    ASSERT_TRUE(finish_today && partition_today);
    const auto sizes = [&](const Target& target, const PlanOverrides& overrides) {
        Plan plan;
        Message message;
        EXPECT_EQ(make_plan(device, desc, overrides, plan, message), VK_SUCCESS) << message.text;
        const Pass& pass = plan.passes[target.main_pass(plan).value()];
        return std::pair(pass.specialization[kSpecWorkgroupSize], pass.specialization[kSpecKeysPerThread]);
    };
    const PlanOverrides of_finish = finish.overrides(device, desc, {320, 4, 1, Rank::ballots});
    EXPECT_EQ(sizes(finish, of_finish), std::pair(320u, 4u));
    EXPECT_EQ(sizes(partition, of_finish), std::pair(partition_today->workgroup_size, partition_today->keys_per_thread));
    const PlanOverrides of_partition = partition.overrides(device, desc, {256, 9, 1, Rank::ballots});
    EXPECT_EQ(sizes(partition, of_partition), std::pair(256u, 9u));
    EXPECT_EQ(sizes(finish, of_partition), std::pair(finish_today->workgroup_size, finish_today->keys_per_thread));
}

TEST(TuneTargets, WhatCannotRunIsRefusedInWords) {
    const VksortDeviceInfo device = test::gpu_device(kNvidia, 32, 32);
    struct Case {
        const char* target;
        Candidate candidate;
        const char* words;
    };
    const Case cases[] = {
        {"partition", {384, 15, 2, Rank::ballots}, "do not divide"},
        {"finish", {384, 8, 2, Rank::ballots}, "one round"},
        {"partition", {192, 8, 1, Rank::ballots}, "256"},
        {"merge", {512, 6, 2, Rank::none}, "one round"},
        {"merge", {256, 32, 1, Rank::none}, "31"},
        {"partition", {1024, 64, 1, Rank::ballots}, "65,535"},
        {"partition", {1024, 32, 1, Rank::ballots}, "too little shared memory"},
        {"partition", {2048, 2, 1, Rank::ballots}, "too few invocations"},
        {"downsweep", {264, 4, 1, Rank::ballots}, "whole subgroups"},
        {"merge", {512, 24, 1, Rank::none}, "than the device has"},
        {"one_workgroup", {256, 4, 1, Rank::ballots}, "one_workgroup"}, // 2000 elements
    };
    for (const Case& c : cases) {
        const Sweep sweep = sweep_of(c.target, "u32", 2000);
        const std::string refusal = sweep.target->refusal(device, sweep.description(0), c.candidate);
        EXPECT_NE(refusal.find(c.words), std::string::npos) << c.target << ": " << refusal;
    }
    const Sweep short_sweep = sweep_of("segment-partition", "u32", 1000); // fits any tile of the finish
    EXPECT_NE(short_sweep.target->refusal(device, short_sweep.description(0), {256, 8, 1, Rank::ballots}).find("no use"),
              std::string::npos);
}

TEST(TuneTargets, DefaultCandidatesCanMostlyRun) {
    const VksortDeviceInfo device = test::gpu_device(kNvidia, 32, 32);
    for (const Target& target : all_targets()) {
        for (const char* kind : {"u32", "u32+4", "u64"}) {
            const Sweep sweep = sweep_of(target.name, kind, target.default_count(false));
            const Rank rank = target.ranks ? Rank::ballots : Rank::none;
            size_t running = 0;
            for (const Candidate& candidate : combine(target.default_grid(sweep.kind, false), {rank})) {
                running += target.refusal(device, sweep.description(0), candidate).empty() ? 1 : 0;
            }
            // Which sorts keys without values.
            const bool takes = target.algorithm != VKSORT_ALGORITHM_BUCKET_SORT || sweep.kind.value_bytes == 0;
            EXPECT_GE(running, takes ? 5u : 0u) << sweep.text();
            EXPECT_LE(running, 60u) << sweep.text();
        }
    }
}

TEST(TuneTargets, CandidatesAreEveryCombinationOnce) {
    EXPECT_EQ(combine({{256, 512, 256}, {8, 9}, {1, 2}}, {Rank::ballots}).size(), 8u);
    EXPECT_EQ(combine({{256}, {8}, {1}}, {Rank::ballots, Rank::counters}).size(), 2u);
}

TEST(TuneKernelCost, InWhateverWordsTheDriverUses) {
    const KernelCost nvidia = cost_of({{"Register Count", 80}, {"Binary Size", 9000}, {"Stack Size", 16}});
    EXPECT_EQ(nvidia.registers, 80u);
    EXPECT_EQ(nvidia.spills, 16u);
    EXPECT_FALSE(nvidia.shared_bytes);
    const KernelCost amd = cost_of({{"SGPRs", 60},
                                    {"VGPRs", 96},
                                    {"Spilled SGPRs", 1},
                                    {"Spilled VGPRs", 2},
                                    {"Scratch size", 4},
                                    {"LDS size", 24576},
                                    {"Code size", 9000}});
    EXPECT_EQ(amd.registers, 96u);
    EXPECT_EQ(amd.shared_bytes, 24576u);
    EXPECT_EQ(amd.spills, 7u);
    EXPECT_FALSE(cost_of({}).registers);
}

} // namespace
} // namespace vksort::tune
