// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstring>

#include "device_state.hpp"

namespace vksort::host {

namespace {

// Progress is told, and copies are made, in pieces of this size.
constexpr uint64_t kPiece = 64 << 20;

// A description that fails even on a device without a limit to its buffers is the caller's mistake; else the device is
// too small or lacks something.
Error::Kind blame(const VksortPlanDesc& desc) {
    VksortDeviceInfo ideal = {};
    vksortGetGenericDeviceInfo(&ideal);
    ideal.maxStorageBufferRange = uint64_t{1} << 40;
    VksortPlanInfo info = {};
    return vksortDescribePlan(&ideal, &desc, &info, nullptr, 0) == VK_SUCCESS ? Error::Kind::device : Error::Kind::usage;
}

class Plan {
public:
    Plan(Device& device, const VksortPlanDesc& desc) {
        device.state().sink.last_error.clear();
        const VkResult result = vksortCreatePlan(device.context(), &desc, &handle_);
        if (result != VK_SUCCESS) {
            const std::string& message = device.last_message();
            throw Error(blame(desc), message.empty() ? "creating a plan failed: " + result_name(result) : message);
        }
        vksortGetPlanInfo(handle_, &info_);
    }
    ~Plan() { vksortDestroyPlan(handle_); }
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
    explicit PassTimer(Device& device) : device_(device), vk_(device.state().vk) {
        if (device.timestamp_period() == 0) {
            return;
        }
        VkQueryPoolCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
        info.queryType = VK_QUERY_TYPE_TIMESTAMP;
        info.queryCount = 2 * VKSORT_MAX_PASSES;
        check(vk_.vkCreateQueryPool(device.device(), &info, nullptr, &pool_), "creating a query pool");
    }
    ~PassTimer() { vk_.vkDestroyQueryPool(device_.device(), pool_, nullptr); }
    PassTimer(const PassTimer&) = delete;
    PassTimer& operator=(const PassTimer&) = delete;

    void attach(VkCommandBuffer commands, VksortSortBuffers& buffers) {
        if (pool_ != VK_NULL_HANDLE) {
            vk_.vkCmdResetQueryPool(commands, pool_, 0, 2 * VKSORT_MAX_PASSES);
            buffers.passCallback = on_pass;
            buffers.passUser = this;
        }
    }

    void read(SortOutcome& outcome) const {
        if (names_.empty()) {
            return;
        }
        std::vector<uint64_t> ticks(names_.size() * 2);
        check(vk_.vkGetQueryPoolResults(device_.device(), pool_, 0, static_cast<uint32_t>(ticks.size()),
                                        ticks.size() * sizeof(uint64_t), ticks.data(), sizeof(uint64_t),
                                        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
              "reading timestamps");
        for (size_t i = 0; i < names_.size(); ++i) {
            outcome.passes.push_back({names_[i], microseconds(ticks[2 * i], ticks[2 * i + 1])});
        }
        outcome.total_microseconds = microseconds(ticks.front(), ticks.back());
    }

private:
    static void on_pass(void* user, VkCommandBuffer commands, VksortPassEvent event, uint32_t index, const char* name) {
        PassTimer& timer = *static_cast<PassTimer*>(user);
        if (event == VKSORT_PASS_BEGIN) {
            timer.names_.emplace_back(name);
        }
        const uint32_t query = 2 * index + (event == VKSORT_PASS_END ? 1 : 0);
        timer.vk_.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timer.pool_, query);
    }

    double microseconds(uint64_t begin, uint64_t end) const {
        const uint32_t bits = device_.timestamp_valid_bits();
        const uint64_t mask = bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
        return static_cast<double>((end - begin) & mask) * device_.timestamp_period() / 1000;
    }

    Device& device_;
    const VolkDeviceTable& vk_;
    VkQueryPool pool_ = VK_NULL_HANDLE;
    std::vector<std::string> names_;
};

void tell(const SortRequest& request, const char* stage, double fraction = 0) {
    if (request.progress) {
        request.progress(stage, fraction);
    }
}

// Tells one stage's progress over several copies.
class Progress {
public:
    Progress(const SortRequest& request, const char* stage, uint64_t total)
        : request_(request), stage_(stage), total_(total) {
        advance(0);
    }
    void upload(Buffer& to, std::span<const std::byte> bytes) {
        for (uint64_t done = 0; done < bytes.size(); done += kPiece) {
            const std::span part = bytes.subspan(done, std::min<uint64_t>(kPiece, bytes.size() - done));
            to.upload(part, done);
            advance(part.size());
        }
    }
    std::vector<std::byte> download(const Buffer& from, uint64_t size) {
        std::vector<std::byte> bytes(size);
        for (uint64_t done = 0; done < size; done += kPiece) {
            const std::span part = std::span(bytes).subspan(done, std::min(kPiece, size - done));
            from.download(part, done);
            advance(part.size());
        }
        return bytes;
    }

private:
    void advance(uint64_t bytes) {
        done_ += bytes;
        tell(request_, stage_, total_ == 0 ? 0 : static_cast<double>(done_) / static_cast<double>(total_));
    }

