// SPDX-License-Identifier: MIT
/// @file
/// A thin, header-only C++17 wrapper of vksort.h: handles that destroy their objects, key types from C++ types, and a
/// pNext chain of feature structs (FeatureChain).
///
/// Every function but those of FeatureChain makes one call of the C interface, and vksort.h is the reference. Nothing
/// throws; functions that can fail return the VkResult of that call. Handles are those of Vulkan's C interface, to which
/// the handles of vulkan.hpp convert.
///
///     vksort::Context context;
///     VkResult result = context.create(create_info);
///
///     vksort::Plan plan;
///     result = plan.create(context, vksort::sort_pairs<uint32_t, uint32_t>(1'000'000));
///
///     VksortSortBuffers buffers = {};
///     buffers.keys = {key_buffer, 0};
///     buffers.values = {value_buffer, 0};
///     buffers.scratch = {scratch_buffer, 0}; // plan.info().scratchSize bytes
///     buffers.count = 1'000'000;
///     plan.sort(command_buffer, buffers);

#ifndef VKSORT_HPP
#define VKSORT_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "vksort.h"

/// Everything of vksort in C++.
namespace vksort {

/// The wrapper. Its names are vksort::Context and so on: the inline namespace keeps its symbols apart from the library's.
inline namespace cpp {

// ---- Keys -----------------------------------------------------------------------------------------------------------

/// Returns the VksortKeyType of an arithmetic C++ type or of an enumeration. C++17 has no half-precision float; set
/// VksortPlanDesc::keyType to VKSORT_KEY_F16 for those.
template <typename Key> constexpr VksortKeyType key_type() noexcept {
    if constexpr (std::is_enum_v<Key>) {
        return key_type<std::underlying_type_t<Key>>();
    } else if constexpr (std::is_floating_point_v<Key>) {
        static_assert(sizeof(Key) == 4 || sizeof(Key) == 8, "float and double can be sorted");
        return sizeof(Key) == 4 ? VKSORT_KEY_F32 : VKSORT_KEY_F64;
    } else {
        static_assert(std::is_integral_v<Key> && !std::is_same_v<std::remove_cv_t<Key>, bool> && sizeof(Key) <= 8,
                      "keys are integers of 8 to 64 bits, float or double");
        constexpr bool is_signed = std::is_signed_v<Key>;
        switch (sizeof(Key)) {
        case 1: return is_signed ? VKSORT_KEY_I8 : VKSORT_KEY_U8;
        case 2: return is_signed ? VKSORT_KEY_I16 : VKSORT_KEY_U16;
        case 4: return is_signed ? VKSORT_KEY_I32 : VKSORT_KEY_U32;
        default: return is_signed ? VKSORT_KEY_I64 : VKSORT_KEY_U64;
        }
    }
}

// ---- Descriptions. Further fields may be set afterwards --------------------------------------------------------

/// Describes a sort of at most `max_count` keys without values.
template <typename Key> constexpr VksortPlanDesc sort_keys(uint64_t max_count, VksortPlanFlags flags = 0) noexcept {
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_SORT;
    desc.keyType = key_type<Key>();
    desc.flags = flags;
    desc.maxCount = max_count;
    return desc;
}

/// Describes a sort of keys with values of 4, 8, 12 or 16 bytes.
template <typename Key, typename Value>
constexpr VksortPlanDesc sort_pairs(uint64_t max_count, VksortPlanFlags flags = 0) noexcept {
    static_assert(std::is_trivially_copyable_v<Value>, "values are moved as bytes");
    static_assert(sizeof(Value) % 4 == 0 && sizeof(Value) <= 16,
                  "wider values, or ones of odd sizes, follow an argsort by gather");
    VksortPlanDesc desc = sort_keys<Key>(max_count, flags);
    desc.valueSize = sizeof(Value);
    return desc;
}

/// Describes an argsort: the result is the u32 indices that would sort the keys.
template <typename Key> constexpr VksortPlanDesc argsort(uint64_t max_count, VksortPlanFlags flags = 0) noexcept {
    return sort_keys<Key>(max_count, flags | VKSORT_PLAN_ARGSORT_BIT);
}

/// Describes a merge of two sorted inputs of at most these counts.
template <typename Key>
constexpr VksortPlanDesc merge_keys(uint64_t max_count_a, uint64_t max_count_b, VksortPlanFlags flags = 0) noexcept {
    VksortPlanDesc desc = sort_keys<Key>(max_count_a, flags);
    desc.operation = VKSORT_OPERATION_MERGE;
    desc.result = VKSORT_RESULT_SEPARATE;
    desc.maxCountB = max_count_b;
    return desc;
}

/// Describes a sort of every segment by itself. `max_segments` is 0 with head flags.
template <typename Key>
constexpr VksortPlanDesc sort_segments(uint64_t max_count, VksortSegments segments, uint64_t max_segments = 0,
                                       VksortPlanFlags flags = 0) noexcept {
    VksortPlanDesc desc = sort_keys<Key>(max_count, flags);
    desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
    desc.segments = segments;
    desc.maxSegments = max_segments;
    return desc;
}

/// Describes a gather of records, whose size is a multiple of 4 bytes.
template <typename Record> constexpr VksortPlanDesc gather_records(uint64_t max_count, VksortPlanFlags flags = 0) noexcept {
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) % 4 == 0, "records are moved as words of 4 bytes");
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_GATHER;
    desc.valueSize = sizeof(Record);
    desc.flags = flags;
    desc.maxCount = max_count;
    return desc;
}

