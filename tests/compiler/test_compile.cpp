// SPDX-License-Identifier: MIT
//
// Comparators without a GPU: what vksortCompileComparator refuses and in which words, and the kernels that it makes.
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "examples.h"
#include "vksort/vksort_compiler.hpp"

extern "C" uint32_t c_key_words(void);

namespace vksort::test {

namespace {

constexpr const char* kRising = "bool before(Key a, Key b) { return a.words[0] < b.words[0]; }";

struct Outcome {
    VkResult result;
    std::string message;
    CompiledComparator compiled;
};

Outcome compile(const std::string& text, uint32_t key_words = 4, const char* name = nullptr) {
    Outcome outcome;
    char message[2000] = "left over";
    outcome.result = outcome.compiled.compile(text, key_words, name, message, sizeof message);
    outcome.message = message;
    EXPECT_EQ(outcome.result == VK_SUCCESS, bool{outcome.compiled});
    EXPECT_EQ(outcome.result == VK_SUCCESS, outcome.message.empty()) << outcome.message;
    return outcome;
}

std::vector<std::vector<uint32_t>> words_of(const VksortComparatorInfo& info) {
    std::vector<std::vector<uint32_t>> words;
    for (uint32_t i = 0; i < info.kernelCount; ++i) {
        words.emplace_back(info.pKernels[i].pWords, info.pKernels[i].pWords + info.pKernels[i].wordCount);
    }
    return words;
}

size_t variant_count() {
    std::istringstream lines(read_text(source_path("shaders/comparator_variants.txt")));
    size_t count = 0;
    for (std::string line; std::getline(lines, line);) {
        count += !line.empty() && line[0] != '#';
    }
    return count;
}

// Files, since spirv-val is a program.
void expect_valid(const VksortComparatorInfo& info) {
    const std::string path = testing::TempDir() + "vksort_compiler_tests.spv";
    for (const std::vector<uint32_t>& words : words_of(info)) {
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(4 * words.size()));
        EXPECT_EQ(std::system((VKSORT_TEST_SPIRV_VAL " --target-env vulkan1.2 " + path).c_str()), 0);
    }
    std::filesystem::remove(path);
}

} // namespace

TEST(Compile, MakesValidKernelsForEverySizeOfKeys) {
    for (uint32_t key_words = 1; key_words <= VKSORT_MAX_KEY_WORDS; ++key_words) {
        SCOPED_TRACE(key_words);
        const Outcome outcome = compile(kRising, key_words);
        ASSERT_EQ(outcome.result, VK_SUCCESS) << outcome.message;
        const VksortComparatorInfo info = outcome.compiled.info();
        EXPECT_EQ(info.version, uint32_t{VKSORT_COMPARATOR_VERSION});
        EXPECT_EQ(info.keyWords, key_words);
        EXPECT_EQ(info.kernelCount, variant_count());
        expect_valid(info);
    }
}

// Word for word what glslangValidator makes of the manifest's lines, in their order.
TEST(Compile, MakesTheKernelsThatTheBuildMakes) {
    for (const Example& example : kExamples) {
        SCOPED_TRACE(example.name);
        const Outcome outcome = compile(text_of(example), example.keyWords);
        ASSERT_EQ(outcome.result, VK_SUCCESS) << outcome.message;
        EXPECT_EQ(example.built->version, uint32_t{VKSORT_COMPARATOR_VERSION});
        EXPECT_EQ(example.built->keyWords, example.keyWords);
        EXPECT_TRUE(words_of(outcome.compiled.info()) == words_of(*example.built)); // too long to print
        expect_valid(*example.built);
    }
}

// Each text says in its own comments, after //!, what follows its name in the message.
TEST(Compile, RefusesInWords) {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(source_path("tests/compiler/refused"))) {
        const std::string name = entry.path().filename().string();
        SCOPED_TRACE(name);
        const std::string text = read_text(entry.path().string());
        std::string expected;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("//!")) {
                expected += (expected.empty() ? "" : "\n") + name + line.substr(3);
            }
        }
        const Outcome outcome = compile(text, 4, name.c_str());
        EXPECT_EQ(outcome.result, VK_ERROR_INVALID_SHADER_NV);
        EXPECT_EQ(outcome.message, expected);
        ++count;
    }
    EXPECT_GE(count, 20u);
}

TEST(Compile, ReadsWordsInCommentsAndNamesAsWhatTheyAre) {
    const Outcome outcome = compile("// shared buffer, #include\n"
                                    "/* layout(binding = 0)\n uniform */\n"
                                    "const uint domain = 3; uint shared_words(Key key) { return key.words[domain]; }\n"
                                    "#define SAME(a, b) \\\n  shared_words(a) == shared_words(b)\n"
                                    "bool before(in Key a, const Key b) {\n"
                                    "    return SAME(a, b) ? a.words[0] < b.words[0] : shared_words(a) < shared_words(b);\n"
                                    "} // no line end");
    EXPECT_EQ(outcome.result, VK_SUCCESS) << outcome.message;
}

