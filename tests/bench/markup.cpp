// SPDX-License-Identifier: MIT
#include "markup.h"

#include <cctype>
#include <regex>
#include <set>

std::string markup_error(const std::string& page) {
    const std::string doctype = "<!DOCTYPE html>\n";
    if (page.rfind(doctype, 0) != 0) {
        return "no doctype";
    }
    static const std::regex tag(R"(<(/?)([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z][-a-zA-Z0-9]*="[^"<]*")*)(/?)>)");
    static const std::regex attribute(R"re( ([-a-zA-Z0-9]+)="([^"]*)")re");
    static const std::regex entity("&(amp|lt|gt|quot|#39);");
    std::vector<std::string> open;
    std::set<std::string> ids;
    size_t at = doctype.size();
    while (at < page.size()) {
        if (page[at] == '<') {
            std::smatch found;
            if (!std::regex_search(page.begin() + static_cast<ptrdiff_t>(at), page.end(), found, tag,
                                   std::regex_constants::match_continuous)) {
                return "not a tag: " + page.substr(at, 80);
            }
            const std::string attributes = found[3];
            std::set<std::string> names;
            for (std::sregex_iterator i(attributes.begin(), attributes.end(), attribute), end; i != end; ++i) {
                if (!names.insert((*i)[1]).second) {
                    return "attribute twice: " + found.str();
                }
                if ((*i)[1] == "id" && !ids.insert((*i)[2]).second) {
                    return "id twice: " + found.str();
                }
            }
            if (found[1].length() != 0) {
                if (open.empty() || open.back() != found[2]) {
                    return "closes " + found.str() + " inside " + (open.empty() ? "nothing" : open.back());
                }
                open.pop_back();
            } else if (found[4].length() == 0) {
                open.push_back(found[2]);
            }
            at += static_cast<size_t>(found.length());
        } else if (page[at] == '&') {
            if (!std::regex_search(page.begin() + static_cast<ptrdiff_t>(at), page.end(), entity,
                                   std::regex_constants::match_continuous)) {
                return "bare &: " + page.substr(at, 80);
            }
            ++at;
        } else {
            const auto c = static_cast<unsigned char>(page[at]);
            if (c == '>' || (c < 0x20 && c != '\n' && c != '\t')) {
                return "a > or a control character: " + page.substr(at, 80);
            }
            if (open.empty() && std::isspace(c) == 0) {
                return "text outside of the page: " + page.substr(at, 80);
            }
            ++at;
        }
    }
    return open.empty() ? "" : open.back() + " is not closed";
}

// By hand: std::regex recurses once a character.
std::vector<std::string> texts_of(const std::string& page, const std::string& element) {
    std::vector<std::string> texts;
    const std::string opening = "<" + element;
    for (size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at + 1)) {
        const char after = page[at + opening.size()];
        const size_t begin = page.find('>', at) + 1;
        const size_t end = page.find('<', begin);
        if ((after == '>' || after == ' ') && page.compare(end, opening.size() + 2, "</" + element + ">") == 0) {
            texts.push_back(page.substr(begin, end - begin));
        }
    }
    return texts;
}
