// SPDX-License-Identifier: MIT
//
// Keys as text, one number a line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vksort/vksort.h"

// Numbers to keys. Fails with the number of the line that holds none; `name` is the file's, for that message.
std::vector<std::byte> parse_keys(std::string_view text, VksortKeyType type, const std::string& name);

// The shortest text that parse_keys turns into the same bits.
void append_key(std::string& text, VksortKeyType type, uint64_t key);

std::string key_to_text(VksortKeyType type, uint64_t key);

std::string keys_to_text(std::span<const std::byte> keys, VksortKeyType type);
