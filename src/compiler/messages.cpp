// SPDX-License-Identifier: MIT
#include "messages.h"

#include <algorithm>
#include <cctype>

#include "front_end.h"
#include "shader_texts.h"

namespace vksort::compiler {

namespace {

constexpr std::string_view kSpaces = " \t\r\n";

// Moves the first line of a text out of it.
std::string_view take_line(std::string_view& text) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return line;
}

std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(kSpaces);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

// What follows `start`, if it is there; empty otherwise.
std::string_view after(std::string_view text, std::string_view start) {
    const size_t at = text.find(start);
    return at == text.npos ? std::string_view() : text.substr(at + start.size());
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The reason why a word is refused; empty if it is not.
std::string_view reason_against(std::string_view word) {
    std::string_view rows = find_shader_text("comparator_refused.txt");
    while (!rows.empty()) {
        const std::string_view row = take_line(rows);
        if (row.size() > word.size() && row.substr(0, word.size()) == word && row[word.size()] == ' ') {
            return row.substr(word.size() + 1);
        }
    }
    return {};
}

std::string error(std::string_view name, std::string_view what) {
    return std::string(name).append(": ").append(what).append("\n");
}

} // namespace

std::string find_refused_words(std::string_view text, std::string_view name) {
    std::string errors;
    size_t line = 1;
    size_t last_line = 0;
    for (size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (text.substr(i, 2) == "//") {
            i = std::min(text.find('\n', i), text.size());
        } else if (text.substr(i, 2) == "/*") {
            const size_t end = std::min(text.find("*/", i + 2), text.size());
            for (; i < end; ++i) {
                line += text[i] == '\n';
            }
            i = std::min(end + 2, text.size());
        } else if (is_word_character(c) || c == '#') {
            std::string word(1, c);
            ++i;
            while (c == '#' && i < text.size() && (text[i] == ' ' || text[i] == '\t')) {
                ++i;
            }
            for (; i < text.size() && is_word_character(text[i]); ++i) {
                word += text[i];
            }
            const std::string_view reason = reason_against(word);
            if (!reason.empty() && line != last_line) { // one error a line will do
                last_line = line;
                errors += error(std::string(name) + ":" + std::to_string(line),
                                "'" + word + "' : not in a comparator: " + std::string(reason));
            }
        } else {
            line += c == '\n';
            ++i;
        }
    }
    return errors;
}

std::string explain_check(std::string_view log, std::string_view name) {
    std::string errors;
    const std::string callers = "ERROR: " + std::string(kCallersText) + ":";
    for (std::string_view rest = log; !rest.empty();) {
        const std::string_view line = trimmed(take_line(rest));
        if (line.substr(0, callers.size()) != callers || line.find("compilation terminated") != line.npos) {
            continue;
        }
        // Line, then what: "3: '' :  syntax error" becomes "3: syntax error".
        std::string text(line.substr(callers.size()));
        for (const std::string_view noise : {" '' :", " "}) {
            for (size_t at; (at = text.find(":" + std::string(noise) + " ")) != text.npos;) {
                text.erase(at + 1, noise.size());
            }
        }
        errors.append(name).append(":").append(text).append("\n");
    }
    if (!errors.empty()) {
        return errors;
    }
    if (!after(log, "'before' : no matching overloaded function").empty() || !after(log, "cannot convert from").empty()) {
        return error(name, "there is no function 'bool before(Key a, Key b)'");
    }
    if (const std::string_view function = trimmed(after(log, "No function definition (body) found:")); !function.empty()) {
        return error(name, "'" + std::string(function.substr(0, function.find('('))) + "' : function without a body");
    }
    if (!after(log, "Recursion detected").empty()) {
        return error(name, "a function calls itself, which GLSL does not allow");
    }
    return error(name, "ends inside something, or closes too much: a '}', ';' or #endif is missing or one too many");
}

std::string explain_kernel(std::string_view log, std::string_view name) {
    std::string_view what = after(log, "Macro redefined; different substitutions: ");
    if (what.empty()) {
        what = after(log, "'");
    }
    const std::string word(what.substr(0, what.find_first_of("'\r\n ")));
    if (word.empty()) {
        return error(name, "a name or macro of it is in the way of the kernels: choose another");
    }
    return error(name, "the kernels have a '" + word + "' of their own: choose another name");
}

std::string explain_invalid(std::string_view name) {
    return error(name, "becomes SPIR-V that is not valid; is there an array of more than 65,532 elements in it?");
}

} // namespace vksort::compiler