    const SortRequest& request_;
    const char* stage_;
    uint64_t total_;
    uint64_t done_ = 0;
};

VksortPlanDesc checked_description(const SortRequest& request) {
    VksortPlanDesc desc = request.desc;
    const uint32_t key_size = vksortKeySize(desc.keyType);
    const bool argsort = (desc.flags & VKSORT_PLAN_ARGSORT_BIT) != 0;
    if (desc.operation != VKSORT_OPERATION_SORT || desc.keyStride != 0 ||
        (desc.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) != 0) {
        throw Error(Error::Kind::usage,
                    "vksort::host sorts dense keys whose count the host knows; use vksort.h for the rest");
    }
    if (key_size == 0) {
        throw Error(Error::Kind::usage, "unknown key type " + std::to_string(static_cast<int>(desc.keyType)));
    }
    if (request.keys.size() % key_size != 0) {
        throw Error(Error::Kind::usage, std::to_string(request.keys.size()) + " bytes are not a whole number of " +
                                            vksortKeyTypeName(desc.keyType) + " keys");
    }
    desc.maxCount = request.keys.size() / key_size;
    const uint64_t value_bytes = argsort ? 0 : desc.maxCount * desc.valueSize;
    if (request.values.size() != value_bytes) {
        throw Error(Error::Kind::usage, "there are " + std::to_string(request.values.size()) + " bytes of values, where " +
                                            std::to_string(desc.maxCount) + " keys need " + std::to_string(value_bytes));
    }
    return desc;
}

} // namespace

SortOutcome sort(Device& device, const SortRequest& request) {
    const VksortPlanDesc desc = checked_description(request);
    const uint64_t count = desc.maxCount;
    const bool argsort = (desc.flags & VKSORT_PLAN_ARGSORT_BIT) != 0;
    const bool discard_keys = (desc.flags & VKSORT_PLAN_DISCARD_KEYS_BIT) != 0;
    const bool separate = desc.result == VKSORT_RESULT_SEPARATE;
    const bool ping_pong = desc.result == VKSORT_RESULT_PING_PONG;
    const uint64_t key_bytes = request.keys.size();
    const uint64_t value_bytes = count * (argsort ? sizeof(uint32_t) : desc.valueSize);

    const Plan plan(device, desc);
    const VksortPlanInfo& info = plan.info();
    SortOutcome outcome = {};
    outcome.plan = info;

    // A buffer that the plan does not use stays a null handle, which the plan ignores.
    const auto make = [&](bool needed, uint64_t bytes, VkBufferUsageFlags usage) {
        return needed ? Buffer(device, bytes, usage) : Buffer();
    };
    const bool has_values = argsort || desc.valueSize != 0;
    Buffer keys = make(true, key_bytes, info.bufferUsage);
    Buffer values = make(has_values && !(argsort && separate), value_bytes, info.bufferUsage);
    Buffer keys_alternate = make(ping_pong, key_bytes, info.bufferUsage);
    Buffer values_alternate = make(ping_pong && has_values, value_bytes, info.bufferUsage);
    Buffer keys_out = make(separate && !discard_keys, key_bytes, info.bufferUsage);
    Buffer values_out = make(separate && has_values, value_bytes, info.bufferUsage);
    Buffer scratch = make(info.scratchSize != 0, info.scratchSize, info.scratchUsage);

    Progress uploading(request, "uploading", key_bytes + request.values.size());
    uploading.upload(keys, request.keys);
    if (!request.values.empty()) {
        uploading.upload(values, request.values);
    }

    PassTimer timer(device);
    device.state().sink.last_error.clear();
    const auto run = [&](uint64_t elements, bool timed) {
        device.run([&](VkCommandBuffer commands) {
            VksortSortBuffers buffers = {};
            buffers.keys.buffer = keys.handle();
            buffers.values.buffer = values.handle();
            buffers.keysAlternate.buffer = keys_alternate.handle();
            buffers.valuesAlternate.buffer = values_alternate.handle();
            buffers.keysOut.buffer = keys_out.handle();
            buffers.valuesOut.buffer = values_out.handle();
            buffers.scratch.buffer = scratch.handle();
            buffers.count = elements;
            buffers.descriptorPool = device.descriptor_pool(info);
            if (timed) {
                timer.attach(commands, buffers);
            }
            vksortCmdSort(commands, plan.handle(), &buffers);
        });
    };
    if (request.warm_up) {
        tell(request, "compiling");
        run(std::min<uint64_t>(count, 1), false); // sorting one element changes nothing
    }
    tell(request, "sorting");
    const auto start = std::chrono::steady_clock::now();
    run(count, true);
    const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
    outcome.wall_microseconds = wall.count();
    if (!device.last_message().empty()) { // misuse is reported while recording
        throw Error(Error::Kind::usage, device.last_message());
    }
    timer.read(outcome);

    const bool alternate = ping_pong && info.resultInAlternate == VK_TRUE;
    const Buffer& sorted_keys = separate ? keys_out : alternate ? keys_alternate : keys;
    const Buffer& sorted_values = separate ? values_out : alternate ? values_alternate : values;
    Progress downloading(request, "downloading", (discard_keys ? 0 : key_bytes) + value_bytes);
    if (!discard_keys) {
        outcome.keys = downloading.download(sorted_keys, key_bytes);
    }
    outcome.values = downloading.download(sorted_values, value_bytes);
    if (info.statisticsOffset != UINT64_MAX && count != 0) {
        scratch.download(std::as_writable_bytes(std::span(&outcome.statistics, 1)), info.statisticsOffset);
    }
    return outcome;
}

} // namespace vksort::host
