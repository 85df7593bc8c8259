// SPDX-License-Identifier: MIT
//
// Arguments, by CLI11, and PNG files, by libpng.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>
#include <png.h>

#include "gpu.h"

namespace example {

int run_main(const char* program, const std::function<void()>& body) {
    try {
        body();
        return 0;
    } catch (const std::exception& error) {
        std::fflush(stdout);
        std::fprintf(stderr, "%s: %s\n", program, error.what());
        return 1;
    }
}

struct Arguments::State {
    CLI::App app;
};

Arguments::Arguments(const std::string& description) : state_(std::make_unique<State>()) {
    state_->app.description(description);
}

Arguments::~Arguments() = default;

void Arguments::flag(const char* names, bool& value, const char* help) { state_->app.add_flag(names, value, help); }

void Arguments::option(const char* names, std::string& value, const char* help) {
    state_->app.add_option(names, value, help)->capture_default_str();
}

void Arguments::option(const char* names, uint32_t& value, const char* help, uint32_t least, uint32_t most) {
    state_->app.add_option(names, value, help)->capture_default_str()->check(CLI::Range(least, most));
}

void Arguments::size(const char* names, uint32_t& width, uint32_t& height, const char* help) {
    state_->app
        .add_option_function<std::string>(
            names,
            [&width, &height](const std::string& text) {
                unsigned w = 0;
                unsigned h = 0;
                int end = 0;
                if (std::sscanf(text.c_str(), "%4ux%4u%n", &w, &h, &end) != 2 || size_t(end) != text.size() ||
                    std::min(w, h) < 16 || std::max(w, h) > 4096) {
                    throw CLI::ValidationError("size '" + text + "' is not WxH from 16x16 to 4096x4096");
                }
                width = w;
                height = h;
            },
            help)
        ->type_name("WxH")
        ->default_str(std::to_string(width) + "x" + std::to_string(height));
}

void Arguments::parse(int argc, char** argv) {
    try {
        state_->app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        std::exit(state_->app.exit(help));
    } catch (const CLI::ParseError& error) {
        state_->app.exit(error);
        std::exit(2);
    }
}

Picture side_by_side(std::span<const Picture> pictures) {
    Picture result;
    constexpr uint32_t kGap = 4;
    for (const Picture& picture : pictures) {
        result.height = std::max(result.height, picture.height);
        result.width += picture.width + (&picture != pictures.data() ? kGap : 0);
    }
    result.pixels.assign(size_t{result.width} * result.height, 0xFFFFFFFF);
    uint32_t left = 0;
    for (const Picture& picture : pictures) {
        for (uint32_t y = 0; y < picture.height; ++y) {
            std::copy_n(picture.pixels.begin() + ptrdiff_t(y) * picture.width, picture.width,
                        result.pixels.begin() + ptrdiff_t(y) * result.width + left);
        }
        left += picture.width + kGap;
    }
    return result;
}

void write_png(const std::string& file, const Picture& picture) {
    std::vector<uint8_t> colors; // without alpha, since viewers would let their background shine through
    colors.reserve(picture.pixels.size() * 3);
    for (uint32_t pixel : picture.pixels) {
        for (uint32_t shift = 0; shift < 24; shift += 8) {
            colors.push_back(uint8_t(pixel >> shift));
        }
    }
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    image.width = picture.width;
    image.height = picture.height;
    image.format = PNG_FORMAT_RGB;
    if (png_image_write_to_file(&image, file.c_str(), 0, colors.data(), 0, nullptr) == 0) {
        throw Error("cannot write " + file + ": " + image.message + ".");
    }
}

} // namespace example
