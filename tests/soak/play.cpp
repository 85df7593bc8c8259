// SPDX-License-Identifier: MIT
#include "play.h"

#include <memory>
#include <string_view>

#include <gtest/gtest-spi.h>

namespace vksort::test {

namespace {

constexpr std::string_view kPrefix = "Failed\n"; // of every message of ADD_FAILURE

void run(const Round& round, Verdict& verdict) {
    std::vector<std::unique_ptr<Batch>> batches;
    for (const std::vector<Case>& submission : round.submissions) {
        batches.push_back(std::make_unique<Batch>(mix(round.seed, batches.size())));
        Batch& batch = *batches.back();
        batch.keep_recording();
        if (round.shares_scratch) {
            batch.share_scratch();
        }
        for (const Case& drawn : submission) {
            std::visit([&batch](const auto& each) { batch.add(each); }, drawn);
        }
        const bool right = batches.size() == 1 ? batch.run() : batch.run_again_with(*batches.front());
        if (batches.size() == 1) {
            for (const Outcome& outcome : batch.outcomes()) {
                verdict.algorithms.push_back(outcome.info.algorithm);
            }
        }
        if (!right) {
            return;
        }
    }
}

} // namespace

Verdict play(const Round& round) {
    Verdict verdict;
    testing::TestPartResultArray results;
    {
        // The harness reports to GoogleTest, of which no test runs here.
        testing::ScopedFakeTestPartResultReporter reporter(
            testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
        try {
            run(round, verdict);
        } catch (const host::Error& error) {
            verdict.failures.push_back(error.what());
        }
    }
    for (int i = 0; i < results.size(); ++i) {
        const std::string text = results.GetTestPartResult(i).message();
        verdict.failures.push_back(text.substr(text.starts_with(kPrefix) ? kPrefix.size() : 0));
    }
    for (const std::string& message : take_messages()) {
        verdict.failures.push_back("a message between two rounds: " + message);
    }
    return verdict;
}

} // namespace vksort::test
