// SPDX-License-Identifier: MIT
#include "operation.hpp"

#include <algorithm>
#include <chrono>

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

} // namespace

bool is_argsort(const VksortPlanDesc& desc) { return (desc.flags & VKSORT_PLAN_ARGSORT_BIT) != 0; }

bool discards_keys(const VksortPlanDesc& desc) { return (desc.flags & VKSORT_PLAN_DISCARD_KEYS_BIT) != 0; }

uint32_t moved_value_size(const VksortPlanDesc& desc) {
    return is_argsort(desc) ? static_cast<uint32_t>(sizeof(uint32_t)) : desc.valueSize;
}

uint32_t checked_key_size(const Request& request) {
    const VksortPlanDesc& desc = request.desc;
    constexpr VksortPlanFlags kOnTheGpu = VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT;
    if (desc.keyStride != 0 || (desc.flags & kOnTheGpu) != 0) {
        throw Error(Error::Kind::usage,
                    "vksort::host takes dense keys whose count the host knows; use vksort.h for the rest");
    }
    const bool comparator = desc.keyType == VKSORT_KEY_COMPARATOR;
    const uint32_t key_size = comparator ? 4 * request.key_words : vksortKeySize(desc.keyType);
    if (key_size == 0) {
        throw Error(Error::Kind::usage, comparator ? "keys under a comparator need key_words, the words of 4 bytes in a key"
                                                   : "unknown key type " + std::to_string(static_cast<int>(desc.keyType)));
    }
    return key_size;
}

uint64_t checked_count(const Request& request, std::span<const std::byte> keys, std::span<const std::byte> values) {
    const VksortPlanDesc& desc = request.desc;
    const uint32_t key_size = checked_key_size(request);
    if (keys.size() % key_size != 0) {
        throw Error(Error::Kind::usage, std::to_string(keys.size()) + " bytes are not a whole number of " +
                                            vksortKeyTypeName(desc.keyType) + " keys");
    }
    const uint64_t count = keys.size() / key_size;
    const uint64_t value_bytes = is_argsort(desc) ? 0 : count * desc.valueSize;
    if (values.size() != value_bytes) {
        throw Error(Error::Kind::usage, "there are " + std::to_string(values.size()) + " bytes of values, where " +
                                            std::to_string(count) + " keys need " + std::to_string(value_bytes));
    }
    return count;
}

Plan::Plan(Device& device, const VksortPlanDesc& desc) {
    device.state().sink.last_error.clear();
    const VkResult result = vksortCreatePlan(device.context(), &desc, &handle_);
    if (result != VK_SUCCESS) {
        const std::string& message = device.last_message();
        throw Error(blame(desc), message.empty() ? "creating a plan failed: " + result_name(result) : message);
    }
    vksortGetPlanInfo(handle_, &info_);
}

Plan::~Plan() { vksortDestroyPlan(handle_); }

PassTimer::PassTimer(Device& device) : device_(device), vk_(device.state().vk) {
    if (device.timestamp_period() == 0) {
        return;
    }
    VkQueryPoolCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = 2 * VKSORT_MAX_PASSES;
    check(vk_.vkCreateQueryPool(device.device(), &info, nullptr, &pool_), "creating a query pool");
}

PassTimer::~PassTimer() { vk_.vkDestroyQueryPool(device_.device(), pool_, nullptr); }

bool PassTimer::start(VkCommandBuffer commands) {
    if (pool_ != VK_NULL_HANDLE) {
        vk_.vkCmdResetQueryPool(commands, pool_, 0, 2 * VKSORT_MAX_PASSES);
    }
    return pool_ != VK_NULL_HANDLE;
}

void PassTimer::read(SortOutcome& outcome) const {
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

void PassTimer::on_pass(void* user, VkCommandBuffer commands, VksortPassEvent event, uint32_t index, const char* name) {
    PassTimer& timer = *static_cast<PassTimer*>(user);
    if (event == VKSORT_PASS_BEGIN) {
        timer.names_.emplace_back(name);
    }
    const uint32_t query = 2 * index + (event == VKSORT_PASS_END ? 1 : 0);
    timer.vk_.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timer.pool_, query);
}

double PassTimer::microseconds(uint64_t begin, uint64_t end) const {
    const uint32_t bits = device_.timestamp_valid_bits();
    const uint64_t mask = bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
    return static_cast<double>((end - begin) & mask) * device_.timestamp_period() / 1000;
}

void tell(const Request& request, const char* stage, double fraction) {
    if (request.progress) {
        request.progress(stage, fraction);
    }
}

Transfer::Transfer(const Request& request, const char* stage, uint64_t total)
    : request_(request), stage_(stage), total_(total) {
    advance(0);
}

void Transfer::upload(Buffer& to, std::span<const std::byte> bytes) {
    for (uint64_t done = 0; done < bytes.size(); done += kPiece) {
        const std::span piece = bytes.subspan(done, std::min<uint64_t>(kPiece, bytes.size() - done));
        to.upload(piece, done);
        advance(piece.size());
    }
}

std::vector<std::byte> Transfer::download(const Buffer& from, uint64_t size) {
    std::vector<std::byte> bytes(size);
    for (uint64_t done = 0; done < size; done += kPiece) {
        const std::span piece = std::span(bytes).subspan(done, std::min(kPiece, size - done));
        from.download(piece, done);
        advance(piece.size());
    }
    return bytes;
}

void Transfer::advance(uint64_t bytes) {
    done_ += bytes;
    tell(request_, stage_, total_ == 0 ? 0 : static_cast<double>(done_) / static_cast<double>(total_));
}

Operation::Operation(Device& device, const Request& request, const VksortPlanDesc& desc)
    : device_(device), request_(request), plan_(device, desc), timer_(device) {
    if (info().scratchSize != 0) {
        scratch_ = Buffer(device, info().scratchSize, info().scratchUsage);
    }
}

Buffer Operation::buffer(bool needed, uint64_t bytes) const {
    return needed ? Buffer(device_, bytes, info().bufferUsage) : Buffer();
}

uint64_t Operation::warm_up_count(uint64_t count) const {
    return std::min<uint64_t>(count, 2 * uint64_t{info().tileSize} + 1);
}

double Operation::timed(const std::function<void()>& action) const {
    device_.state().sink.last_error.clear();
    const auto start = std::chrono::steady_clock::now();
    action();
    const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
    if (!device_.last_message().empty()) { // misuse is reported while recording
        throw Error(Error::Kind::usage, device_.last_message());
    }
    return wall.count();
}

SortOutcome Operation::outcome(uint64_t count) const {
    SortOutcome outcome = {};
    outcome.plan = info();
    outcome.wall_microseconds = wall_microseconds_;
    timer_.read(outcome);
    if (info().statisticsOffset != UINT64_MAX && count != 0) {
        scratch_.download(std::as_writable_bytes(std::span(&outcome.statistics, 1)), info().statisticsOffset);
    }
    if (info().workStatisticsOffset != UINT64_MAX && count != 0) {
        scratch_.download(std::as_writable_bytes(std::span(&outcome.work, 1)), info().workStatisticsOffset);
    }
    return outcome;
}

} // namespace vksort::host
