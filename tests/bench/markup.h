// SPDX-License-Identifier: MIT
//
// As much of a parser as the tests of the report need.
#pragma once

#include <string>
#include <vector>

// What keeps the page from being well-formed XML, the stricter reading of HTML: one sentence, or nothing.
std::string markup_error(const std::string& page);

// The text inside every element of that name that holds text alone.
std::vector<std::string> texts_of(const std::string& page, const std::string& element);
