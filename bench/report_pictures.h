// SPDX-License-Identifier: MIT
//
// Some charts of the report as files of their own, for a project's README.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "output_files.hpp"

namespace vksort::bench {

struct PictureFile {
    std::string name; // "sort-u32.svg"
    std::string svg;
};

// Those that there are results for. Throws SchemaError (report_data.h) where the results do not fit the schema.
std::vector<PictureFile> report_pictures(const nlohmann::json& results);

// Adds the pictures to the files that will be committed, and makes their directory where there is none. Throws
// std::invalid_argument or files::FileError.
void write_pictures(files::OutputFiles& outputs, const std::string& directory, const std::vector<PictureFile>& pictures);

} // namespace vksort::bench
