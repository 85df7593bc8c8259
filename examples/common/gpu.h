// SPDX-License-Identifier: MIT
//
// The parts of the examples that have nothing to do with sorting: a device, buffers, pipelines, a picture to draw into, PNG
// files and arguments. Functions throw an Error with one sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <volk.h>

#include <vksort/vksort.hpp>

namespace example {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Runs the body of main() and returns the exit status. If the body throws, prints the sentence to stderr and returns 1.
int run_main(const char* program, const std::function<void()>& body);

// Throws Error unless the result is VK_SUCCESS. `what` names the failed call, such as "vkCreateDevice".
void check(VkResult result, const char* what);
// Throws Error with this sentence unless the condition holds.
void require(bool condition, const std::string& sentence);

// Returns a Vulkan struct in which all fields but sType are zero.
template <typename Struct> Struct typed(VkStructureType type) {
    Struct result = {};
    result.sType = type;
    return result;
}

// ---- Arguments -----------------------------------------------------------------------------------------------------

// Options of a program, by CLI11. `names` has CLI11's form: "--frames" for an option, or "file" for a positional argument.
class Arguments {
public:
    explicit Arguments(const std::string& description);
    ~Arguments();
    void flag(const char* names, bool& value, const char* help);
    void option(const char* names, std::string& value, const char* help);
    void option(const char* names, uint32_t& value, const char* help, uint32_t least = 1, uint32_t most = UINT32_MAX);
    // A size in pixels in the form WxH, from 16x16 to 4096x4096.
    void size(const char* names, uint32_t& width, uint32_t& height, const char* help);
    // Reads the arguments. Ends the program after --help, and with a message and exit status 2 if they are wrong.
    void parse(int argc, char** argv);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// ---- Pictures ------------------------------------------------------------------------------------------------------

// Rows from top to bottom; a pixel is 0xAABBGGRR.
struct Picture {
    uint32_t width = 0;
    uint32_t height = 0;
    std::vector<uint32_t> pixels;
};

Picture side_by_side(std::span<const Picture> pictures); // of equal height
void write_png(const std::string& file, const Picture& picture);

// ---- The device -----------------------------------------------------------------------------------------------------

struct GpuOptions {
    std::string device;                     // index of a device, or a part of its name; empty: a GPU if there is one
    bool graphics = false;                  // whether the queue must draw
    bool asyncCompute = false;              // whether to add a queue of a family that computes and does not draw
    VkPhysicalDeviceFeatures features = {}; // features that the example needs
};

struct Queue {
    VkQueue queue = VK_NULL_HANDLE;
    uint32_t family = 0;
    VkCommandPool commands = VK_NULL_HANDLE;
};

struct Buffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize size = 0;
    void* mapped = nullptr; // null unless the memory is Memory::host

    template <typename T> std::span<T> as() const { return {static_cast<T*>(mapped), size / sizeof(T)}; }
};

enum class Memory { device, host };

struct Pipeline {
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
    VkPipelineBindPoint bindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
};

// An image to draw into, its render pass, and a buffer that receives its pixels.
struct Target {
    uint32_t width = 0;
    uint32_t height = 0;
    VkImage image = VK_NULL_HANDLE;
    VkRenderPass renderPass = VK_NULL_HANDLE;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    bool hasDepth = false;
    Buffer pixels;
};

// All shaders of a pipeline have the same storage buffers, bindings 0 to buffers - 1 of set 0, and the same push constants.
struct GraphicsPipelineInfo {
    std::span<const uint32_t> vertexShader;
    std::span<const uint32_t> fragmentShader;
    uint32_t buffers = 0;
    uint32_t pushBytes = 0;
    VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    bool blend = false;         // source-over with premultiplied alpha
    bool depth = false;         // depth test and write, less; for targets with depth
    bool cullBackFaces = false; // counter-clockwise faces are front faces
};

// Instance, device, queues and vksort context. The object owns all objects that it creates, and destroys them at its end.
class Gpu {
public:
    explicit Gpu(const GpuOptions& options = {});
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties properties = {};
    VksortRequiredFeatures required = {};
    vksort::Context context;
    Queue queue;
    std::optional<Queue> asyncQueue; // set if GpuOptions::asyncCompute is true and the device has such a queue family
    // The pool of all recordings until finish(), including those of vksort. Only one thread may use it.
    VkDescriptorPool descriptorPool = VK_NULL_HANDLE;

