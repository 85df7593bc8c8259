// SPDX-License-Identifier: MIT
//
// A plan of vksort's on a scenario's input: what vksort-bench and vksort-tune run.
#pragma once

#include <memory>

#include "gpu_clock.h"
#include "plan.h"

namespace vksort::bench {

// `segments`: how many the input has. Sorts in place, as most callers do, unless `result` says otherwise; merges into
// another buffer.
VksortPlanDesc describe(const Scenario& scenario, VksortAlgorithm algorithm, uint64_t segments,
                        VksortResult result = VKSORT_RESULT_IN_PLACE);

class MadePlan {
public:
    // Throws TooLarge where the plan is refused, std::runtime_error where its pipelines cannot be made.
    MadePlan(host::Device& device, const VksortPlanDesc& description, const PlanOverrides* overrides = nullptr);
    ~MadePlan() { vksortDestroyPlan(handle_); }
    MadePlan(const MadePlan&) = delete;
    MadePlan& operator=(const MadePlan&) = delete;

    VksortPlan handle() const { return handle_; }
    VksortPlanDesc desc;
    VksortPlanInfo info = {};
    bool overridden; // its passes are not those that vksortDescribePasses tells of

private:
    VksortPlan handle_ = VK_NULL_HANDLE;
};

// An input on the device with room for its result. The jobs of any number of plans take turns at it.
class DeviceData {
public:
    // `alternate`: with a second buffer of keys, and of values, for VKSORT_RESULT_PING_PONG. Throws TooLarge.
    DeviceData(host::Device& device, const Input& input, bool alternate = false);

    Scenario scenario;
    uint64_t segments;
    host::Buffer keys_in, values_in, keys, values; // merge: the first two are A, and the others for the result
    host::Buffer keys_b, values_b, heads;
    bool has_alternate;
    host::Buffer keys_alternate, values_alternate;

    bool is_merge() const { return scenario.operation == Operation::merge; }
    uint64_t bytes() const { return (has_alternate ? 3 : 2) * scenario.bytes() + segments * 4; }
};

class VksortJob : public Job {
public:
    VksortJob(host::Device& device, std::shared_ptr<const MadePlan> plan,
              std::shared_ptr<DeviceData> data); // throws TooLarge

    std::optional<double> gpu_time() override;
    double wall_time() override;
    void result(HostBytes& keys, HostBytes& values) override;
    std::vector<PassTime> passes() override;
    std::optional<uint64_t> model_bytes() override;
    std::optional<uint64_t> scratch_bytes() override { return plan_->info.scratchSize; }
    std::string note() const override;

private:
    bool is_separate() const { return plan_->desc.result == VKSORT_RESULT_SEPARATE; } // from where the input stays
    VkBuffer source_keys() const { return (is_separate() ? data_->keys_in : data_->keys).handle(); }
    VkBuffer source_values() const { return (is_separate() ? data_->values_in : data_->values).handle(); }
    uint64_t key_bytes() const { return data_->scenario.count * data_->scenario.key_bytes(); }
    uint64_t value_bytes() const { return data_->scenario.count * data_->scenario.value_bytes; }
    void restore(VkCommandBuffer commands) const;
    template <typename Buffers> void set_common(Buffers& buffers, bool by_pass);
    void record(VkCommandBuffer commands, bool by_pass);
    void read(uint64_t offset, void* to, size_t size) const;

    host::Device& device_;
    std::shared_ptr<const MadePlan> plan_;
    std::shared_ptr<DeviceData> data_;
    GpuClock clock_;
    host::Buffer scratch_;
};

} // namespace vksort::bench
