// SPDX-License-Identifier: MIT
//
// Sorts the draws of a scene by 64-bit keys, with the index of each draw as the value, and draws the scene in that order in
// the same command buffer. Opaque draws go by pipeline and material, so that few states change; translucent ones follow, the
// farthest first, since each is blended over what is there already.
//
//     draw_keys [--device NAME] [--size WxH] [--draws N] [--output FILE.png]
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <span>

#include "gpu.h"

#include "card.frag.h"
#include "card.vert.h"

using namespace example;

namespace {

struct Draw { // as in card.vert
    float x, y, width, height;
    float depth;    // 0 (near) to 1
    uint32_t layer; // 0: opaque, 1: translucent
    uint32_t pipeline;
    uint32_t material;
};

// The most significant field is in the highest bits. The bits of floats that are not negative have the order of the numbers,
// and inverted bits have the opposite order.
//
//     opaque       layer:2  pipeline:6  material:12  depth:32  0:12
//     translucent  layer:2  inverted depth:32  pipeline:6  material:12  0:12
uint64_t key_of(const Draw& draw) {
    const uint64_t depth = std::bit_cast<uint32_t>(draw.depth);
    const uint64_t state = uint64_t{draw.pipeline} << 12 | draw.material;
    const uint64_t rest = draw.layer == 0 ? state << 32 | depth : (~depth & 0xFFFFFFFF) << 18 | state;
    return uint64_t{draw.layer} << 62 | rest << 12;
}

std::vector<Draw> make_scene(uint32_t count) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> one(0, 1);
    const float scale = std::sqrt(800 / float(count + 1)); // keeps the area of all cards together constant
    std::vector<Draw> draws(count);
    for (Draw& draw : draws) {
        draw.layer = one(random) < 0.8f ? 0 : 1;
        draw.depth = draw.layer == 0 ? 0.3f + 0.7f * one(random) : 0.8f * one(random);
        draw.x = 2 * one(random) - 1;
        draw.y = 2 * one(random) - 1;
        draw.width = scale * (0.22f - 0.14f * draw.depth);
        draw.height = draw.width * 1.5f;
        draw.pipeline = random() % 4;
        draw.material = draw.pipeline * 8 + random() % 8; // a material belongs to one pipeline
    }
    return draws;
}

struct Changes {
    size_t pipelines = 0;
    size_t materials = 0;
};

// Counts what a renderer would bind if it drew in this order. Blending is a part of the pipeline, so each layer has its own
// pipelines. After a change of pipeline the material is bound again.
Changes count_changes(const std::vector<Draw>& draws, std::span<const uint32_t> order) {
    Changes changes;
    const Draw* before = nullptr;
    for (uint32_t index : order) {
        const Draw& now = draws[index];
        const bool pipeline = before == nullptr || now.pipeline != before->pipeline || now.layer != before->layer;
        changes.pipelines += pipeline;
        changes.materials += pipeline || now.material != before->material;
        before = &now;
    }
    return changes;
}

