// SPDX-License-Identifier: MIT
//
// Translucent particles, sorted back to front in every frame. A compute shader moves and culls them, so only the GPU knows
// the count. It is the instanceCount of the indirect draw, where vksort reads it.
//
//     particles [--count N] [--frames N] [--size WxH] [--output FILE] [--async] [--device NAME]
//
// The picture shows the last frame twice: unsorted, in the order of culling, on the left, and sorted on the right.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>

#include "gpu.h"

#include "particle.frag.h"
#include "particle.vert.h"
#include "simulate.comp.h"

namespace {

using namespace example;

struct Vector {
    float x, y, z;
};
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(float s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Vector unit(Vector a) { return 1.0f / std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z) * a; }

// As in particles.glsl.
struct Particle {
    Vector position;
    float age;
    Vector velocity;
    uint32_t jet;
};
struct Push {
    Vector eye;
    float seconds;
    Vector right;
    float radius;
    Vector up;
    uint32_t count;
    Vector forward;
    float near;
};

struct Options {
    std::string device;
    std::string output = "particles.png";
    uint32_t count = 200'000;
    uint32_t frames = 20;
    uint32_t width = 480;
    uint32_t height = 480;
    bool async = false;
};

class Particles {
public:
    explicit Particles(const Options& options);
    void draw_frame(uint32_t frame);
    void check_and_write();

private:
    void simulate(VkCommandBuffer commands, uint32_t frame);
    void sort(VkCommandBuffer commands);
    void draw(VkCommandBuffer commands, const Buffer& order);
    void transfer(VkCommandBuffer commands, const Queue& from, const Queue& to, bool sorting) const;
    Picture picture_of(const Buffer& order);