// ---- Before the device exists -----------------------------------------------------------------------------------------

/// Calls vksortGetRequiredFeatures().
inline VkResult get_required_features(VkInstance instance, VkPhysicalDevice physical_device,
                                      PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                      VksortRequiredFeatures& features) noexcept {
    return vksortGetRequiredFeatures(instance, physical_device, get_instance_proc_addr, &features);
}

/// A chain for VkDeviceCreateInfo::pNext that enables the features of VksortRequiredFeatures.
///
/// The application may have the structs of Vulkan versions or those of single features:
/// - VkPhysicalDeviceVulkan12Features or VkPhysicalDeviceVulkanMemoryModelFeatures
/// - VkPhysicalDeviceVulkan13Features or VkPhysicalDeviceSubgroupSizeControlFeatures
/// - VkPhysicalDeviceVulkan14Features or VkPhysicalDevicePipelineRobustnessFeaturesEXT
///
/// The constructor sets the fields of those that it finds in the application's chain, and clears none. Where the chain has
/// neither struct of a line and the device offers the feature, the object adds the second one in front. It enables no
/// extensions: those are VksortRequiredFeatures::extensions.
///
///     VkPhysicalDeviceVulkan13Features vulkan13 = {};
///     vulkan13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
///     vulkan13.synchronization2 = VK_TRUE;
///     vksort::FeatureChain chain(required, &vulkan13);
///     device_info.pNext = chain.head();
///
/// The chain refers to the object and to the application's structs, so both must exist until the device has been created.
class FeatureChain {
public:
    /// Makes the chain. `application` is the first struct of the application's own chain, or nullptr if it has none.
    explicit FeatureChain(const VksortRequiredFeatures& required, void* application = nullptr) noexcept
        : head_(application) {
        bool has_memory_model = false;
        bool has_size_control = false;
        bool has_robustness = false;
        for (auto* link = static_cast<VkBaseOutStructure*>(application); link != nullptr; link = link->pNext) {
            void* const features = link;
            switch (static_cast<uint32_t>(link->sType)) {
            case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
                enable_memory_model(required, *static_cast<VkPhysicalDeviceVulkan12Features*>(features));
                has_memory_model = true;
                break;
            case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES:
                enable_memory_model(required, *static_cast<VkPhysicalDeviceVulkanMemoryModelFeatures*>(features));
                has_memory_model = true;
                break;
            case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
                enable_size_control(required, *static_cast<VkPhysicalDeviceVulkan13Features*>(features));
                has_size_control = true;
                break;
            case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES:
                enable_size_control(required, *static_cast<VkPhysicalDeviceSubgroupSizeControlFeatures*>(features));
                has_size_control = true;
                break;
#ifdef VK_VERSION_1_4
            case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES:
                enable_robustness(required, *static_cast<VkPhysicalDeviceVulkan14Features*>(features));
                has_robustness = true;
                break;
#endif
            case kRobustnessType:
                enable_robustness(required, *static_cast<Robustness*>(features));
                has_robustness = true;
                break;
            default: break;
            }
        }
        if (!has_memory_model && required.vulkanMemoryModel != VK_FALSE) {
            enable_memory_model(required, memory_model_);
            prepend(memory_model_);
        }
        if (!has_size_control && required.subgroupSizeControl != VK_FALSE) {
            enable_size_control(required, size_control_);
            prepend(size_control_);
        }
        if (!has_robustness && required.pipelineRobustness != VK_FALSE) {
            enable_robustness(required, robustness_);
            prepend(robustness_);
        }
    }
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;

