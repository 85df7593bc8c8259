// SPDX-License-Identifier: MIT
//
// A renderer of Gaussian splats. A compute shader writes a pair of key and value for each tile of 16x16 pixels that a splat
// touches, so only the GPU knows the number of pairs. vksort sorts the pairs by tile and depth, and another shader blends
// the splats of each tile from front to back.
//
//     splats [--ply FILE [--y-down]] [--count N] [--capacity N] [--size WxH] [--output FILE] [--write-ply FILE] [--device NAME]
//
// The picture has three views of one scene.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <utility>

#include "gpu.h"
#include "splats.h"

#include "project.comp.h"
#include "ranges.comp.h"
#include "rasterize.comp.h"

namespace {

using namespace example;
using splats::Splat;
using splats::Vector;

constexpr uint32_t kTile = 16; // pixels on a side, as in splats.glsl

// As in splats.glsl.
struct Footprint {
    float x, y, depth, opacity;
    Vector conic;
    uint32_t color;
    uint32_t firstColumn, firstRow, endColumn, endRow;
};
struct Push {
    Vector eye;
    float focal;
    Vector right;
    uint32_t count;
    Vector down;
    uint32_t capacity;
    Vector forward;
    float near;
    uint32_t width, height, columns, rows;
};
struct Range {
    uint32_t begin, end;
};

struct Options {
    std::string device, ply, writePly;
    std::string output = "splats.png";
    uint32_t count = 100'000;
    uint32_t capacity = 0;
    uint32_t width = 400;
    uint32_t height = 400;
    bool yDown = false;
};

class Renderer {
public:
    Renderer(const Options& options, const std::vector<Splat>& scene);
    Picture draw(float angle); // around the scene, in radians

private:
    void look(float angle);
    void make_pairs(uint32_t capacity);
    void record(VkCommandBuffer commands);
    void check_pairs(uint32_t pairs);
    void check_pixels(const Picture& picture) const;