    // Creates a buffer with storage, transfer and indirect usage besides `usage`. With size 0 there is no VkBuffer.
    Buffer buffer(VkDeviceSize size, Memory memory = Memory::device, VkBufferUsageFlags usage = 0);
    // Creates a plan. If it is refused, the error has vksort's message.
    vksort::Plan plan(const VksortPlanDesc& desc);
    VkSemaphore semaphore();
    Target target(uint32_t width, uint32_t height, bool depth = false);
    Pipeline compute_pipeline(std::span<const uint32_t> shader, uint32_t buffers, uint32_t pushBytes = 0);
    Pipeline graphics_pipeline(const Target& target, const GraphicsPipelineInfo& info);

    // ---- Recording
    // Records a memory barrier. On devices of Vulkan 1.3 it uses synchronization2, whose flags have the same values.
    void barrier(VkCommandBuffer commands, VkPipelineStageFlags fromStages, VkAccessFlags fromAccess,
                 VkPipelineStageFlags toStages, VkAccessFlags toAccess) const;
    // Records the barrier between two compute dispatches, of which the second may be indirect.
    void compute_barrier(VkCommandBuffer commands) const;
    // Binds a pipeline, storage buffers in the order of its bindings, and push constants.
    void bind(VkCommandBuffer commands, const Pipeline& pipeline, std::initializer_list<Buffer> buffers,
              const void* push = nullptr, uint32_t pushBytes = 0) const;
    template <typename Push>
    void bind(VkCommandBuffer commands, const Pipeline& pipeline, std::initializer_list<Buffer> buffers,
              const Push& push) const {
        bind(commands, pipeline, buffers, &push, sizeof(Push));
    }
    // Begins the render pass, which clears the picture to this color, and sets viewport and scissor.
    void begin_drawing(VkCommandBuffer commands, const Target& target, const float (&color)[4]) const;
    // Ends the render pass, and copies the picture to target.pixels, which the host may read after finish().
    void end_drawing(VkCommandBuffer commands, const Target& target) const;

    // ---- Submission
    VkCommandBuffer begin(const Queue& queue);
    // Ends the recording, makes its writes visible to the host, and submits.
    void submit(const Queue& queue, VkCommandBuffer commands, VkSemaphore wait = VK_NULL_HANDLE,
                VkPipelineStageFlags waitStages = 0, VkSemaphore signal = VK_NULL_HANDLE);
    // Waits for all queues, and frees all command buffers and descriptor sets.
    void finish();
    // begin(), record, submit() and finish() on `queue`.
    void run(const std::function<void(VkCommandBuffer)>& record);

    // ---- Data, by copies through a buffer of Memory::host
    void upload_bytes(const Buffer& to, const void* data, VkDeviceSize size);
    void download_bytes(const Buffer& from, void* data, VkDeviceSize size);
    template <typename T> void upload(const Buffer& to, const std::vector<T>& data) {
        upload_bytes(to, data.data(), data.size() * sizeof(T));
    }
    template <typename T> std::vector<T> download(const Buffer& from, size_t count) {
        std::vector<T> data(count);
        download_bytes(from, data.data(), count * sizeof(T));
        return data;
    }
    Picture picture(const Target& target) const; // the picture that end_drawing() copied

private:
    void create_instance();
    void choose_device(const GpuOptions& options);
    void create_device(const GpuOptions& options);
    VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags properties);
    VkPipelineLayout create_layout(Pipeline& pipeline, VkShaderStageFlags stages, uint32_t buffers, uint32_t pushBytes);
    VkShaderModule create_module(std::span<const uint32_t> words);
    Buffer staging(VkDeviceSize size);
    void destroy();

    bool synchronization2_ = false;
    std::string message_;                           // vksort's last message
    std::vector<std::function<void()>> destroyers_; // called in reverse order
    Buffer staging_;
};

} // namespace example