    /// Returns the first struct, for VkDeviceCreateInfo::pNext; nullptr if the chain is empty.
    void* head() noexcept { return head_; }

private:
    // The same as VkPhysicalDevicePipelineRobustnessFeaturesEXT, which the oldest supported headers do not have.
    struct Robustness {
        VkStructureType sType;
        void* pNext;
        VkBool32 pipelineRobustness;
    };
    static constexpr uint32_t kRobustnessType = 1000068001;

    static void enable(VkBool32 required, VkBool32& field) noexcept { field = field != VK_FALSE || required != VK_FALSE; }
    template <typename Features>
    static void enable_memory_model(const VksortRequiredFeatures& required, Features& features) noexcept {
        enable(required.vulkanMemoryModel, features.vulkanMemoryModel);
        enable(required.vulkanMemoryModelDeviceScope, features.vulkanMemoryModelDeviceScope);
    }
    template <typename Features>
    static void enable_size_control(const VksortRequiredFeatures& required, Features& features) noexcept {
        enable(required.subgroupSizeControl, features.subgroupSizeControl);
        enable(required.computeFullSubgroups, features.computeFullSubgroups);
    }
    template <typename Features>
    static void enable_robustness(const VksortRequiredFeatures& required, Features& features) noexcept {
        enable(required.pipelineRobustness, features.pipelineRobustness);
    }
    template <typename Features> void prepend(Features& features) noexcept {
        features.pNext = head_;
        head_ = &features;
    }

    VkPhysicalDeviceVulkanMemoryModelFeatures memory_model_ = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES, nullptr, VK_FALSE, VK_FALSE, VK_FALSE};
    VkPhysicalDeviceSubgroupSizeControlFeatures size_control_ = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, nullptr, VK_FALSE, VK_FALSE};
    Robustness robustness_ = {static_cast<VkStructureType>(kRobustnessType), nullptr, VK_FALSE};
    void* head_;
};

// ---- Handles ----------------------------------------------------------------------------------------------------------

/// Owns a VksortContext. It must outlive its plans and comparators.
class Context {
public:
    Context() noexcept = default; ///< Owns nothing.
    /// Takes ownership of a handle.
    explicit Context(VksortContext handle) noexcept : handle_(handle) {}
    /// Takes the handle of `other`, which then owns nothing.
    Context(Context&& other) noexcept : handle_(other.release()) {}
    /// Destroys the object owned so far, and takes the handle of `other`.
    Context& operator=(Context&& other) noexcept {
        Context(std::move(other)).swap(*this);
        return *this;
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    /// Destroys the object owned.
    ~Context() { vksortDestroyContext(handle_); }

    /// Calls vksortCreateContext(). On success, the new context replaces the one owned so far.
    /// If `info.headerVersion` is 0, it is set to VKSORT_VERSION.
    VkResult create(VksortContextCreateInfo info, const VkAllocationCallbacks* allocator = nullptr) noexcept {
        info.headerVersion = info.headerVersion != 0 ? info.headerVersion : VKSORT_VERSION;
        VksortContext created = VK_NULL_HANDLE;
        const VkResult result = vksortCreateContext(&info, allocator, &created);
        if (result == VK_SUCCESS) {
            Context(created).swap(*this);
        }
        return result;
    }

    /// Returns the handle, or VK_NULL_HANDLE.
    VksortContext get() const noexcept { return handle_; }
    /// Whether there is a handle.
    explicit operator bool() const noexcept { return handle_ != VK_NULL_HANDLE; }
    /// Returns the handle and gives up its ownership.
    VksortContext release() noexcept { return std::exchange(handle_, VksortContext{VK_NULL_HANDLE}); }
    /// Destroys the object owned.
    void reset() noexcept { Context().swap(*this); }
    /// Exchanges the handles.
    void swap(Context& other) noexcept { std::swap(handle_, other.handle_); }

private:
    VksortContext handle_ = VK_NULL_HANDLE;
};

/// Owns a VksortComparator. It must outlive the plans made with it, but not its context.
class Comparator {
public:
    Comparator() noexcept = default; ///< Owns nothing.
    /// Takes ownership of a handle.
    explicit Comparator(VksortComparator handle) noexcept : handle_(handle) {}
    /// Takes the handle of `other`, which then owns nothing.
    Comparator(Comparator&& other) noexcept : handle_(other.release()) {}
    /// Destroys the object owned so far, and takes the handle of `other`.
    Comparator& operator=(Comparator&& other) noexcept {
        Comparator(std::move(other)).swap(*this);
        return *this;
    }
    Comparator(const Comparator&) = delete;
    Comparator& operator=(const Comparator&) = delete;
    /// Destroys the object owned.
    ~Comparator() { vksortDestroyComparator(handle_); }

