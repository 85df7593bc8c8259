// SPDX-License-Identifier: MIT
/// @file
/// vksort::host: sorts data in host memory, the shortest way from an array to a sorted array.
///
/// It owns a VkInstance, a VkDevice with the features that vksort asks for, and one queue. It uploads, sorts, waits and
/// downloads. The command-line tool, the benchmark and the tests use it. Applications with a VkDevice need only vksort.h.
///
/// The CMake target is vksort::host, in C++20. Errors are exceptions of type vksort::host::Error with one sentence of text.
/// A Device and the objects made from it must not be used by two threads at the same time.
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

/// Sorting of data in host memory.
namespace vksort::host {

/// What functions of vksort::host throw.
class Error : public std::runtime_error {
public:
    /// Where the cause lies.
    enum class Kind {
        usage,  ///< No device could meet the request: the description is invalid or lengths do not match.
        device, ///< There is no driver or no such device, or the device cannot meet the request or has failed.
    };
    /// Makes an error whose text is one sentence.
    Error(Kind error_kind, const std::string& text) : std::runtime_error(text), kind(error_kind) {}
    Kind kind; ///< Where the cause lies.
};

/// The text of an Error if there is no Vulkan loader, no driver or no device.
inline constexpr const char* kNoDriverMessage =
    "no Vulkan driver found: install one (on Debian: apt-get install mesa-vulkan-drivers)";

/// One device of this machine.
struct DeviceListing {
    std::string name;                ///< Name of the device.
    std::string driver;              ///< Name and version of the driver, as the driver tells them.
    VksortRequiredFeatures required; ///< Whether vksort can run on it, and its properties.
};

/// Which device to use, and how.
struct DeviceOptions {
    /// An index of list_devices(), or a part of a name in any case. If empty: the first device that can run vksort,
    /// discrete GPUs before integrated ones before CPU drivers.
    std::string selector;
    VksortFeatureFlags features = ~VksortFeatureFlags{0}; ///< Enables at most these features.
    bool validation = false;                              ///< Enables the Khronos layer with synchronization validation.
    /// With `validation`: enables GPU-assisted validation instead of synchronization validation. It reports accesses
    /// outside of buffers and, from layer 1.4.350 on, races on shared memory.
    bool gpu_assisted_validation = false;
    bool prefer_compute_queue = false; ///< Uses a queue family without graphics if there is one.
    std::function<void(VksortSeverity, const std::string&)> on_message; ///< Receives messages of vksort and of the layer.
    bool pipeline_statistics = false;  ///< Enables VK_KHR_pipeline_executable_properties if the device has it.
    bool compiles_side_by_side = true; ///< Compiles a plan's pipelines on all threads of the machine instead of on one.
    bool force_staging = false;        ///< Uploads and downloads by copy commands even if memory can be mapped.
};

/// Lists the devices of this machine. The list is empty if there is no driver; that is no error.
std::vector<DeviceListing> list_devices();

/// Returns the index that DeviceOptions::selector means. Throws Error if it means no device, or one that cannot run vksort.
size_t choose_device(std::span<const DeviceListing> devices, const std::string& selector);

class Device;

/// A buffer on the device, which the host fills and reads. It is device-local if such memory can hold it.
class Buffer {
public:
    Buffer() noexcept; ///< No buffer: a null handle.
    /// Creates a buffer of `size` bytes. Throws Error if the device has no memory for it.
    Buffer(Device& device, uint64_t size, VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Buffer(Buffer&&) noexcept;            ///< Takes the other's buffer.
    Buffer& operator=(Buffer&&) noexcept; ///< Destroys the buffer, and takes the other's.
    ~Buffer();                            ///< Destroys the buffer.
    VkBuffer handle() const;              ///< The Vulkan handle.
    VkDeviceMemory memory() const;        ///< The memory, which the buffer uses from its first byte on.
    uint64_t size() const;                ///< Size in bytes.
    /// Copies bytes to the buffer, from byte `offset` on, and waits for that.
    void upload(std::span<const std::byte> bytes, uint64_t offset = 0);
    /// Copies bytes from the buffer, from byte `offset` on, and waits for that.
    void download(std::span<std::byte> bytes, uint64_t offset = 0) const;
    /// Fills the buffer with copies of one u32, and waits for that.
    void fill(uint32_t word);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A VkInstance, a VkDevice, a queue and a VksortContext.
class Device {
public:
    /// Creates them. Throws Error if there is no such device or if it cannot run vksort.
    explicit Device(const DeviceOptions& options = {});
    ~Device(); ///< Destroys them. All buffers must have been destroyed.
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const DeviceListing& listing() const;     ///< The device as list_devices() lists it.
    const VksortDeviceInfo& info() const;     ///< Its properties; the features are those that are enabled.
    VksortContext context() const;            ///< The context.
    VkInstance instance() const;              ///< The instance.
    VkPhysicalDevice physical_device() const; ///< The physical device.
    VkDevice device() const;                  ///< The device.
    uint32_t queue_family() const;            ///< The family of the queue.
    bool has_pipeline_statistics() const;     ///< Whether VK_KHR_pipeline_executable_properties is enabled.
    /// The loader's entry point, for Vulkan calls by the application.
    PFN_vkGetInstanceProcAddr get_instance_proc_addr() const;
    /// Returns a function of this device by its name, or nullptr.
    PFN_vkVoidFunction function(const char* name) const;
    /// The sentence of the last error that vksort reported.
    const std::string& last_message() const;
    /// Records commands, submits them and waits. Throws Error if the device fails. Commands that ran before are visible to
    /// the recorded ones, and these are visible to the host and to commands that run later. Within one recording, the
    /// application places the barriers.
    void run(const std::function<void(VkCommandBuffer)>& record);
    double timestamp_period() const;       ///< Nanoseconds of a timestamp tick; 0 if the queue has no timestamps.
    uint32_t timestamp_valid_bits() const; ///< Valid bits of a timestamp; 0 if the queue has no timestamps.
    /// Returns a descriptor pool for this number of recordings of a plan, or VK_NULL_HANDLE if the plan needs none. Each
    /// call returns another pool until run() returns, which resets them all for later calls.
    VkDescriptorPool descriptor_pool(const VksortPlanInfo& info, uint32_t recordings = 1);

    /// @cond
    struct State; // for vksort::host itself
    State& state();
    /// @endcond

private:
    std::unique_ptr<State> state_;
};

/// The GPU time of one dispatch.
struct PassTime {
    std::string name;    ///< Name of the pass.
    double microseconds; ///< GPU time.
};

/// What all operations on data in host memory have in common. Arrays are dense and little-endian.
struct Request {
    /// The kind of sort. The call and its data set operation, maxCount, maxCountB and maxSegments. Counts from a buffer and
    /// strided keys are not supported.
    VksortPlanDesc desc = {};
    uint32_t key_words = 0; ///< VKSORT_KEY_COMPARATOR: words of 4 bytes in a key, as the comparator was created with.
    /// Runs the passes once before they are timed, on whatever the buffers hold. Some drivers compile a pipeline at its
    /// first dispatch.
    bool warm_up = false;
    /// Optional: receives the stage ("compiling", "uploading", "sorting" or "merging", "downloading") and its progress from
    /// 0 to 1.
    std::function<void(const char* stage, double fraction)> progress;
};

/// The data of sort().
struct SortRequest : Request {
    std::span<const std::byte> keys;   ///< The keys.
    std::span<const std::byte> values; ///< VksortPlanDesc::valueSize bytes for each key; empty for an argsort.
};

/// The data of segmented_sort().
struct SegmentedSortRequest : SortRequest {
    std::span<const uint32_t> segments; ///< Head flags, head indices or pairs, as VksortPlanDesc::segments says.
};

/// The data of merge(). The result mode is always VKSORT_RESULT_SEPARATE: the inputs and the output are on the device.
struct MergeRequest : Request {
    std::span<const std::byte> keys_a;   ///< The keys of A, sorted in the order of the description.
    std::span<const std::byte> keys_b;   ///< The keys of B, sorted in the order of the description.
    std::span<const std::byte> values_a; ///< VksortPlanDesc::valueSize bytes for each key of A; empty for an argsort.
    std::span<const std::byte> values_b; ///< VksortPlanDesc::valueSize bytes for each key of B; empty for an argsort.
};

/// The result of an operation.
struct SortOutcome {
    std::vector<std::byte> keys;   ///< The sorted keys; empty if they are discarded.
    std::vector<std::byte> values; ///< The values, or the u32 indices of an argsort.
    VksortPlanInfo plan;           ///< The plan.
    VksortStatistics statistics;   ///< What the sort did.
    VksortWorkStatistics work;     ///< What a sort by LOCALITY or SEGMENTED merged and copied.
    std::vector<PassTime> passes;  ///< GPU time of each pass; empty if the device has no timestamps.
    double total_microseconds = 0; ///< GPU time from the first pass to the last; 0 if the device has no timestamps.
    double wall_microseconds = 0;  ///< Time to record, submit and wait, without upload and download.
};

/// Sorts keys, with values or as an argsort. Throws Error.
SortOutcome sort(Device& device, const SortRequest& request);
/// Sorts every segment by itself. Throws Error.
SortOutcome segmented_sort(Device& device, const SegmentedSortRequest& request);
/// Merges two sorted lists. Throws Error.
SortOutcome merge(Device& device, const MergeRequest& request);

} // namespace vksort::host
