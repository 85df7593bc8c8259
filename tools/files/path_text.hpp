// SPDX-License-Identifier: MIT
//
// Paths as the programs have them from their command lines: UTF-8 on Windows (windows_utf8.manifest), where std::filesystem
// would take a std::string for something else, and any bytes on other systems.
#pragma once

#include <filesystem>
#include <string>

namespace vksort::files {

inline std::filesystem::path path_of(const std::string& text) { return std::u8string(text.begin(), text.end()); }

inline std::string text_of(const std::filesystem::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

} // namespace vksort::files
