// SPDX-License-Identifier: MIT
//
// Every algorithm of vksort by name, and `auto`.
#include <algorithm>

#include <fmt/format.h>

#include "../vksort_job.h"

namespace vksort::bench {

namespace {

using host::Device;

class VksortContender : public Contender {
public:
    VksortContender(Device& device, VksortAlgorithm algorithm) : device_(device), algorithm_(algorithm) {}

    std::string name() const override { return fmt::format("vksort {}", vksortAlgorithmName(algorithm_)); }

    std::string refusal(const Scenario& scenario) const override {
        // The algorithm's own limits, found without a device's memory in the way.
        Scenario small = scenario;
        if (algorithm_ != VKSORT_ALGORITHM_ONE_WORKGROUP) {
            small.count = std::min<uint64_t>(small.count, 1024);
        }
        const VksortPlanDesc desc = describe(small, algorithm_, small.count);
        VksortPlanInfo info = {};
        char message[512] = "";
        return vksortDescribePlan(&device_.info(), &desc, &info, message, sizeof message) == VK_SUCCESS ? "" : message;
    }

    std::unique_ptr<Job> prepare(const Input& input) override {
        auto plan = std::make_shared<MadePlan>(device_, describe(input.scenario, algorithm_, input.heads.size()));
        return std::make_unique<VksortJob>(device_, std::move(plan), std::make_shared<DeviceData>(device_, input));
    }

private:
    Device& device_;
    VksortAlgorithm algorithm_;
};

} // namespace

void add_vksort(Device& device, Contenders& contenders) {
    for (int algorithm = VKSORT_ALGORITHM_AUTO; vksortAlgorithmName(static_cast<VksortAlgorithm>(algorithm)) != nullptr;
         ++algorithm) {
        contenders.push_back(std::make_unique<VksortContender>(device, static_cast<VksortAlgorithm>(algorithm)));
    }
}

} // namespace vksort::bench