    Options options_;
    Gpu gpu_;
    vksort::Plan plan_;
    VksortPlanInfo info_;
    Buffer particles_, indirect_, keys_, ids_, sortedKeys_, sortedIds_, scratch_;
    Target target_;
    Pipeline simulate_, draw_;
    VkSemaphore simulated_ = VK_NULL_HANDLE, sorted_ = VK_NULL_HANDLE;
    Push push_ = {};
};

uint32_t groups_of(uint32_t count) { return (count + 63) / 64; } // workgroups of simulate.comp

GpuOptions gpu_options(const Options& options) {
    GpuOptions result;
    result.device = options.device;
    result.graphics = true;
    result.asyncCompute = options.async;
    return result;
}

Particles::Particles(const Options& options) : options_(options), gpu_(gpu_options(options)) {
    require(groups_of(options.count) <= gpu_.properties.limits.maxComputeWorkGroupCount[0],
            "There are more particles than one dispatch can move.");
    // Depths are positive floats. The largest comes first, so that blending goes from back to front. A separate result
    // leaves the list as the culling wrote it, for the picture on the left; another program would sort in place.
    VksortPlanDesc desc =
        vksort::sort_pairs<float, uint32_t>(options.count, VKSORT_PLAN_DESCENDING_BIT | VKSORT_PLAN_COUNT_FROM_BUFFER_BIT);
    desc.result = VKSORT_RESULT_SEPARATE;
    plan_ = gpu_.plan(desc);
    info_ = plan_.info();

    particles_ = gpu_.buffer(options.count * sizeof(Particle));
    indirect_ = gpu_.buffer(sizeof(VkDrawIndirectCommand));
    for (Buffer* buffer : {&keys_, &ids_, &sortedKeys_, &sortedIds_}) {
        *buffer = gpu_.buffer(options.count * sizeof(uint32_t), Memory::device, info_.bufferUsage);
    }
    scratch_ = gpu_.buffer(info_.scratchSize, Memory::device, info_.scratchUsage);

    target_ = gpu_.target(options.width, options.height);
    simulate_ = gpu_.compute_pipeline(simulate_comp, 4, sizeof(Push));
    GraphicsPipelineInfo drawing;
    drawing.vertexShader = particle_vert;
    drawing.fragmentShader = particle_frag;
    drawing.buffers = 2;
    drawing.pushBytes = sizeof(Push);
    drawing.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    drawing.blend = true;
    draw_ = gpu_.graphics_pipeline(target_, drawing);
    if (options.async && !gpu_.asyncQueue) {
        std::printf("%s has no queue family that computes and does not draw: sorting on the one queue\n",
                    gpu_.properties.deviceName);
    } else if (options.async) {
        simulated_ = gpu_.semaphore();
        sorted_ = gpu_.semaphore();
    }
    std::printf("%s sorts up to %u particles by %s%s\n", gpu_.properties.deviceName, options.count,
                vksortAlgorithmName(info_.algorithm), gpu_.asyncQueue ? " on an async compute queue" : "");
}

// ---- A frame

void Particles::simulate(VkCommandBuffer commands, uint32_t frame) {
    // The camera goes around the fountain.
    const float angle = 0.6f + 0.01f * float(frame);
    push_.eye = {5.4f * std::cos(angle), 2.2f, 5.4f * std::sin(angle)};
    push_.forward = unit(Vector{0, 1.0f, 0} - push_.eye);
    const float focal = 2.0f; // focal length, relative to half of the shorter side
    const float shorter = float(std::min(options_.width, options_.height));
    const Vector right = unit(cross(push_.forward, {0, 1, 0}));
    push_.right = focal * shorter / float(options_.width) * right;
    push_.up = focal * shorter / float(options_.height) * cross(right, push_.forward);
    push_.near = 0.1f;
    push_.radius = 0.02f;
    push_.count = options_.count;
    push_.seconds = frame == 0 ? 0 : 1.0f / 60;

    const VkDrawIndirectCommand none = {4, 0, 0, 0};
    vkCmdUpdateBuffer(commands, indirect_.buffer, 0, sizeof none, &none);
    gpu_.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                 VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    gpu_.bind(commands, simulate_, {particles_, indirect_, keys_, ids_}, push_);
    vkCmdDispatch(commands, groups_of(options_.count), 1, 1);
}

void Particles::sort(VkCommandBuffer commands) {
    VksortSortBuffers buffers = {};
    buffers.keys = {keys_.buffer, 0};
    buffers.values = {ids_.buffer, 0};
    buffers.keysOut = {sortedKeys_.buffer, 0};
    buffers.valuesOut = {sortedIds_.buffer, 0};
    buffers.scratch = {scratch_.buffer, 0};
    buffers.countBuffer = {indirect_.buffer, offsetof(VkDrawIndirectCommand, instanceCount)};
    buffers.descriptorPool = gpu_.descriptorPool;
    plan_.sort(commands, buffers);
}

void Particles::draw(VkCommandBuffer commands, const Buffer& order) {
    gpu_.begin_drawing(commands, target_, {0.02f, 0.02f, 0.05f, 1});
    gpu_.bind(commands, draw_, {particles_, order}, push_);
    vkCmdDrawIndirect(commands, indirect_.buffer, 0, 1, 0);
    gpu_.end_drawing(commands, target_);
}

// Records one half of a change of ownership between two queue families: the release on the queue that has the buffers, or
// the acquisition on the one that gets them. `sorting` says whether this is the half on the queue that sorts. The semaphore
// between the two submissions orders them, and its wait stage is the source or the destination of the other half.
void Particles::transfer(VkCommandBuffer commands, const Queue& from, const Queue& to, bool sorting) const {
    const VkPipelineStageFlags stages = sorting
                                            ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
                                            : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                                                  VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    const VkAccessFlags access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                 (sorting ? 0 : VkAccessFlags{VK_ACCESS_INDIRECT_COMMAND_READ_BIT});
    const bool acquires = sorting == (&to == &*gpu_.asyncQueue);
    std::vector<VkBufferMemoryBarrier> barriers;
    for (const Buffer& buffer : {keys_, ids_, sortedKeys_, sortedIds_, indirect_}) {
        auto barrier = typed<VkBufferMemoryBarrier>(VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER);
        barrier.srcAccessMask = acquires ? 0 : access;
        barrier.dstAccessMask = acquires ? access : 0;
        barrier.srcQueueFamilyIndex = from.family;
        barrier.dstQueueFamilyIndex = to.family;
        barrier.buffer = buffer.buffer;
        barrier.size = VK_WHOLE_SIZE;
        barriers.push_back(barrier);
    }
    vkCmdPipelineBarrier(commands, stages, stages, 0, 0, nullptr, uint32_t(barriers.size()), barriers.data(), 0, nullptr);
}

void Particles::draw_frame(uint32_t frame) {
    VkCommandBuffer commands = gpu_.begin(gpu_.queue);
    simulate(commands, frame);
    if (gpu_.asyncQueue) {
        // Meanwhile the queue that draws could execute other work of the frame, such as shadow maps.
        const Queue& async = *gpu_.asyncQueue;
        transfer(commands, gpu_.queue, async, false);
        gpu_.submit(gpu_.queue, commands, VK_NULL_HANDLE, 0, simulated_);
        commands = gpu_.begin(async);
        transfer(commands, gpu_.queue, async, true);
        sort(commands);
        transfer(commands, async, gpu_.queue, true);
        gpu_.submit(async, commands, simulated_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, sorted_);
        commands = gpu_.begin(gpu_.queue);
        transfer(commands, async, gpu_.queue, false);
        draw(commands, sortedIds_);
        gpu_.submit(gpu_.queue, commands, sorted_,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                        VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT);
    } else {
        gpu_.barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, info_.firstStages,
                     info_.firstAccess);
        sort(commands);
        // The draw reads the order in its vertex shader. It also reads the arguments and the particles, which the shader
        // before the sort has written: the first barrier has made them available, and this one makes them visible.
        gpu_.barrier(commands, info_.lastStages, info_.lastAccess,
                     VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                     VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
        draw(commands, sortedIds_);
        gpu_.submit(gpu_.queue, commands);
    }
    gpu_.finish();
}

// ---- The check

Picture Particles::picture_of(const Buffer& order) {
    gpu_.run([&](VkCommandBuffer commands) { draw(commands, order); });
    return gpu_.picture(target_);
}

void Particles::check_and_write() {
    const Picture sorted = gpu_.picture(target_);
    const uint32_t drawn = gpu_.download<VkDrawIndirectCommand>(indirect_, 1)[0].instanceCount;
    require(drawn > 0 && drawn <= options_.count, "The camera sees " + std::to_string(drawn) + " particles.");
    const std::vector<float> keys = gpu_.download<float>(keys_, drawn);
    const std::vector<uint32_t> ids = gpu_.download<uint32_t>(ids_, drawn);
    const std::vector<float> depths = gpu_.download<float>(sortedKeys_, drawn);
    const std::vector<uint32_t> order = gpu_.download<uint32_t>(sortedIds_, drawn);

    // The order in which std::stable_sort puts the same list.
    std::vector<uint32_t> slots(drawn);
    std::iota(slots.begin(), slots.end(), 0u);
    std::stable_sort(slots.begin(), slots.end(), [&](uint32_t a, uint32_t b) { return keys[a] > keys[b]; });
    std::vector<uint32_t> expected(options_.count);
    for (uint32_t i = 0; i < drawn; ++i) {
        require(i == 0 || depths[i - 1] >= depths[i],
                "Particle " + std::to_string(i) + " of the drawn order is behind the one before it.");
        expected[i] = ids[slots[i]];
        require(order[i] == expected[i] && depths[i] == keys[slots[i]],
                "Particle " + std::to_string(i) + " of the drawn order is not the one that std::stable_sort puts there.");
    }

    const Buffer cpuOrder = gpu_.buffer(options_.count * sizeof(uint32_t));
    gpu_.upload(cpuOrder, expected);
    require(picture_of(cpuOrder).pixels == sorted.pixels,
            "The picture of the frame is not that of the particles in the order of std::stable_sort.");
    const Picture unsorted = picture_of(ids_);
    require(unsorted.pixels != sorted.pixels,
            "The picture would be the same unsorted, so this run proves nothing. Take more particles or a larger picture.");
    const Picture pictures[] = {unsorted, sorted};
    write_png(options_.output, side_by_side(pictures));
    std::printf("%u of %u particles drawn from back to front, as std::stable_sort orders them: verified; see %s\n", drawn,
                options_.count, options_.output.c_str());
}

void run(int argc, char** argv) {
    Options options;
    Arguments arguments("Sorts translucent particles back to front, with their count on the GPU.");
    arguments.option("--count", options.count, "particles", 1000, 10'000'000);
    arguments.option("--frames", options.frames, "frames to simulate; the last one is kept");
    arguments.size("--size", options.width, options.height, "size of each of the two pictures");
    arguments.option("--output", options.output, "PNG file to write");
    arguments.flag("--async", options.async, "sort on an async compute queue, if there is one");
    arguments.option("--device", options.device, "index of a device or a part of its name");
    arguments.parse(argc, argv);
    Particles particles(options);
    for (uint32_t frame = 0; frame < options.frames; ++frame) {
        particles.draw_frame(frame);
    }
    particles.check_and_write();
}

} // namespace

int main(int argc, char** argv) {
    return example::run_main("particles", [&] { run(argc, argv); });
}
