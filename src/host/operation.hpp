// SPDX-License-Identifier: MIT
//
// Private to vksort::host: what sorts and merges of data in host memory have in common.
#pragma once

#include "device_state.hpp"

namespace vksort::host {

// Bytes of a key. Throws where the request asks for what is not for here: strides, counts from a buffer.
uint32_t checked_key_size(const Request& request);

// The number of keys in `keys`. Throws where they are not whole, or where `values` are not those of as many keys.
uint64_t checked_count(const Request& request, std::span<const std::byte> keys, std::span<const std::byte> values);

bool is_argsort(const VksortPlanDesc& desc);
bool discards_keys(const VksortPlanDesc& desc);
// Bytes of what moves with a key, or is made for it.
uint32_t moved_value_size(const VksortPlanDesc& desc);

class Plan {
public:
    Plan(Device& device, const VksortPlanDesc& desc);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    VksortPlan handle() const { return handle_; }
    const VksortPlanInfo& info() const { return info_; }

private:
    VksortPlan handle_ = VK_NULL_HANDLE;
    VksortPlanInfo info_ = {};
};

// Two timestamps a pass, written by the pass callback.
class PassTimer {
public:
    explicit PassTimer(Device& device);
    ~PassTimer();
    PassTimer(const PassTimer&) = delete;
    PassTimer& operator=(const PassTimer&) = delete;

    template <class Buffers> void attach(VkCommandBuffer commands, Buffers& buffers) {
        if (start(commands)) {
            buffers.passCallback = on_pass;
            buffers.passUser = this;
        }
    }
    void read(SortOutcome& outcome) const;

private:
    bool start(VkCommandBuffer commands); // false where the device has no timestamps
    static void on_pass(void* user, VkCommandBuffer commands, VksortPassEvent event, uint32_t index, const char* name);
    double microseconds(uint64_t begin, uint64_t end) const;

    Device& device_;
    const VolkDeviceTable& vk_;
    VkQueryPool pool_ = VK_NULL_HANDLE;
    std::vector<std::string> names_;
};

// Copies between host and device, telling one stage's progress over several of them.
class Transfer {
public:
    Transfer(const Request& request, const char* stage, uint64_t total);
    void upload(Buffer& to, std::span<const std::byte> bytes);
    std::vector<std::byte> download(const Buffer& from, uint64_t size);

private:
    void advance(uint64_t bytes);

    const Request& request_;
    const char* stage_;
    uint64_t total_;
    uint64_t done_ = 0;
};

void tell(const Request& request, const char* stage, double fraction = 0);

// One run of a plan: buffers, warm-up, the timed run, statistics.
class Operation {
public:
    Operation(Device& device, const Request& request, const VksortPlanDesc& desc);

    const Plan& plan() const { return plan_; }
    const VksortPlanInfo& info() const { return plan_.info(); }
    // A buffer that the plan does not use stays a null handle, which the plan ignores.
    Buffer buffer(bool needed, uint64_t bytes) const;
    // Enough elements for every kernel of the plan to have work, if there are as many.
    uint64_t warm_up_count(uint64_t count) const;

    // Fills scratch, pool and callback into the buffers of a call and has `record` make it: once, before anything is
    // uploaded, to warm up; once for the result.
    template <class Buffers> void warm_up(Buffers buffers, void (*record)(VkCommandBuffer, VksortPlan, const Buffers*));
    template <class Buffers>
    void run(const char* stage, Buffers buffers, void (*record)(VkCommandBuffer, VksortPlan, const Buffers*));

    // What the run told. `count`: of elements that were sorted or merged.
    SortOutcome outcome(uint64_t count) const;

private:
    template <class Buffers>
    void submit(Buffers& buffers, void (*record)(VkCommandBuffer, VksortPlan, const Buffers*), bool timed);
    double timed(const std::function<void()>& action) const; // microseconds; throws what vksort reported

    Device& device_;
    const Request& request_;
    Plan plan_;
    Buffer scratch_;
    PassTimer timer_;
    double wall_microseconds_ = 0;
};

template <class Buffers>
void Operation::submit(Buffers& buffers, void (*record)(VkCommandBuffer, VksortPlan, const Buffers*), bool timed) {
    buffers.scratch.buffer = scratch_.handle();
    device_.run([&](VkCommandBuffer commands) {
        buffers.descriptorPool = device_.descriptor_pool(info());
        if (timed) {
            timer_.attach(commands, buffers);
        }
        record(commands, plan_.handle(), &buffers);
    });
}

template <class Buffers>
void Operation::warm_up(Buffers buffers, void (*record)(VkCommandBuffer, VksortPlan, const Buffers*)) {
    if (request_.warm_up) {
        tell(request_, "compiling");
        submit(buffers, record, false);
    }
}

template <class Buffers>
void Operation::run(const char* stage, Buffers buffers, void (*record)(VkCommandBuffer, VksortPlan, const Buffers*)) {
    tell(request_, stage);
    wall_microseconds_ = timed([&] { submit(buffers, record, true); });
}

} // namespace vksort::host
