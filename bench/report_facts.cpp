// SPDX-License-Identifier: MIT
#include "report_facts.h"

#include <nlohmann/json.hpp>

#include "report_text.h"

namespace vksort::bench::report {

namespace {

using nlohmann::json;

std::string words(std::string name) {
    for (char& c : name) {
        c = c == '_' ? ' ' : c;
    }
    return name;
}

std::string value_text(const json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? "yes" : "no";
    }
    if (value.is_array()) {
        std::string text;
        for (const json& one : value) {
            text += (text.empty() ? "" : ", ") + value_text(one);
        }
        return text;
    }
    return value.is_null() ? "-" : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Objects inside objects become "outer inner".
void add_facts(Facts& facts, const std::string& prefix, const json& object) {
    for (const auto& [name, value] : object.items()) {
        const std::string title = prefix.empty() ? words(name) : prefix + " " + words(name);
        if (value.is_object()) {
            add_facts(facts, title, value);
        } else {
            facts.emplace_back(title, value_text(value));
        }
    }
}

std::string member_text(const json& object, const char* name) {
    const bool present = object.is_object() && object.contains(name) && !object[name].is_null();
    return present ? value_text(object[name]) : "";
}

std::string joined(std::initializer_list<std::string> parts, const char* between) {
    std::string text;
    for (const std::string& part : parts) {
        text += part.empty() ? "" : (text.empty() ? "" : between) + part;
    }
    return text;
}

json object_of(const json& about, const char* name) {
    const json found = about.value(name, json::object());
    return found.is_object() ? found : json::object();
}

} // namespace

std::string device_text(const json& about) { return member_text(object_of(about, "device"), "name"); }

std::string driver_text(const json& about) {
    const json device = object_of(about, "device");
    return joined({member_text(device, "driver"), member_text(device, "driver_version")}, " ");
}

Facts main_facts(const json& about) {
    const json program = object_of(about, "program");
    Facts facts;
    const auto add = [&](const char* name, const std::string& text) {
        facts.emplace_back(name, text.empty() ? "not given" : text);
    };
    add("device", joined({device_text(about), member_text(object_of(about, "device"), "type")}, ", "));
    add("driver", driver_text(about));
    add("date", member_text(about, "date"));
    add("vksort", member_text(program, "version"));
    add("commit", member_text(program, "commit"));
    add("build",
        joined({member_text(program, "build_type"), member_text(program, "compiler"), member_text(program, "flags")}, ", "));
    add("command", member_text(about, "command"));
    add("preset", member_text(about, "preset"));
    add("seed", member_text(about, "seed"));
    const json roofline = about.value("roofline_bytes_per_second", json());
    if (roofline.is_number()) {
        add("roofline", number_text(roofline.get<double>() / 1e9) + " GB/s");
    }
    return facts;
}

Facts method_facts(const json& about) {
    Facts facts;
    add_facts(facts, "", object_of(about, "method"));
    return facts;
}

Facts other_device_facts(const json& about) {
    const json device = object_of(about, "device");
    Facts facts;
    for (const auto& [name, value] : device.items()) {
        if (name != "name" && name != "type" && name != "driver" && name != "driver_version") {
            add_facts(facts, "", {{name, value}});
        }
    }
    return facts;
}

} // namespace vksort::bench::report