TEST(Compile, RefusesKeysOfNoSize) {
    for (const uint32_t key_words : {0u, 17u}) {
        const Outcome outcome = compile(kRising, key_words);
        EXPECT_EQ(outcome.result, VK_ERROR_FORMAT_NOT_SUPPORTED);
        EXPECT_EQ(outcome.message, "a comparator's keys have 1 to 16 words, not " + std::to_string(key_words));
    }
}

TEST(Compile, TakesTheSizeThatIsGiven) {
    const std::string text = std::string(kRising) + " and no more of it";
    VksortCompileComparatorInfo info = {};
    info.pSource = text.c_str();
    info.sourceSize = std::strlen(kRising);
    info.keyWords = 1;
    VksortCompiledComparator compiled = VK_NULL_HANDLE;
    EXPECT_EQ(vksortCompileComparator(&info, &compiled, nullptr, 0), VK_SUCCESS);
    vksortDestroyCompiledComparator(compiled);
    info.sourceSize = 0;
    char message[200];
    EXPECT_EQ(vksortCompileComparator(&info, &compiled, message, sizeof message), VK_ERROR_INVALID_SHADER_NV);
    EXPECT_STREQ(message, "comparator:1: syntax error, unexpected IDENTIFIER");
    EXPECT_EQ(compiled, VksortCompiledComparator{VK_NULL_HANDLE});
    EXPECT_EQ(compile(std::string(kRising) + std::string(1, '\0')).message, "comparator: there is a zero in the text");
    EXPECT_EQ(compile("").message, "comparator: there is no function 'bool before(Key a, Key b)'");
}

TEST(Compile, CutsMessagesToTheirRoom) {
    VksortCompileComparatorInfo info = {};
    info.pSource = "nonsense";
    info.keyWords = 1;
    VksortCompiledComparator compiled = VK_NULL_HANDLE;
    char message[12] = "xxxxxxxxxxx";
    EXPECT_EQ(vksortCompileComparator(&info, &compiled, message, 11), VK_ERROR_INVALID_SHADER_NV);
    EXPECT_STREQ(message, "comparator");
    EXPECT_EQ(vksortCompileComparator(&info, &compiled, nullptr, 100), VK_ERROR_INVALID_SHADER_NV);
}

TEST(Compile, RefusesMissingArguments) {
    VksortCompileComparatorInfo info = {};
    info.keyWords = 1;
    VksortCompiledComparator compiled = VK_NULL_HANDLE;
    char message[200] = "";
    EXPECT_EQ(vksortCompileComparator(&info, &compiled, message, sizeof message), VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_NE(std::string(message), "");
    EXPECT_EQ(vksortCompileComparator(nullptr, &compiled, nullptr, 0), VK_ERROR_INITIALIZATION_FAILED);
    info.pSource = kRising;
    EXPECT_EQ(vksortCompileComparator(&info, nullptr, nullptr, 0), VK_ERROR_INITIALIZATION_FAILED);
    info.reserved = &info;
    EXPECT_EQ(vksortCompileComparator(&info, &compiled, nullptr, 0), VK_ERROR_INITIALIZATION_FAILED);
    vksortDestroyCompiledComparator(VK_NULL_HANDLE);
    vksortGetCompiledComparatorInfo(VK_NULL_HANDLE, nullptr);
}

TEST(Compile, RunsInManyThreadsAtOnce) {
    const auto expected = words_of(*kExamples[2].built);
    std::vector<std::thread> threads;
    std::vector<int> right(8);
    std::vector<std::string> messages(right.size());
    for (size_t i = 0; i < right.size(); ++i) {
        threads.emplace_back([&, i] {
            const Outcome good = compile(text_of(kExamples[2]), 1);
            const Outcome bad = compile("bool before(Key a, Key b) { return x < 1; }", 1);
            right[i] = words_of(good.compiled.info()) == expected;
            messages[i] = bad.message;
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(right, std::vector<int>(right.size(), 1));
    EXPECT_EQ(messages, std::vector<std::string>(right.size(), "comparator:1: 'x' : undeclared identifier"));
}

TEST(Compile, WorksFromC) { EXPECT_EQ(c_key_words(), 1u); }

TEST(Compile, MovesItsHandle) {
    CompiledComparator first = compile(kRising, 1).compiled;
    const VksortCompiledComparator handle = first.get();
    CompiledComparator second(std::move(first));
    EXPECT_FALSE(first);
    EXPECT_EQ(second.get(), handle);
    EXPECT_EQ(first.info().kernelCount, 0u);
    second.reset();
    EXPECT_FALSE(second);
}

} // namespace vksort::test
