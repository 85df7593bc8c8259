// SPDX-License-Identifier: MIT
//
// kernels <folder of .spv files>: checks that every kernel in vksort.cpp is inflated to the module in the folder, and that a
// damaged kernel is an error. The library's unit tests cover zlib, which vksort.cpp does not use.
#include "vksort/vksort.cpp"

#include <string>
#include <vector>

namespace {

std::vector<uint32_t> words_of(const std::string& path) {
    std::vector<uint32_t> words;
    if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
        uint32_t word = 0;
        while (std::fread(&word, sizeof word, 1, file) == 1) {
            words.push_back(word);
        }
        std::fclose(file);
    }
    return words;
}

// Words after the output must not be written, and bytes after the input must not be read; a sanitizer detects both.
VkResult inflate(const std::vector<unsigned char>& code, std::vector<uint32_t>& output) {
    const vksort::ShaderModule shader = {"some", nullptr, output.size(), false, code.data(), code.size()};
    return vksort::inflate_code(shader, vksort::HostAllocator(nullptr), output.data());
}

bool check(const vksort::ShaderModule& shader, const std::string& folder) {
    const std::vector<unsigned char> code(shader.compressed, shader.compressed + shader.compressedSize);
    const std::vector<uint32_t> expected = words_of(folder + "/" + shader.name + ".spv");
    std::vector<uint32_t> words(shader.wordCount);
    if (inflate(code, words) != VK_SUCCESS || words != expected) {
        std::printf("%s: it is not inflated to what it was\n", shader.name);
        return false;
    }
    // Bytes 4 to 9 of the header, the time and hints, are not checked. A match at another distance may copy the same bytes.
    for (size_t at = 0; at < code.size(); at = at == 3 ? 10 : at + 1 + (at > 200 ? code.size() / 20 : 0)) {
        std::vector<unsigned char> damaged = code;
        damaged[at] ^= static_cast<unsigned char>(1 << at % 8);
        if (at < code.size() - 4 && inflate(damaged, words) == VK_SUCCESS && words != expected) {
            std::printf("%s: a wrong bit in byte %zu of %zu was not noticed\n", shader.name, at, code.size());
            return false;
        }
        damaged.resize(at);
        if (at < code.size() - 8 && inflate(damaged, words) == VK_SUCCESS) {
            std::printf("%s: %zu bytes of %zu were enough\n", shader.name, at, code.size());
            return false;
        }
    }
    for (const size_t count : {shader.wordCount - 1, shader.wordCount + 1}) {
        words.resize(count);
        if (inflate(code, words) == VK_SUCCESS) {
            std::printf("%s: it was inflated to %zu words instead of %zu\n", shader.name, count, shader.wordCount);
            return false;
        }
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    uint32_t kernels = 0;
    for (uint32_t i = 0; i < vksort::kShaderModuleCount; ++i) {
        const vksort::ShaderModule& shader = vksort::kShaderModules[i];
        if (shader.compressed != nullptr) {
            if (argc != 2 || !check(shader, argv[1])) {
                return 1;
            }
            ++kernels;
        }
    }
    std::printf("%u kernels\n", kernels);
    return kernels > 0 ? 0 : 1;
}
