// SPDX-License-Identifier: MIT
#include "file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "failure.hpp"
#include "output_files.hpp"
#include "path_text.hpp"

namespace fs = std::filesystem;

namespace {

constexpr size_t kChunk = 1 << 20;

std::string reason(int error) { return std::generic_category().message(error); }

// Reads to the end of `stream`; `expected` is a guess at the size.
std::vector<std::byte> read_stream(std::FILE* stream, const std::string& name, uint64_t expected) {
    std::vector<std::byte> bytes(expected);
    size_t size = 0;
    for (;;) {
        if (size == bytes.size()) {
            // A file of the expected size ends here: look for one more byte before growing.
            std::byte more;
            if (std::fread(&more, 1, 1, stream) == 0) {
                break;
            }
            bytes.resize(std::max(2 * size, size + kChunk));
            bytes[size++] = more;
        }
        const size_t got = std::fread(bytes.data() + size, 1, bytes.size() - size, stream);
        if (got == 0) {
            break;
        }
        size += got;
    }
    if (std::ferror(stream) != 0) {
        fail(kBadInput, "cannot read {}: {}", name, reason(errno));
    }
    bytes.resize(size);
    return bytes;
}

} // namespace

std::vector<std::byte> read_file(const std::string& path) {
    if (path == "-") {
        return read_stream(stdin, "standard input", 0);
    }
    std::error_code error;
    const fs::path file = vksort::files::path_of(path);
    if (fs::is_directory(file, error)) {
        fail(kBadInput, "cannot read '{}': it is a folder; give a file, or - for standard input", path);
    }
    std::FILE* stream = std::fopen(path.c_str(), "rb");
    if (stream == nullptr) {
        fail(kBadInput, "cannot read '{}': {}; give a readable file, or - for standard input", path, reason(errno));
    }
    const uint64_t size = fs::is_regular_file(file, error) ? fs::file_size(file, error) : 0;
    try {
        std::vector<std::byte> bytes = read_stream(stream, "'" + path + "'", error ? 0 : size);
        std::fclose(stream);
        return bytes;
    } catch (...) {
        std::fclose(stream);
        throw;
    }
}

void print_out(std::string_view text) {
    vksort::files::print_output(text);
    vksort::files::check_output();
}
