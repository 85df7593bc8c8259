// SPDX-License-Identifier: MIT
//
// The light lists of a tiled forward renderer. A compute shader lists the lights that reach each tile of 16x16 pixels, in
// the order in which atomic additions happened to reserve entries. One segmented sort orders all lists by depth, and the
// next draw shades by them. Without the sort the picture could differ from run to run.
//
//     tiles [--device NAME] [--size WxH] [--lights N] [--output FILE.png]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "gpu.h"

#include "assign.comp.h"
#include "shade.frag.h"
#include "shade.vert.h"

using namespace example;

namespace {

constexpr uint32_t kTile = 16;

struct Light { // as in lights.glsl
    float x, y, depth, radius;
    float red, green, blue, alpha;
};

std::vector<Light> make_lights(uint32_t count, uint32_t width, uint32_t height) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> one(0, 1);
    std::vector<Light> lights(count);
    for (Light& light : lights) {
        const float hue = one(random) * 6.2831853f;
        const float depth = one(random);
        light = {.x = one(random) * float(width),
                 .y = one(random) * float(height),
                 .depth = depth,
                 .radius = 80 - 50 * depth,
                 .red = 0.55f + 0.45f * std::cos(hue),
                 .green = 0.55f + 0.45f * std::cos(hue - 2.0944f),
                 .blue = 0.55f + 0.45f * std::cos(hue + 2.0944f),
                 .alpha = 1};
    }
    return lights;
}

uint32_t key_of(const Light& light, uint32_t index) { return uint32_t(light.depth * 65535.0f) << 16 | index; }

// Shades the picture without tiles: every pixel uses all lights, the nearest first.
Picture shade_on_cpu(const std::vector<Light>& lights, uint32_t width, uint32_t height) {
    std::vector<uint32_t> keys(lights.size());
    for (uint32_t i = 0; i < lights.size(); ++i) {
        keys[i] = key_of(lights[i], i);
    }
    std::sort(keys.begin(), keys.end());
    Picture picture = {width, height, std::vector<uint32_t>(width * height)};
    for (uint32_t pixel = 0; uint32_t & packed : picture.pixels) {
        const uint32_t x = pixel % width;
        const uint32_t y = pixel++ / width;
        float sum[3] = {0.1f, 0.1f, 0.1f};
        float discs[3] = {};
        float transparency = 1;
        for (const uint32_t key : keys) {
            const Light& light = lights[key & 0xFFFF];
            const float t = std::hypot(float(x) + 0.5f - light.x, float(y) + 0.5f - light.y) / light.radius;
            if (t < 1) {
                const float color[3] = {light.red, light.green, light.blue};
                const float opacity = t < 0.3f ? 0.7f : 0.0f;
                for (int i = 0; i < 3; ++i) {
                    sum[i] += color[i] * (1 - t) * (1 - t);
                    discs[i] += transparency * opacity * color[i];
                }
                transparency *= 1 - opacity;
            }
        }
        const float albedo = (x / 24 + y / 24) % 2 == 0 ? 0.5f : 0.35f;
        packed = 0xFF000000;
        for (int i = 0; i < 3; ++i) {
            const float value = discs[i] + transparency * albedo * std::min(sum[i], 2.0f);
            packed |= uint32_t(std::lround(std::min(value, 1.0f) * 255)) << (8 * i);
        }
    }
    return picture;
}

// Counts the pixels in which a channel differs by more than 1, the difference that rounding may make.
size_t different_pixels(const Picture& a, const Picture& b) {
    size_t different = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i) {
        bool differs = false;
        for (int shift = 0; shift < 32; shift += 8) {
            differs |= std::abs(int(a.pixels[i] >> shift & 255) - int(b.pixels[i] >> shift & 255)) > 1;
        }
        different += differs;
    }
    return different;
}

