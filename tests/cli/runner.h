// SPDX-License-Identifier: MIT
//
// Runs the tool in a folder of the test's own, with real files.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "../reference.h"

namespace vksort::test {

using reference::Bytes;

struct RunResult {
    int status = -1; // exit status; 128 + signal where a signal ended it
    std::string out;
    std::string err;
};

struct RunOptions {
    std::string input;                                            // standard input
    std::vector<std::pair<std::string, std::string>> environment; // to set
    bool closed_output = false;                                   // standard output is a pipe that nobody reads
    std::string out_path, err_path;                               // files to write to in place of those that are read back
    std::vector<int> closed;                                      // the numbers of standard streams that are not there
    uint64_t largest_file = 0;                                    // bytes that the tool may write to a file; 0: any
};

std::string to_string(const Bytes& bytes);
Bytes to_bytes(const std::string& text);
template <class Element> Bytes to_bytes(const std::vector<Element>& elements) {
    const auto* bytes = reinterpret_cast<const std::byte*>(elements.data());
    return Bytes(bytes, bytes + elements.size() * sizeof(Element));
}

class CliTest : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    // Words are separated by spaces; "@name" becomes the path of a file in the test's folder.
    RunResult run(const std::string& words, const RunOptions& options = {});
    // Runs, and expects success and silence on standard error.
    std::string run_well(const std::string& words, const std::string& input = "");
    // Runs, and expects this exit status, one line on standard error that holds every one of `parts`, and that no file
    // has appeared.
    void expect_failure(int status, const std::string& words, const std::vector<std::string>& parts,
                        const RunOptions& options = {});

    std::string path(const std::string& name) const;
    void write(const std::string& name, const Bytes& bytes) const;
    Bytes read(const std::string& name) const;
    std::vector<std::string> files() const; // in the test's folder, sorted

private:
    std::filesystem::path folder_; // the test's files
    std::filesystem::path pipes_;  // what the tool printed
};

// The names that --type takes, in the order of reference::kAllKeyTypes.
struct NamedType {
    VksortKeyType type;
    const char* name;
};
inline constexpr NamedType kNamedTypes[] = {
    {VKSORT_KEY_U32, "u32"}, {VKSORT_KEY_I32, "i32"}, {VKSORT_KEY_F32, "f32"}, {VKSORT_KEY_U64, "u64"},
    {VKSORT_KEY_I64, "i64"}, {VKSORT_KEY_F64, "f64"}, {VKSORT_KEY_U16, "u16"}, {VKSORT_KEY_I16, "i16"},
    {VKSORT_KEY_F16, "f16"}, {VKSORT_KEY_U8, "u8"},   {VKSORT_KEY_I8, "i8"},
};

// Keys of any bits, NaNs included, the same for the same seed.
Bytes random_bytes(size_t size, uint32_t seed);

// records[order[0]], records[order[1]], ...
Bytes reordered(const Bytes& records, uint32_t record_size, const std::vector<uint32_t>& order);

} // namespace vksort::test
