// SPDX-License-Identifier: MIT
//
// Sorts a table by columns that are chosen when the program runs. The program writes a comparator for them, and compiles it
// by vksort::compiler.
//
//     comparator_at_run_time [columns [index of the device, or a part of its name]]
//
// Columns are separated by commas. A minus sign puts the largest value first: layer,-depth
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <vksort/vksort_compiler.hpp>
#include <vksort/vksort_host.hpp>

// A row of the table. The whole row is the key, of four words, so no value has to move with it.
struct Row {
    uint32_t layer;
    int32_t priority;
    float depth; // never NaN: with NaN, `<` is not a strict weak order
    uint32_t draw;
};

// Functions by which the comparator reads the columns of a row.
static constexpr const char* kColumns = "uint layer(Key row) { return row.words[0]; }\n"
                                        "int priority(Key row) { return int(row.words[1]); }\n"
                                        "float depth(Key row) { return uintBitsToFloat(row.words[2]); }\n";

// Returns the value of a column, for the check on the CPU.
static double value_of(const Row& row, const std::string& column) {
    return column == "layer" ? double(row.layer) : column == "priority" ? double(row.priority) : double(row.depth);
}

struct Column {
    std::string name;
    bool descending;
};

static std::vector<Column> parse(const std::string& text) {
    std::vector<Column> columns;
    std::istringstream stream(text);
    for (std::string name; std::getline(stream, name, ',');) {
        const bool descending = name.starts_with('-');
        columns.push_back({descending ? name.substr(1) : name, descending});
    }
    return columns;
}

static std::string comparator_text(std::span<const Column> columns) {
    std::string text = kColumns;
    text += "bool before(Key a, Key b) {\n";
    for (const auto& [name, descending] : columns) {
        const std::string of_a = name + "(a)";
        const std::string of_b = name + "(b)";
        text += "    if (" + of_a + " != " + of_b + ") { return " + of_a + (descending ? " > " : " < ") + of_b + "; }\n";
    }
    return text + "    return false;\n}\n";
}

int main(int argc, char** argv) try {
    const std::vector<Column> columns = parse(argc > 1 ? argv[1] : "layer,-depth");
    const std::string text = comparator_text(columns);
    std::printf("%s", text.c_str());

    // Compiling needs no device. An unknown column is an error in the text, and the compiler's message names it.
    constexpr uint32_t kKeyWords = sizeof(Row) / sizeof(uint32_t);
    char message[1000];
    vksort::CompiledComparator compiled;
    if (compiled.compile(text, kKeyWords, "columns", message, sizeof message) != VK_SUCCESS) {
        std::fprintf(stderr, "comparator_at_run_time: %s\n", message);
        return 1;
    }

    vksort::host::DeviceOptions options;
    options.selector = argc > 2 ? argv[2] : "";
    vksort::host::Device device(options);
    const VksortComparatorInfo info = compiled.info();
    VksortComparator handle = VK_NULL_HANDLE;
    if (vksortCreateComparator(device.context(), &info, &handle) != VK_SUCCESS) {
        std::fprintf(stderr, "comparator_at_run_time: %s\n", device.last_message().c_str());
        return 1;
    }
    const vksort::Comparator comparator(handle); // destroys the comparator before the device and its context

    std::mt19937 random(1);
    std::vector<Row> rows(10'000);
    for (uint32_t draw = 0; Row & row : rows) {
        row = {uint32_t(random() % 4), int32_t(random() % 5) - 2, float(random() % 1000) / 8 - 10, draw++};
    }
    std::vector<Row> expected = rows;
    std::stable_sort(expected.begin(), expected.end(), [&](const Row& a, const Row& b) {
        for (const auto& [name, descending] : columns) {
            const double of_a = value_of(a, name);
            const double of_b = value_of(b, name);
            if (of_a != of_b) {
                return descending ? of_a > of_b : of_a < of_b;
            }
        }
        return false;
    });

    vksort::host::SortRequest request;
    request.desc.keyType = VKSORT_KEY_COMPARATOR;
    request.desc.comparator = comparator.get();
    request.key_words = kKeyWords;
    request.keys = std::as_bytes(std::span(rows));
    const vksort::host::SortOutcome outcome = vksort::host::sort(device, request);
    std::memcpy(rows.data(), outcome.keys.data(), outcome.keys.size());

    std::printf("layer priority   depth  draw\n");
    for (size_t i = 0; i < rows.size(); i += rows.size() / 10) {
        std::printf("%5u %8d %7.3f %5u\n", rows[i].layer, rows[i].priority, rows[i].depth, rows[i].draw);
    }
    // Rows that are equal in these columns keep their input order, so `draw` must be the same as well.
    if (std::memcmp(rows.data(), expected.data(), rows.size() * sizeof(Row)) != 0) {
        std::fprintf(stderr, "comparator_at_run_time: the result differs from that of std::stable_sort\n");
        return 1;
    }
    std::printf("%s sorted %zu rows by %s: verified\n", device.listing().name.c_str(), rows.size(),
                vksortAlgorithmName(outcome.plan.algorithm));
    return 0;
} catch (const vksort::host::Error& error) {
    std::fprintf(stderr, "comparator_at_run_time: %s\n", error.what());
    return 1;
}