void run(int argc, char** argv) {
    GpuOptions options;
    options.graphics = true;
    uint32_t width = 480;
    uint32_t height = 288;
    uint32_t light_count = 220;
    std::string output = "tiles.png";
    Arguments arguments("Sorts the light lists of a tiled forward renderer, and shades by them.");
    arguments.option("--device", options.device, "Index of the device, or a part of its name");
    arguments.size("--size", width, height, "Size of the picture");
    arguments.option("--lights", light_count, "Number of lights", 1, 65536);
    arguments.option("--output", output, "PNG file: unsorted lists on the left, sorted ones on the right");
    arguments.parse(argc, argv);

    Gpu gpu(options);
    const std::vector<Light> lights = make_lights(light_count, width, height);
    const uint32_t tiles_in_row = (width + kTile - 1) / kTile;
    const uint32_t tiles_in_column = (height + kTile - 1) / kTile;
    const uint32_t tile_count = tiles_in_row * tiles_in_column;
    const uint32_t capacity = 64 * tile_count; // entries of all lists

    // The sort is keys-only, since the key contains the light's index. The segments are the offsets and counts that the
    // shader has written.
    VksortPlanDesc desc = vksort::sort_segments<uint32_t>(capacity, VKSORT_SEGMENTS_OFFSET_COUNTS, tile_count,
                                                          VKSORT_PLAN_COUNT_FROM_BUFFER_BIT);
    const vksort::Plan plan = gpu.plan(desc);
    const VksortPlanInfo info = plan.info();

    const Buffer light_buffer = gpu.buffer(lights.size() * sizeof(Light));
    const Buffer tiles = gpu.buffer(tile_count * 2 * sizeof(uint32_t));
    const Buffer entries = gpu.buffer(capacity * sizeof(uint32_t));
    const Buffer unsorted_entries = gpu.buffer(entries.size); // for the check
    // vksort binds two words. It would read the second, the number of segments, only if the GPU had counted those as well.
    const Buffer counter = gpu.buffer(2 * sizeof(uint32_t));
    const Buffer scratch = gpu.buffer(info.scratchSize);
    gpu.upload(light_buffer, lights);

    const Target unsorted_target = gpu.target(width, height);
    const Target target = gpu.target(width, height);
    const Pipeline assign = gpu.compute_pipeline(assign_comp, 4, 2 * sizeof(uint32_t));
    const Pipeline shade = gpu.graphics_pipeline(
        target, {.vertexShader = shade_vert, .fragmentShader = shade_frag, .buffers = 3, .pushBytes = sizeof(uint32_t)});

    const auto draw = [&](VkCommandBuffer commands, const Target& to) {
        gpu.begin_drawing(commands, to, {0, 0, 0, 1});
        gpu.bind(commands, shade, {light_buffer, tiles, entries}, tiles_in_row);
        vkCmdDraw(commands, 3, 1, 0, 0);
        gpu.end_drawing(commands, to);
    };
    gpu.run([&](VkCommandBuffer commands) {
        vkCmdFillBuffer(commands, counter.buffer, 0, VK_WHOLE_SIZE, 0);
        gpu.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
        gpu.bind(commands, assign, {light_buffer, tiles, entries, counter}, std::array{light_count, capacity});
        vkCmdDispatch(commands, tiles_in_row, tiles_in_column, 1);

        // Before the sort, for comparison only: a picture by the unsorted lists, and a copy of them.
        gpu.barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                    VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT);
        draw(commands, unsorted_target);
        const VkBufferCopy all = {0, 0, entries.size};
        vkCmdCopyBuffer(commands, entries.buffer, unsorted_entries.buffer, 1, &all);

        // The sort reads what the compute shader has written, and writes what the draw and the copy above have read.
        gpu.barrier(commands,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
                        VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_ACCESS_SHADER_WRITE_BIT, info.firstStages, info.firstAccess);
        VksortSegmentedSortBuffers buffers = {};
        buffers.keys = {entries.buffer, 0};
        buffers.segments = {tiles.buffer, 0};
        buffers.segmentCount = tile_count;
        buffers.countBuffer = {counter.buffer, 0};
        buffers.scratch = {scratch.buffer, 0};
        buffers.descriptorPool = gpu.descriptorPool;
        plan.sort_segments(commands, buffers);
        gpu.barrier(commands, info.lastStages, info.lastAccess, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                    VK_ACCESS_SHADER_READ_BIT);
        draw(commands, target);
    });

    const uint32_t entry_count = gpu.download<uint32_t>(counter, 1)[0];
    require(entry_count <= capacity,
            "the lists of all tiles hold more than " + std::to_string(capacity) + " lights: give fewer lights by --lights");
    const std::vector<uint32_t> spans = gpu.download<uint32_t>(tiles, 2 * tile_count);
    const std::vector<uint32_t> sorted = gpu.download<uint32_t>(entries, entry_count);
    std::vector<uint32_t> expected = gpu.download<uint32_t>(unsorted_entries, entry_count);
    for (uint32_t i = 0; i < tile_count; ++i) {
        const auto begin = expected.begin() + spans[2 * i];
        std::sort(begin, begin + spans[2 * i + 1]);
    }
    require(sorted == expected, "a tile's list differs from that of std::sort");

    const Picture pictures[] = {gpu.picture(unsorted_target), gpu.picture(target)};
    write_png(output, side_by_side(pictures));
    const size_t wrong = different_pixels(pictures[1], shade_on_cpu(lights, width, height));
    // A pixel's center may lie so near the edge of a disc that the GPU and the CPU see it on different sides.
    require(wrong <= 2 + pictures[1].pixels.size() / 10'000,
            std::to_string(wrong) + " pixels differ from the picture that the CPU has shaded");
    std::printf("%s sorted the lists of %u tiles, %u lights in all, by %s: verified\n", gpu.properties.deviceName,
                tile_count, entry_count, vksortAlgorithmName(info.algorithm));
    std::printf("%zu of %zu pixels differ between unsorted and sorted lists: %s\n",
                different_pixels(pictures[0], pictures[1]), pictures[1].pixels.size(), output.c_str());
}

} // namespace

int main(int argc, char** argv) {
    return run_main("tiles", [&] { run(argc, argv); });
}
