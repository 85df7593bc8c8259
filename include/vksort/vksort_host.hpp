// SPDX-License-Identifier: MIT
//
// vksort::host: the plainest way from data in memory to sorted data in memory. It owns a VkInstance, a VkDevice with
// exactly the features vksort asks for, and one queue; it uploads, sorts, downloads, and waits. The command-line tool,
// the benchmark and the tests are built on it. Engines that have a device of their own need only vksort.h.
//
// Target vksort::host (C++20). Errors are exceptions of type vksort::host::Error, whose text is one sentence.
// A Device and what was made from it belong to one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "vksort/vksort.h"

namespace vksort::host {

class Error : public std::runtime_error {
public:
    enum class Kind {
        usage,  // the request cannot be met anywhere: bad description, wrong lengths
        device, // no driver, no such device, a device that cannot do it, a device failure
    };
    Error(Kind error_kind, const std::string& text) : std::runtime_error(text), kind(error_kind) {}
    Kind kind;
};

// What an Error says where there is no Vulkan loader, no driver or no device.
inline constexpr const char* kNoDriverMessage =
    "no Vulkan driver found: install one (on Debian: apt-get install mesa-vulkan-drivers)";

struct DeviceListing {
    std::string name;
    std::string driver;              // driver name and version, as the driver tells them
    VksortRequiredFeatures required; // .supported, .reason, .deviceInfo
};

struct DeviceOptions {
    std::string selector; // an index of list_devices, or a part of a name (any case); empty: the first GPU that
                          // can run vksort, discrete before integrated before software
    VksortFeatureFlags features = ~VksortFeatureFlags{0}; // enable at most these
    bool validation = false;                              // the Khronos validation layer with synchronization validation
    // With validation: GPU-assisted validation instead, which tells of accesses outside of buffers and, from layer
    // 1.4.350 on, of races on shared memory.
    bool gpu_assisted_validation = false;
    bool prefer_compute_queue = false;                    // a queue family without graphics, if there is one
    std::function<void(VksortSeverity, const std::string&)> on_message; // vksort's own and the validation layer's messages
    bool pipeline_statistics = false; // enable VK_KHR_pipeline_executable_properties if there
    bool compiles_side_by_side = true; // pipelines of a plan on as many threads as the machine has; one after another otherwise
    bool force_staging = false;       // upload and download by copy commands even where memory can be mapped
};

// Never throws for a machine without a driver: the list is empty then.
std::vector<DeviceListing> list_devices();

// The index that DeviceOptions::selector means. Throws Error where it means nothing, or a device that cannot run vksort.
size_t choose_device(std::span<const DeviceListing> devices, const std::string& selector);

class Device;

// Device-local where it can be, host-visible for upload and download through a staging buffer.
class Buffer {
public:
    Buffer() noexcept; // no buffer: a null handle
    Buffer(Device& device, uint64_t size, VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Buffer(Buffer&&) noexcept;
    Buffer& operator=(Buffer&&) noexcept;
    ~Buffer();
    VkBuffer handle() const;
    VkDeviceMemory memory() const; // from its first byte on
    uint64_t size() const;
    void upload(std::span<const std::byte> bytes, uint64_t offset = 0);
    void download(std::span<std::byte> bytes, uint64_t offset = 0) const;
    void fill(uint32_t word);

private:
    struct State;
    std::unique_ptr<State> state_;
};

class Device {
public:
    explicit Device(const DeviceOptions& options = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const DeviceListing& listing() const;
    const VksortDeviceInfo& info() const; // features narrowed to what is enabled
    VksortContext context() const;
    VkInstance instance() const;
    VkPhysicalDevice physical_device() const;
    VkDevice device() const;
    uint32_t queue_family() const;
    bool has_pipeline_statistics() const;
    // For Vulkan calls of one's own: the loader's entry point, and any function of this device by name (or nullptr).
    PFN_vkGetInstanceProcAddr get_instance_proc_addr() const;
    PFN_vkVoidFunction function(const char* name) const;
    // The sentence of the last error vksort reported, for exceptions and tests.
    const std::string& last_message() const;
    // Records, submits and waits. Throws Error on a device failure. What ran before is visible to what is recorded, and
    // what is recorded is visible to the host and to what runs next; within one recording, barriers are the caller's.
    void run(const std::function<void(VkCommandBuffer)>& record);
    // Nanoseconds a timestamp tick; 0 where the queue has no timestamps.
    double timestamp_period() const;
    uint32_t timestamp_valid_bits() const;
    // A pool with room for so many recordings of the plan; VK_NULL_HANDLE where none is needed. Each call gives another
    // pool until run() returns: it resets them all, and the next call may give one of them out again.
    VkDescriptorPool descriptor_pool(const VksortPlanInfo& info, uint32_t recordings = 1);

    struct State; // for vksort::host itself
    State& state();

private:
    std::unique_ptr<State> state_;
};

struct PassTime {
    std::string name;
    double microseconds;
};

// What every operation on data in host memory is asked with. Arrays are dense and little-endian.
struct Request {
    // operation, maxCount, maxCountB and maxSegments are taken from the call and its data; counts from a buffer and strided
    // keys are not for here.
    VksortPlanDesc desc = {};
    uint32_t key_words = 0; // VKSORT_KEY_COMPARATOR: words of 4 bytes in a key, as the comparator was told
    // Run the passes once over whatever the buffers hold first. Some drivers compile at a pipeline's first dispatch, which
    // would otherwise be part of the times.
    bool warm_up = false;
    // Told what goes on ("compiling", "uploading", "sorting" or "merging", "downloading") and how far it is, 0 to 1. Optional.
    std::function<void(const char* stage, double fraction)> progress;
};

struct SortRequest : Request {
    std::span<const std::byte> keys;
    std::span<const std::byte> values; // desc.valueSize bytes a key; empty with argsort
};

struct SegmentedSortRequest : SortRequest {
    std::span<const uint32_t> segments; // as desc.segments says: words of flags, heads, or begin and end of each segment
};

// The result is always separate: both inputs and the output are on the device at once.
struct MergeRequest : Request {
    std::span<const std::byte> keys_a; // sorted by the order asked for
    std::span<const std::byte> keys_b;
    std::span<const std::byte> values_a; // desc.valueSize bytes a key; empty with argsort
    std::span<const std::byte> values_b;
};

struct SortOutcome {
    std::vector<std::byte> keys;   // empty if discarded
    std::vector<std::byte> values; // or the u32 indices
    VksortPlanInfo plan;
    VksortStatistics statistics;
    VksortWorkStatistics work;     // locality and segmented sorts
    std::vector<PassTime> passes;  // GPU time a pass; empty where the device has no timestamps
    double total_microseconds = 0; // GPU time from the first pass to the last; 0 where the device has no timestamps
    double wall_microseconds = 0;  // record, submit, wait; without upload and download
};

SortOutcome sort(Device& device, const SortRequest& request);
SortOutcome segmented_sort(Device& device, const SegmentedSortRequest& request);
SortOutcome merge(Device& device, const MergeRequest& request);

} // namespace vksort::host
