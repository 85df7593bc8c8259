// SPDX-License-Identifier: MIT
//
// Every algorithm of vksort by name, and `auto`, which also sorts between two buffers of the caller's, which takes less
// scratch, and to other buffers than it reads, as CUB does.
#include <algorithm>

#include <fmt/format.h>

#include "../vksort_job.h"

namespace vksort::bench {

namespace {

using host::Device;

class VksortContender : public Contender {
public:
    VksortContender(Device& device, VksortAlgorithm algorithm, VksortResult result)
        : device_(device), algorithm_(algorithm), result_(result) {}

    std::string name() const override {
        const char* to = is_ping_pong() ? ": ping-pong" : result_ == VKSORT_RESULT_SEPARATE ? ": separate" : "";
        return fmt::format("vksort {}{}", vksortAlgorithmName(algorithm_), to);
    }

    std::string refusal(const Scenario& scenario) const override {
        if (is_ping_pong() && scenario.operation != Operation::sort) {
            return "sorts only";
        }
        if (result_ == VKSORT_RESULT_SEPARATE && scenario.operation == Operation::merge) {
            return "merges go to other buffers in any case";
        }
        // The algorithm's own limits, found without a device's memory in the way.
        Scenario small = scenario;
        if (algorithm_ != VKSORT_ALGORITHM_ONE_WORKGROUP) {
            small.count = std::min<uint64_t>(small.count, 1024);
        }
        const VksortPlanDesc desc = describe(small, algorithm_, small.count, result_);
        VksortPlanInfo info = {};
        char message[512] = "";
        return vksortDescribePlan(&device_.info(), &desc, &info, message, sizeof message) == VK_SUCCESS ? "" : message;
    }

    std::unique_ptr<Job> prepare(const Input& input) override {
        auto plan = std::make_shared<MadePlan>(device_, describe(input.scenario, algorithm_, input.heads.size(), result_));
        return std::make_unique<VksortJob>(device_, std::move(plan),
                                           std::make_shared<DeviceData>(device_, input, is_ping_pong()));
    }

private:
    bool is_ping_pong() const { return result_ == VKSORT_RESULT_PING_PONG; }

    Device& device_;
    VksortAlgorithm algorithm_;
    VksortResult result_;
};

} // namespace

void add_vksort(Device& device, Contenders& contenders) {
    for (int algorithm = VKSORT_ALGORITHM_AUTO; vksortAlgorithmName(static_cast<VksortAlgorithm>(algorithm)) != nullptr;
         ++algorithm) {
        contenders.push_back(
            std::make_unique<VksortContender>(device, static_cast<VksortAlgorithm>(algorithm), VKSORT_RESULT_IN_PLACE));
    }
    for (VksortResult result : {VKSORT_RESULT_PING_PONG, VKSORT_RESULT_SEPARATE}) {
        contenders.push_back(std::make_unique<VksortContender>(device, VKSORT_ALGORITHM_AUTO, result));
    }
}

} // namespace vksort::bench