    Gpu gpu_;
    Push push_ = {};
    Vector center_; // of the scene
    Vector up_;
    float distance_ = 0;
    vksort::Plan plan_;
    VksortPlanInfo info_;
    Buffer splats_, footprints_, pairCount_, keys_, ids_, scratch_, ranges_, pixels_;
    Pipeline project_, find_, rasterize_;
    // Data that the check has read back.
    std::vector<Footprint> seen_;
    std::vector<uint32_t> order_;
    std::vector<Range> tiles_;
};

GpuOptions gpu_options(const Options& options) {
    GpuOptions result;
    result.device = options.device;
    return result;
}

Renderer::Renderer(const Options& options, const std::vector<Splat>& scene) : gpu_(gpu_options(options)) {
    push_.width = options.width;
    push_.height = options.height;
    push_.columns = (options.width + kTile - 1) / kTile;
    push_.rows = (options.height + kTile - 1) / kTile;
    push_.focal = 1.2f * float(std::min(options.width, options.height));
    push_.near = 0.05f;
    push_.count = uint32_t(scene.size());
    require(push_.count <= gpu_.properties.limits.maxComputeWorkGroupCount[0] * 256ull,
            "The scene has more splats than one dispatch can project.");

    // The center is a median, and the distance is such that the camera sees most of the scene, since scenes from photographs
    // have a few splats far away.
    const auto median = [&scene](auto&& value_of, double portion) {
        std::vector<float> values;
        for (const Splat& splat : scene) {
            values.push_back(value_of(splat));
        }
        const auto middle = values.begin() + ptrdiff_t(portion * double(values.size() - 1));
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    };
    center_.x = median([](const Splat& splat) { return splat.position.x; }, 0.5);
    center_.y = median([](const Splat& splat) { return splat.position.y; }, 0.5);
    center_.z = median([](const Splat& splat) { return splat.position.z; }, 0.5);
    const auto distance_from_center = [this](const Splat& splat) {
        const Vector offset = splat.position - center_;
        return std::sqrt(dot(offset, offset));
    };
    distance_ = std::max(2 * push_.near, 2.1f * median(distance_from_center, 0.85));
    up_ = {0, options.yDown ? -1.0f : 1.0f, 0};

    project_ = gpu_.compute_pipeline(project_comp, 5, sizeof(Push));
    find_ = gpu_.compute_pipeline(ranges_comp, 3, sizeof(Push));
    rasterize_ = gpu_.compute_pipeline(rasterize_comp, 4, sizeof(Push));
    splats_ = gpu_.buffer(scene.size() * sizeof(Splat));
    gpu_.upload(splats_, scene);
    footprints_ = gpu_.buffer(scene.size() * sizeof(Footprint));
    pairCount_ = gpu_.buffer(sizeof(uint32_t));
    ranges_ = gpu_.buffer(push_.columns * push_.rows * sizeof(Range));
    pixels_ = gpu_.buffer(push_.width * push_.height * sizeof(uint32_t));
    make_pairs(options.capacity != 0 ? options.capacity : 8 * push_.count);
    std::printf("%s sorts up to %u pairs of tile and splat by %s\n", gpu_.properties.deviceName, push_.capacity,
                vksortAlgorithmName(info_.algorithm));
}

// Creates the buffers for pairs, and the plan that sorts them.
void Renderer::make_pairs(uint32_t capacity) {
    push_.capacity = capacity;
    plan_ = gpu_.plan(vksort::sort_pairs<uint64_t, uint32_t>(capacity, VKSORT_PLAN_COUNT_FROM_BUFFER_BIT));
    info_ = plan_.info();
    keys_ = gpu_.buffer(capacity * sizeof(uint64_t), Memory::device, info_.bufferUsage);
    ids_ = gpu_.buffer(capacity * sizeof(uint32_t), Memory::device, info_.bufferUsage);
    scratch_ = gpu_.buffer(info_.scratchSize, Memory::device, info_.scratchUsage);
}

void Renderer::look(float angle) {
    push_.eye = center_ + distance_ * (0.9f * Vector{std::cos(angle), 0, std::sin(angle)} + 0.44f * up_);
    push_.forward = unit(center_ - push_.eye);
    push_.right = unit(cross(push_.forward, up_));
    push_.down = cross(push_.forward, push_.right);
}

// ---- A frame

void Renderer::record(VkCommandBuffer commands) {
    vkCmdFillBuffer(commands, pairCount_.buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(commands, ranges_.buffer, 0, VK_WHOLE_SIZE, 0);
    gpu_.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                 VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    gpu_.bind(commands, project_, {splats_, footprints_, pairCount_, keys_, ids_}, push_);
    vkCmdDispatch(commands, (push_.count + 255) / 256, 1, 1);

    gpu_.barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, info_.firstStages,
                 info_.firstAccess);
    VksortSortBuffers buffers = {};
    buffers.keys = {keys_.buffer, 0};
    buffers.values = {ids_.buffer, 0};
    buffers.scratch = {scratch_.buffer, 0};
    buffers.countBuffer = {pairCount_.buffer, 0};
    buffers.descriptorPool = gpu_.descriptorPool;
    plan_.sort(commands, buffers);
    gpu_.barrier(commands, info_.lastStages, info_.lastAccess, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                 VK_ACCESS_SHADER_READ_BIT);

    gpu_.bind(commands, find_, {pairCount_, keys_, ranges_}, push_);
    vkCmdDispatch(commands, std::min((push_.capacity + 63) / 64, 1024u), 1, 1);
    gpu_.compute_barrier(commands);
    gpu_.bind(commands, rasterize_, {footprints_, ids_, ranges_, pixels_}, push_);
    vkCmdDispatch(commands, push_.columns, push_.rows, 1);
}

Picture Renderer::draw(float angle) {
    look(angle);
    gpu_.run([this](VkCommandBuffer commands) { record(commands); });
    uint32_t pairs = gpu_.download<uint32_t>(pairCount_, 1)[0];
    if (pairs > push_.capacity) {
        std::printf("a view has %u pairs, for which a capacity of %u is too small: drawing it again with more\n", pairs,
                    push_.capacity);
        make_pairs(uint32_t(std::min(pairs * uint64_t{5} / 4, uint64_t{UINT32_MAX})));
        gpu_.run([this](VkCommandBuffer commands) { record(commands); });
        require(gpu_.download<uint32_t>(pairCount_, 1)[0] == pairs, "The same view has another number of pairs.");
    }
    require(pairs != 0, "No splat is in view, so this run proves nothing. Their positions or sizes may be too large.");
    check_pairs(pairs);
    const Picture picture = {push_.width, push_.height, gpu_.download<uint32_t>(pixels_, push_.width * push_.height)};
    check_pixels(picture);
    return picture;
}

// ---- The check

// Checks that the sorted pairs are those of the footprints, that they are in order, and that each tile has the range of its
// pairs.
void Renderer::check_pairs(uint32_t pairs) {
    seen_ = gpu_.download<Footprint>(footprints_, push_.count);
    order_ = gpu_.download<uint32_t>(ids_, pairs);
    tiles_ = gpu_.download<Range>(ranges_, push_.columns * push_.rows);
    const std::vector<uint64_t> keys = gpu_.download<uint64_t>(keys_, pairs);
    using Pair = std::pair<uint64_t, uint32_t>;
    std::vector<Pair> expected;
    for (uint32_t id = 0; id < push_.count; ++id) {
        const Footprint& splat = seen_[id];
        for (uint32_t row = splat.firstRow; row < splat.endRow; ++row) {
            for (uint32_t column = splat.firstColumn; column < splat.endColumn; ++column) {
                const uint64_t tile = row * push_.columns + column;
                expected.push_back({tile << 32 | std::bit_cast<uint32_t>(splat.depth), id});
            }
        }
    }
    require(expected.size() == pairs, "The GPU counted " + std::to_string(pairs) + " pairs, but splats touch " +
                                          std::to_string(expected.size()) + " tiles.");
    std::vector<Pair> sorted(pairs);
    for (uint32_t i = 0; i < pairs; ++i) {
        require(i == 0 || keys[i - 1] <= keys[i], "Key " + std::to_string(i) + " is smaller than the one before it.");
        sorted[i] = {keys[i], order_[i]};
    }
    // Pairs were appended in any order, so splats of equal depth may have any order within a tile.
    std::sort(sorted.begin(), sorted.end());
    std::sort(expected.begin(), expected.end());
    require(sorted == expected, "The sorted pairs are not those of the splats.");

    uint32_t longest = 0;
    for (uint32_t tile = 0, i = 0; tile < tiles_.size(); ++tile) {
        const uint32_t begin = i;
        while (i < pairs && keys[i] >> 32 == tile) {
            ++i;
        }
        const Range range = tiles_[tile];
        require(begin == i ? range.begin == range.end : range.begin == begin && range.end == i,
                "The range of tile " + std::to_string(tile) + " is not that of its pairs.");
        longest = std::max(longest, i - begin);
    }
    // Mesa's CPU driver ends a loop after 65,535 iterations.
    require(longest < 65'000 || gpu_.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU,
            "A tile has " + std::to_string(longest) + " splats, more than a shader of this CPU driver can blend.");
    std::printf("%u pairs, up to %u in a tile: in order\n", pairs, longest);
}

// Blends a sample of the pixels on the CPU, as rasterize.comp does.
void Renderer::check_pixels(const Picture& picture) const {
    for (uint32_t at = 0; at < picture.pixels.size(); at += 61) {
        const uint32_t x = at % push_.width;
        const uint32_t y = at / push_.width;
        const Range range = tiles_[y / kTile * push_.columns + x / kTile];
        float color[3] = {};
        float transmittance = 1;
        for (uint32_t i = range.begin; i < range.end && transmittance > 1.0f / 512; ++i) {
            const Footprint& splat = seen_[order_[i]];
            const float dx = float(x) + 0.5f - splat.x;
            const float dy = float(y) + 0.5f - splat.y;
            const float power = -0.5f * (splat.conic.x * dx * dx + splat.conic.z * dy * dy) - splat.conic.y * dx * dy;
            const float alpha = std::min(0.99f, splat.opacity * std::exp(power));
            if (alpha < 1.0f / 255) {
                continue;
            }
            for (int c = 0; c < 3; ++c) {
                color[c] += transmittance * alpha * float(splat.color >> (8 * c) & 0xFF) / 255;
            }
            transmittance *= 1 - alpha;
        }
        const float background[3] = {0.05f, 0.06f, 0.09f};
        for (int c = 0; c < 3; ++c) {
            const float expected = 255 * (color[c] + transmittance * background[c]);
            const float drawn = float(picture.pixels[at] >> (8 * c) & 0xFF);
            require(std::abs(std::min(expected, 255.0f) - drawn) < 3, // A faint splat may be left out.
                    "Pixel " + std::to_string(x) + ", " + std::to_string(y) + " is not what blending on the CPU gives.");
        }
    }
}

// Writes the scene to a file, reads it again, and checks that it is the same but for rounding.
void write_scene(const std::string& file, const std::vector<Splat>& scene) {
    splats::write_ply(file, scene);
    const std::vector<Splat> read = splats::read_ply(file);
    require(read.size() == scene.size(), file + " has another number of splats than were written.");
    const auto differ = [](Vector a, Vector b) { return dot(a - b, a - b) > 1e-8f; };
    for (size_t i = 0; i < scene.size(); ++i) {
        const Splat& a = scene[i];
        const Splat& b = read[i];
        bool same = !differ(a.position, b.position) && !differ(a.scale, b.scale) && !differ(a.color, b.color) &&
                    std::abs(a.opacity - b.opacity) < 1e-4f;
        for (int r = 0; r < 4; ++r) {
            same = same && std::abs(a.rotation[r] - b.rotation[r]) < 1e-4f;
        }
        require(same, "Splat " + std::to_string(i) + " of " + file + " is not the one that was written.");
    }
}

void run(int argc, char** argv) {
    Options options;
    Arguments arguments("Draws Gaussian splats, sorted by tile and depth with their count on the GPU.");
    arguments.option("--ply", options.ply, "file of splats to draw; without it, the program makes a scene");
    arguments.flag("--y-down", options.yDown, "the y axis points down, as in scenes from photographs");
    arguments.option("--count", options.count, "splats to make", 100, 10'000'000);
    arguments.option("--capacity", options.capacity, "pairs of tile and splat to begin with; 0: 8 for each splat", 0,
                     1'000'000'000);
    arguments.size("--size", options.width, options.height, "size of each of the three views");
    arguments.option("--output", options.output, "PNG file to write");
    arguments.option("--write-ply", options.writePly, "writes the scene to a file");
    arguments.option("--device", options.device, "index of a device or a part of its name");
    arguments.parse(argc, argv);
    const std::vector<Splat> scene = options.ply.empty() ? splats::make_scene(options.count) : splats::read_ply(options.ply);
    if (!options.writePly.empty()) {
        write_scene(options.writePly, scene);
    }
    Renderer renderer(options, scene);
    std::vector<Picture> views;
    for (int view = 0; view < 3; ++view) {
        views.push_back(renderer.draw(1.2f + float(view) * 2 * std::numbers::pi_v<float> / 3));
    }
    write_png(options.output, side_by_side(views));
    std::printf("three views of %zu splats: verified; see %s\n", scene.size(), options.output.c_str());
}

} // namespace

int main(int argc, char** argv) {
    return example::run_main("splats", [&] { run(argc, argv); });
}
