// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include <set>

#include "runner.h"

namespace vksort::test {

using nlohmann::json;

class ExportedFiles : public CliTest {
protected:
    json plan_in(const std::string& folder) const { return json::parse(to_string(read(folder + "/plan.json"))); }
};

// Every number that refers to something does, and every kernel is there.
TEST_F(ExportedFiles, AreComplete) {
    run_well("plan --count 2^24 --type u32 --value-size 4 --count-on-gpu --export @out");
    const json plan = plan_in("out");
    EXPECT_EQ(plan["info"]["maxCount"], 1 << 24);
    std::set<std::string> kernels;
    for (const json& pipeline : plan["pipelines"]) {
        EXPECT_EQ(pipeline["workgroupSize"], pipeline["constants"][0]);
        kernels.insert(pipeline["spirv"]);
    }
    for (const std::string& kernel : kernels) {
        const Bytes spirv = read("out/" + kernel);
        ASSERT_GT(spirv.size(), 20u) << kernel;
        EXPECT_EQ(reference::load_bits(spirv.data(), 4), 0x07230203u) << kernel;
    }
    ASSERT_GT(plan["sets"].size(), 1u) << "plans for smaller counts";
    for (const json& set : plan["sets"]) {
        ASSERT_EQ(set.size(), VKSORT_EXPORT_BINDINGS);
        for (const json& binding : set) {
            const json& buffer = plan["buffers"][binding["buffer"].get<std::string>()];
            EXPECT_LE(binding["offset"].get<uint64_t>() + binding["size"].get<uint64_t>(), buffer["size"].get<uint64_t>());
        }
    }
    size_t indirect = 0;
    size_t barriers = 0;
    for (const json& pass : plan["passes"]) {
        EXPECT_LT(pass["pipeline"], plan["pipelines"].size());
        EXPECT_LT(pass["set"], plan["sets"].size());
        EXPECT_LE(pass["push"].size(), VKSORT_EXPORT_PUSH_BYTES / 4);
        EXPECT_NE(pass.contains("indirectOffset"), pass.contains("groups"));
        indirect += pass.contains("indirectOffset") ? 1 : 0;
        barriers += pass.contains("barrier") ? 1 : 0;
    }
    EXPECT_GT(indirect, 0u);
    EXPECT_GT(barriers, 3u);
    EXPECT_FALSE(plan["passes"][0].contains("barrier"));
}

// A folder that is there is used again, and what is written does not change.
TEST_F(ExportedFiles, AreTheSameAgain) {
    run_well("plan --count 1000 --type u64 --merge 500 --export @out");
    const Bytes first = read("out/plan.json");
    EXPECT_EQ(plan_in("out")["buffers"]["keysB"]["size"], 4000);
    run_well("plan --count 1000 --type u64 --merge 500 --export @out");
    EXPECT_EQ(read("out/plan.json"), first);
}

TEST_F(ExportedFiles, NeedAPlace) {
    expect_failure(2, "plan --count 1000 --type u32 --export @none/out", {"cannot make the folder", "out"});
    expect_failure(3, "plan --count 2^31 --type u32 --export @out", {"the largest count that fits"});
}

} // namespace vksort::test
