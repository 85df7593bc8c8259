// SPDX-License-Identifier: MIT
#include <cstdio>

#include <vksort/vksort_compiler.hpp>

int main() {
    vksort::CompiledComparator compiled;
    char message[500];
    if (compiled.compile("bool before(Key a, Key b) { return a.words[1] < b.words[1]; }", 2, nullptr, message,
                         sizeof message) != VK_SUCCESS) {
        std::puts(message);
        return 1;
    }
    return compiled.info().kernelCount > 0 ? 0 : 1;
}