    /// Calls vksortCreateComparator(). On success, the new comparator replaces the one owned so far.
    VkResult create(const Context& context, const VksortComparatorInfo& info) noexcept {
        VksortComparator created = VK_NULL_HANDLE;
        const VkResult result = vksortCreateComparator(context.get(), &info, &created);
        if (result == VK_SUCCESS) {
            Comparator(created).swap(*this);
        }
        return result;
    }

    /// Returns the handle, or VK_NULL_HANDLE.
    VksortComparator get() const noexcept { return handle_; }
    /// Whether there is a handle.
    explicit operator bool() const noexcept { return handle_ != VK_NULL_HANDLE; }
    /// Returns the handle and gives up its ownership.
    VksortComparator release() noexcept { return std::exchange(handle_, VksortComparator{VK_NULL_HANDLE}); }
    /// Destroys the object owned.
    void reset() noexcept { Comparator().swap(*this); }
    /// Exchanges the handles.
    void swap(Comparator& other) noexcept { std::swap(handle_, other.handle_); }

private:
    VksortComparator handle_ = VK_NULL_HANDLE;
};

/// Owns a VksortPlan. Several threads may record it at the same time.
class Plan {
public:
    Plan() noexcept = default; ///< Owns nothing.
    /// Takes ownership of a handle.
    explicit Plan(VksortPlan handle) noexcept : handle_(handle) {}
    /// Takes the handle of `other`, which then owns nothing.
    Plan(Plan&& other) noexcept : handle_(other.release()) {}
    /// Destroys the object owned so far, and takes the handle of `other`.
    Plan& operator=(Plan&& other) noexcept {
        Plan(std::move(other)).swap(*this);
        return *this;
    }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    /// Destroys the object owned.
    ~Plan() { vksortDestroyPlan(handle_); }

    /// Calls vksortCreatePlan(). On success, the new plan replaces the one owned so far.
    VkResult create(const Context& context, const VksortPlanDesc& desc) noexcept {
        VksortPlan created = VK_NULL_HANDLE;
        const VkResult result = vksortCreatePlan(context.get(), &desc, &created);
        if (result == VK_SUCCESS) {
            Plan(created).swap(*this);
        }
        return result;
    }

    /// Calls vksortPreparePlan(), which is needed with VKSORT_PLAN_PREPARE_LATER_BIT only. Any thread may call it.
    VkResult prepare() const noexcept { return vksortPreparePlan(handle_); }

    /// Returns what the plan needs and does. All fields are zero if there is no plan.
    VksortPlanInfo info() const noexcept {
        VksortPlanInfo info = {};
        vksortGetPlanInfo(handle_, &info);
        return info;
    }

    /// Calls vksortCmdSort().
    void sort(VkCommandBuffer command_buffer, const VksortSortBuffers& buffers) const noexcept {
        vksortCmdSort(command_buffer, handle_, &buffers);
    }
    /// Calls vksortCmdGather().
    void gather(VkCommandBuffer command_buffer, const VksortGatherBuffers& buffers) const noexcept {
        vksortCmdGather(command_buffer, handle_, &buffers);
    }
    /// Calls vksortCmdMerge().
    void merge(VkCommandBuffer command_buffer, const VksortMergeBuffers& buffers) const noexcept {
        vksortCmdMerge(command_buffer, handle_, &buffers);
    }
    /// Calls vksortCmdSegmentedSort().
    void sort_segments(VkCommandBuffer command_buffer, const VksortSegmentedSortBuffers& buffers) const noexcept {
        vksortCmdSegmentedSort(command_buffer, handle_, &buffers);
    }

    /// Returns the handle, or VK_NULL_HANDLE.
    VksortPlan get() const noexcept { return handle_; }
    /// Whether there is a handle.
    explicit operator bool() const noexcept { return handle_ != VK_NULL_HANDLE; }
    /// Returns the handle and gives up its ownership.
    VksortPlan release() noexcept { return std::exchange(handle_, VksortPlan{VK_NULL_HANDLE}); }
    /// Destroys the object owned.
    void reset() noexcept { Plan().swap(*this); }
    /// Exchanges the handles.
    void swap(Plan& other) noexcept { std::swap(handle_, other.handle_); }

private:
    VksortPlan handle_ = VK_NULL_HANDLE;
};

} // namespace cpp

} // namespace vksort

#endif
