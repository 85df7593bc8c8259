// SPDX-License-Identifier: MIT
//
// Sorts whose count the GPU knows alone: what is measured, the target, and what is made of the cells. No device is needed,
// but for the tests of BenchRunCapacity.
#include <algorithm>
#include <set>
#include <sstream>

#include "capacity.h"
#include "markup.h"
#include "program_test.h"
#ifdef VKSORT_BENCH_HAS_VRDX
#include "contenders/vrdx.h"
#endif

namespace vksort::bench {
namespace {

CapacityCell cell(CapacityContender contender, uint64_t capacity, uint64_t count, double us) {
    CapacityCell made;
    made.contender = contender;
    made.capacity = capacity;
    made.count = count;
    made.runs = 15;
    made.gpu = {us, us * 0.9, us * 1.1, us * 0.8, us * 1.2};
    return made;
}

CapacityCell refused(CapacityContender contender, uint64_t capacity, uint64_t count, Status status, const char* message) {
    CapacityCell made;
    made.contender = contender;
    made.capacity = capacity;
    made.count = count;
    made.status = status;
    made.message = message;
    return made;
}

// Within the target, at its edge and beyond it; a plan that was refused, and a result that was wrong.
CapacityTable sample_table() {
    CapacityTable table;
    parse_kind("u32+4", table.scenario);
    table.scenario.distribution = Distribution::splats;
    const uint64_t small = 1 << 12, large = 1 << 26;
    using enum CapacityContender;
    table.cells = {cell(exact, 0, 0, 1),
                   cell(exact, 100, 100, 20),
                   cell(exact, small, small, 40),
                   cell(vksort, small, 0, 8),
                   cell(vksort, small, 100, 30.1),
                   cell(vksort, small, small, 44),
                   refused(vksort, large, 0, Status::too_large, "needs 9 MiB, where there is 1"),
                   refused(vksort, large, 100, Status::too_large, "needs 9 MiB, where there is 1"),
                   cell(vrdx, small, 0, 50),
                   refused(vrdx, small, 100, Status::wrong, "keys out of \"order\" at 7"),
                   cell(vrdx, small, small, 60)};
    return table;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

TEST(BenchCapacity, TheTargetIsTheExactTimeAQuarterMoreAndFiveMicroseconds) {
    EXPECT_DOUBLE_EQ(capacity_limit(0, 1000), 8);
    EXPECT_DOUBLE_EQ(capacity_limit(1, 0), 8);
    EXPECT_DOUBLE_EQ(capacity_limit(2, 0), 5);
    EXPECT_DOUBLE_EQ(capacity_limit(100, 20), 30);
    const CapacityTable table = sample_table();
    const auto verdict = [&](size_t i) { return verdict_of(table, table.cells[i]); };
    EXPECT_FALSE(verdict(1)) << "an exact plan has nothing to be compared with";
    ASSERT_TRUE(verdict(3));
    EXPECT_TRUE(verdict(3)->is_within()) << "the limit itself is within it";
    ASSERT_TRUE(verdict(4));
    EXPECT_FALSE(verdict(4)->is_within());
    EXPECT_DOUBLE_EQ(verdict(4)->exact_us, 20);
    EXPECT_DOUBLE_EQ(verdict(4)->limit_us, 30);
    EXPECT_DOUBLE_EQ(verdict(4)->to_exact, 30.1 / 20);
    EXPECT_DOUBLE_EQ(verdict(4)->to_limit, 30.1 / 30);
    ASSERT_TRUE(verdict(5));
    EXPECT_TRUE(verdict(5)->is_within());
    EXPECT_FALSE(verdict(6)) << "a refused plan has no time";
}

TEST(BenchCapacity, TheTableSaysWhatIsBeyondTheTargetAndWhy) {
    EXPECT_EQ(lines_of(capacity_markdown(sample_table(), {0, 100})),
              (std::vector<std::string>{
                  "| u32+4, splats, µs | 0 | 100 | full | within |",
                  "|---|---:|---:|---:|---:|",
                  "| exact plans | 1.0 | 20.0 | | |",
                  "| capacity 2¹² | 8.0 | **30.1** | 44.0 (exact 40.0) | 2 of 3 |",
                  "| capacity 2²⁶ | - | - | | |",
                  "| VRDX, capacity 2¹² | 50.0 | wrong | 60.0 (exact 40.0) | 0 of 2 |",
                  "",
                  "- capacity 2²⁶: needs 9 MiB, where there is 1 (counts 0, 100)",
                  "- VRDX, capacity 2¹²: keys out of \"order\" at 7 (counts 100)",
              }));
}

TEST(BenchCapacity, TheSummaryCountsTheCellsOfVksort) {
    EXPECT_EQ(
        capacity_summary({sample_table()}),
        "2 of 3 cells are within the target. The worst takes 1.00 times its limit (u32+4, splats, capacity 2¹², count "
        "100). The worst ratio to an exact plan, of counts above 1, is 1.51 (u32+4, splats, capacity 2¹², count 100).\n");
    EXPECT_EQ(capacity_summary({}), "No cell has both a time and an exact plan to compare with.\n");
}

TEST(BenchCapacity, CsvHasTheSameColumnsEverywhere) {
    const CapacityTable table = sample_table();
    const std::vector<std::string> lines = lines_of(capacity_csv({{"date", "today"}}, {table}));
    ASSERT_EQ(lines.size(), 2 + table.cells.size());
    EXPECT_EQ(lines[0], "# date: \"today\"");
    EXPECT_EQ(lines[1], kCapacityCsvColumns);
    for (size_t i = 2; i < lines.size(); ++i) {
        bool quoted = false;
        size_t commas = 0;
        for (const char c : lines[i]) {
            quoted = c == '"' ? !quoted : quoted;
            commas += c == ',' && !quoted ? 1 : 0;
        }
        EXPECT_EQ(commas, static_cast<size_t>(std::count(lines[1].begin(), lines[1].end(), ','))) << lines[i];
    }
    EXPECT_EQ(lines[6],
              "u32,4,splats,vksort capacity,4096,100,ok,,,15,30.100,27.090,33.110,24.080,36.120,20.000,30.000,1.5050,"
              "1.0033,0");
    EXPECT_EQ(lines[8], "u32,4,splats,vksort capacity,67108864,0,too_large,\"needs 9 MiB, where there is 1\",,0,,,,,,,,,,");
}

TEST(BenchCapacity, ThePictureHasALineForEachPlan) {
    const std::string svg = capacity_picture(sample_table(), "a <device>");
    EXPECT_EQ(markup_error("<!DOCTYPE html>\n" + svg), "");
    const std::vector<std::string> texts = texts_of(svg, "text");
    for (const char* text : {"exact plans", "capacity 2¹²", "VRDX, capacity 2¹²", "count"}) {
        EXPECT_NE(std::find(texts.begin(), texts.end(), text), texts.end()) << text;
    }
    EXPECT_EQ(std::find(texts.begin(), texts.end(), "capacity 2²⁶"), texts.end()) << "it has no time";
    CapacityTable empty = sample_table();
    empty.cells.resize(1); // of a count of 0, for which a logarithmic axis has no place
    EXPECT_EQ(capacity_picture(empty, "a device"), "");
}

TEST(BenchCapacity, WithoutOptionsItIsTheTarget) {
    const CapacityWork work = capacity_work({}, false);
    EXPECT_EQ(work.capacities, (std::vector<uint64_t>{1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 26}));
    EXPECT_EQ(work.counts, (std::vector<uint64_t>{0, 1, 100, 1000, 4096, 10000, 65536, 300000, 1000000, 6000000}));
    EXPECT_EQ(work.tables.size(), 6u * 3);
    std::set<std::string> names;
    for (const CapacityTable& table : work.tables) {
        names.insert(kind_text(table.scenario) + " " + name_of(table.scenario.distribution));
    }
    EXPECT_TRUE(names.contains("u64+4 splats"));
    EXPECT_TRUE(names.contains("f32 projected"));
    EXPECT_FALSE(names.contains("f32 splats"));
    const CapacityWork on_cpu = capacity_work({}, true);
    EXPECT_EQ(on_cpu.tables.size(), 6u);
    EXPECT_LE(on_cpu.capacities.back(), 1u << 16);
}

TEST(BenchCapacity, ListsAreParsedSortedAndHaveNothingTwice) {
    CapacityOptions options;
    options.kinds = {"u64", "u64"};
    options.capacities = {"2^10", "100", "1024"};
    options.counts = {"7", "0"};
    options.distributions = {"zipf"};
    const CapacityWork work = capacity_work(options, false);
    EXPECT_EQ(work.capacities, (std::vector<uint64_t>{100, 1024}));
    EXPECT_EQ(work.counts, (std::vector<uint64_t>{0, 7}));
    ASSERT_EQ(work.tables.size(), 1u);
    for (const auto& [list, text] : {std::pair{&CapacityOptions::kinds, "u33"},
                                     {&CapacityOptions::kinds, "u32+3"},
                                     {&CapacityOptions::capacities, "0"},
                                     {&CapacityOptions::capacities, "2^33"},
                                     {&CapacityOptions::counts, "many"},
                                     {&CapacityOptions::distributions, "gaussian"}}) {
        CapacityOptions wrong;
        wrong.*list = {text};
        EXPECT_THROW(capacity_work(wrong, false), std::invalid_argument) << text;
    }
}

TEST(BenchCapacity, SeveralPicturesHaveNamesOfTheirOwn) {
    const CapacityTable table = sample_table();
    EXPECT_EQ(capacity_picture_path("a/b.svg", table, 1), "a/b.svg");
    EXPECT_EQ(capacity_picture_path("a/b.svg", table, 2), "a/b-u32-4-splats.svg");
    EXPECT_EQ(capacity_picture_path("-", table, 1), "-");
    EXPECT_THROW(capacity_picture_path("-", table, 2), std::invalid_argument);
}

class BenchCapacityFiles : public ProgramTest {
protected:
    BenchCapacityFiles() : ProgramTest(VKSORT_BENCH_PATH) {}
};

TEST_F(BenchCapacityFiles, AreCheckedBeforeAnythingIsMeasured) {
    const std::vector<std::vector<std::string>> commands = {
        {"capacity", "--csv", path("no/such/folder")},
        {"capacity", "--svg", path("no/such/folder.svg")},
        {"capacity", "--svg", "-"},
        {"capacity", "--kinds", "u32", "--distributions", "zipf", "--csv", path("one"), "--svg", path("one")},
        {"capacity", "--counts", "many"},
        {"capacity", "--runs", "0"}};
    for (const std::vector<std::string>& command : commands) {
        EXPECT_EQ(run(command), 2) << command.back();
        const std::string error = text("err");
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
        EXPECT_EQ(text("out"), "");
    }
}

class BenchRunCapacity : public BenchCapacityFiles {};

TEST_F(BenchRunCapacity, TimesCapacities) {
    ASSERT_EQ(run({"capacity", "--kinds", "u32,f32+4,u64", "--capacities", "300,2^12", "--counts", "0,1,100,1000", "--runs",
                   "2", "--csv", path("c.csv"), "--svg", path("c.svg")}),
              0)
        << text("err") << text("out");
    EXPECT_EQ(text("err"), "");
    const std::string out = text("out");
    for (const char* part : {"| u32, uniform, µs | 0 | 1 | 100 | 1,000 | full | within |", "| f32+4, unit, µs |",
                             "| u64, uniform, µs |", "| exact plans |", "| capacity 300 |", " of 30 cells are within"}) {
        EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
    }
    size_t cells = 0;
    for (const std::string& line : lines_of(text("c.csv"))) {
        if (line.find(",vksort ") != std::string::npos) {
            ++cells;
            EXPECT_NE(line.find(",ok,,"), std::string::npos) << line;
        }
    }
    // Counts 0, 1, 100, 300, 1000 and 4096 by exact plans and by the larger capacity, the first four by the smaller one.
    EXPECT_EQ(cells, 3u * (6 + 6 + 4));
    for (const char* name : {"c-u32-uniform.svg", "c-f32-4-unit.svg", "c-u64-uniform.svg"}) {
        EXPECT_EQ(markup_error("<!DOCTYPE html>\n" + text(name)), "") << name;
    }
}

TEST_F(BenchRunCapacity, ACapacityThatDoesNotFitIsToldBelowTheTable) {
    ASSERT_EQ(run({"capacity", "--kinds", "u64+16", "--capacities", "1000,4294967295", "--counts", "10", "--runs", "1",
                   "--csv", path("c.csv")}),
              0)
        << text("err") << text("out");
    const std::string out = text("out");
    EXPECT_NE(out.find("| capacity 4,294,967,295 | - |"), std::string::npos) << out;
    EXPECT_NE(out.find("\n- capacity 4,294,967,295: "), std::string::npos) << out;
    EXPECT_NE(text("c.csv").find(",too_large,\""), std::string::npos) << text("c.csv");
}

#ifdef VKSORT_BENCH_HAS_VRDX
TEST_F(BenchRunCapacity, VrdxRefusesInWords) {
    host::Device device;
    const auto refusal = [&](auto change) {
        Scenario scenario;
        scenario.count = 1000;
        change(scenario);
        return VrdxSorter::refusal(device, scenario);
    };
    EXPECT_EQ(refusal([](Scenario& s) { s.operation = Operation::merge; }), "sorts only");
    EXPECT_EQ(refusal([](Scenario& s) { s.key = VKSORT_KEY_F32; }), "u32 keys only");
    EXPECT_EQ(refusal([](Scenario& s) { s.value_bytes = 8; }), "values of 0 or 4 bytes only");
    EXPECT_EQ(refusal([](Scenario& s) { s.descending = true; }), "ascending sorts only");
    EXPECT_EQ(refusal([](Scenario& s) { s.bits = {0, 16}; }), "sorts by all bits only");
    EXPECT_EQ(refusal([](Scenario& s) { s.count = uint64_t{1} << 30; }), "counts below 2^30 only");
    const bool narrow = device.info().subgroupSize < 32;
    EXPECT_EQ(refusal([](Scenario&) {}).empty(), !narrow && (device.info().features & VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT));
}

TEST_F(BenchRunCapacity, VrdxSortsWhereItCan) {
    for (const char* values : {"0", "4"}) {
        ASSERT_EQ(run({"--counts", "1,1000,70000", "--values", values, "--contenders", "VRDX", "--runs", "1", "--seconds",
                       "0", "--csv", path("r.csv")}),
                  0)
            << text("err");
        for (const std::string& line : lines_of(text("r.csv"))) {
            if (line.find(",VRDX,") != std::string::npos) {
                EXPECT_TRUE(line.find(",ok,") != std::string::npos || line.find(",unsupported,") != std::string::npos)
                    << line;
            }
        }
    }
}
#endif

} // namespace
} // namespace vksort::bench