void run(int argc, char** argv) {
    GpuOptions options;
    options.graphics = true;
    uint32_t width = 480;
    uint32_t height = 320;
    uint32_t count = 3000;
    std::string output = "draw_keys.png";
    Arguments arguments("Sorts the draws of a scene by state and depth, and draws it in that order.");
    arguments.option("--device", options.device, "Index of the device, or a part of its name");
    arguments.size("--size", width, height, "Size of the picture");
    arguments.option("--draws", count, "Number of draws", 1, 1'000'000);
    arguments.option("--output", output, "PNG file: drawn in the scene's order on the left, in the sorted one on the right");
    arguments.parse(argc, argv);

    Gpu gpu(options);
    const std::vector<Draw> draws = make_scene(count);
    std::vector<uint64_t> keys(count);
    std::transform(draws.begin(), draws.end(), keys.begin(), key_of);
    std::vector<uint32_t> scene_order(count);
    std::iota(scene_order.begin(), scene_order.end(), 0u);

    // An argsort makes the indices itself. The program needs only them, so keys are discarded.
    VksortPlanDesc desc = vksort::argsort<uint64_t>(count, VKSORT_PLAN_DISCARD_KEYS_BIT);
    desc.result = VKSORT_RESULT_SEPARATE;
    const vksort::Plan plan = gpu.plan(desc);
    const VksortPlanInfo info = plan.info();

    const Buffer draw_buffer = gpu.buffer(count * sizeof(Draw));
    const Buffer key_buffer = gpu.buffer(count * sizeof(uint64_t));
    const Buffer unsorted = gpu.buffer(count * sizeof(uint32_t));
    const Buffer sorted = gpu.buffer(count * sizeof(uint32_t));
    const Buffer scratch = gpu.buffer(info.scratchSize);
    gpu.upload(draw_buffer, draws);
    gpu.upload(key_buffer, keys);
    gpu.upload(unsorted, scene_order);

    const Target unsorted_target = gpu.target(width, height, true);
    const Target target = gpu.target(width, height, true);
    const Pipeline card = gpu.graphics_pipeline(target, {.vertexShader = card_vert,
                                                         .fragmentShader = card_frag,
                                                         .buffers = 2,
                                                         .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                         .blend = true,
                                                         .depth = true});
    const auto draw_scene = [&](VkCommandBuffer commands, const Target& to, const Buffer& order) {
        gpu.begin_drawing(commands, to, {0.08f, 0.08f, 0.1f, 1});
        gpu.bind(commands, card, {draw_buffer, order});
        vkCmdDraw(commands, 4, count, 0, 0);
        gpu.end_drawing(commands, to);
    };
    gpu.run([&](VkCommandBuffer commands) {
        gpu.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                    info.firstStages | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, info.firstAccess | VK_ACCESS_SHADER_READ_BIT);
        VksortSortBuffers buffers = {};
        buffers.keys = {key_buffer.buffer, 0};
        buffers.valuesOut = {sorted.buffer, 0};
        buffers.scratch = {scratch.buffer, 0};
        buffers.count = count;
        buffers.descriptorPool = gpu.descriptorPool;
        plan.sort(commands, buffers);
        // The vertex shader reads the order.
        gpu.barrier(commands, info.lastStages, info.lastAccess, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
                    VK_ACCESS_SHADER_READ_BIT);
        draw_scene(commands, unsorted_target, unsorted);
        draw_scene(commands, target, sorted);
    });

    const std::vector<uint32_t> order = gpu.download<uint32_t>(sorted, count);
    std::vector<uint32_t> expected = scene_order;
    std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    require(order == expected, "the order differs from that of std::stable_sort");
    const Picture pictures[] = {gpu.picture(unsorted_target), gpu.picture(target)};
    write_png(output, side_by_side(pictures));

    // Drawing in the order of std::stable_sort must give the same picture. This shows that the vertex shader read the sorted
    // order.
    gpu.upload(unsorted, expected);
    gpu.run([&](VkCommandBuffer commands) { draw_scene(commands, unsorted_target, unsorted); });
    require(gpu.picture(unsorted_target).pixels == pictures[1].pixels,
            "the picture differs from the one that is drawn in the order of std::stable_sort");

    // Opaque draws come first in the sorted order, and need one binding for each pipeline and each material. Bindings of
    // translucent draws can hardly be saved, since only draws of neighboring depths may share them.
    const auto opaque = size_t(std::count_if(draws.begin(), draws.end(), [](const Draw& draw) { return draw.layer == 0; }));
    const Changes before = count_changes(draws, scene_order);
    const Changes after = count_changes(draws, order);
    const Changes after_opaque = count_changes(draws, std::span(order).first(opaque));
    require(after_opaque.pipelines <= 4 && after_opaque.materials <= 32,
            "a pipeline or material of opaque draws is bound twice");
    std::printf("%s sorted %u draws by %s: verified\n", gpu.properties.deviceName, count,
                vksortAlgorithmName(info.algorithm));
    std::printf("                  unsorted  sorted  of these for %zu opaque draws\n", opaque);
    std::printf("pipelines bound   %8zu  %6zu  %6zu\n", before.pipelines, after.pipelines, after_opaque.pipelines);
    std::printf("materials bound   %8zu  %6zu  %6zu\n", before.materials, after.materials, after_opaque.materials);
    std::printf("picture: %s\n", output.c_str());
}

} // namespace

int main(int argc, char** argv) {
    return run_main("draw_keys", [&] { run(argc, argv); });
}
