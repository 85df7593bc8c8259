// SPDX-License-Identifier: MIT
//
// Splat files. A .ply begins with lines of text that describe its elements; binary data follows. Scales are stored as
// logarithms, opacities before the logistic function, colors as the coefficient of the constant spherical harmonic.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <sstream>

#include "gpu.h"
#include "splats.h"

namespace splats {

namespace {

using example::Error;

static_assert(std::endian::native == std::endian::little, "the files are little-endian, and read as they are");

constexpr std::array<const char*, 14> kProperties = {"x",      "y",       "z",       "f_dc_0",  "f_dc_1",
                                                     "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2",
                                                     "rot_0",  "rot_1",   "rot_2",   "rot_3"};
constexpr float kHarmonic = 0.28209479f; // of degree 0: 1 / (2 sqrt(pi))

struct Header {
    size_t count = 0;                                    // vertices
    size_t size = 0;                                     // bytes of a vertex
    std::array<size_t, kProperties.size()> offsets = {}; // of each property in a vertex
};

size_t size_of_type(const std::string& type) {
    constexpr std::pair<const char*, size_t> kTypes[] = {
        {"char", 1}, {"uchar", 1}, {"int8", 1},  {"uint8", 1},  {"short", 2}, {"ushort", 2},  {"int16", 2},  {"uint16", 2},
        {"int", 4},  {"uint", 4},  {"int32", 4}, {"uint32", 4}, {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
    for (const auto& [name, size] : kTypes) {
        if (type == name) {
            return size;
        }
    }
    return 0;
}

Header read_header(std::istream& stream, const std::string& file) {
    const auto refuse = [&file](const std::string& why) { throw Error(file + " " + why + "."); };
    constexpr int kMostLines = 1000;
    Header header;
    std::array<bool, kProperties.size()> found = {};
    std::string line;
    std::string format;
    bool has_vertices = false;
    bool in_vertices = false;
    for (int number = 1;; ++number) {
        if (!std::getline(stream, line) || number > kMostLines) {
            refuse(number == 1 ? "is empty" : "has no line end_header");
        }
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        if (number == 1 && line != "ply") {
            refuse("is no .ply file: its first line is not 'ply'");
        }
        std::istringstream words(line);
        std::string keyword;
        std::string type;
        std::string name;
        words >> keyword;
        if (keyword == "end_header") {
            break;
        } else if (keyword == "format") {
            words >> format;
        } else if (keyword == "element") {
            std::string count;
            words >> name >> count;
            in_vertices = name == "vertex";
            if (!has_vertices && !in_vertices) {
                refuse("has the element '" + name + "' before its vertices");
            }
            if (in_vertices) {
                if (has_vertices || count.empty() || count.size() > 9 ||
                    !std::all_of(count.begin(), count.end(), [](char c) { return c >= '0' && c <= '9'; })) {
                    refuse("has a wrong line '" + line + "'");
                }
                header.count = std::stoul(count);
                has_vertices = true;
            }
        } else if (keyword == "property" && in_vertices) {
            words >> type >> name;
            const size_t size = size_of_type(type);
            if (size == 0) {
                refuse("has a property of a vertex that is no number: '" + line + "'");
            }
            const auto property = std::find(kProperties.begin(), kProperties.end(), name);
            if (property != kProperties.end()) {
                if (type != "float" && type != "float32") {
                    refuse("has the property " + name + " as " + type + " instead of float");
                }
                const size_t index = size_t(property - kProperties.begin());
                header.offsets[index] = header.size;
                found[index] = true;
            }
            header.size += size;
        }
    }
    if (format != "binary_little_endian") {
        refuse("has the format '" + format + "'; only binary_little_endian is read");
    }
    for (size_t i = 0; i < kProperties.size(); ++i) {
        if (!found[i]) {
            refuse("is no file of splats: its vertices have no property " + std::string(kProperties[i]));
        }
    }
    if (header.count == 0) {
        refuse("has no splats");
    }
    return header;
}

float logistic(float x) { return 1 / (1 + std::exp(-x)); }

Splat splat_of(const std::array<float, kProperties.size()>& p) {
    Splat splat;
    splat.position = {p[0], p[1], p[2]};
    const auto color = [](float coefficient) { return std::clamp(0.5f + kHarmonic * coefficient, 0.0f, 1.0f); };
    splat.color = {color(p[3]), color(p[4]), color(p[5])};
    splat.opacity = logistic(p[6]);
    splat.scale = {std::exp(p[7]), std::exp(p[8]), std::exp(p[9])};
    const float length = std::sqrt(p[10] * p[10] + p[11] * p[11] + p[12] * p[12] + p[13] * p[13]);
    for (size_t i = 0; i < 4 && length > 0; ++i) {
        splat.rotation[i] = p[10 + i] / length;
    }
    return splat;
}

} // namespace

std::vector<Splat> read_ply(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        throw Error("cannot open " + file + ".");
    }
    const Header header = read_header(stream, file);
    std::vector<Splat> splats;
    std::vector<char> vertex(header.size);
    for (size_t i = 0; i < header.count; ++i) {
        if (!stream.read(vertex.data(), std::streamsize(vertex.size()))) {
            throw Error(file + " ends after " + std::to_string(i) + " of " + std::to_string(header.count) + " splats.");
        }
        std::array<float, kProperties.size()> values = {};
        for (size_t p = 0; p < kProperties.size(); ++p) {
            std::memcpy(&values[p], vertex.data() + header.offsets[p], sizeof(float));
            if (!std::isfinite(values[p])) {
                throw Error(file + ": " + kProperties[p] + " of splat " + std::to_string(i) + " is not a finite number.");
            }
        }
        splats.push_back(splat_of(values));
    }
    return splats;
}

void write_ply(const std::string& file, const std::vector<Splat>& splats) {
    std::ofstream stream(file, std::ios::binary);
    stream << "ply\nformat binary_little_endian 1.0\nelement vertex " << splats.size() << "\n";
    for (const char* property : {"nx", "ny", "nz"}) { // Other programs write normals, too, for viewers of points.
        stream << "property float " << property << "\n";
    }
    for (const char* property : kProperties) {
        stream << "property float " << property << "\n";
    }
    stream << "end_header\n";
    for (const Splat& splat : splats) {
        const auto coefficient = [](float color) { return (color - 0.5f) / kHarmonic; };
        const float values[] = {0,
                                0,
                                0,
                                splat.position.x,
                                splat.position.y,
                                splat.position.z,
                                coefficient(splat.color.x),
                                coefficient(splat.color.y),
                                coefficient(splat.color.z),
                                std::log(splat.opacity / (1 - splat.opacity)),
                                std::log(splat.scale.x),
                                std::log(splat.scale.y),
                                std::log(splat.scale.z),
                                splat.rotation[0],
                                splat.rotation[1],
                                splat.rotation[2],
                                splat.rotation[3]};
        static_assert(std::size(values) == 3 + kProperties.size());
        stream.write(reinterpret_cast<const char*>(values), sizeof values);
    }
    if (!stream.flush()) {
        throw Error("cannot write " + file + ".");
    }
}

} // namespace splats
