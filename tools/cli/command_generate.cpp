// SPDX-License-Identifier: MIT
#include <memory>
#include <numeric>

#include "commands.hpp"
#include "failure.hpp"
#include "format.hpp"
#include "generate.hpp"
#include "key_text.hpp"
#include "key_type.hpp"
#include "output_files.hpp"

namespace {

struct GenerateOptions {
    std::string type;
    std::string count;
    std::string distribution = "uniform";
    std::string scene;
    uint64_t seed = 1;
    std::string output;
    std::string values_output;
    bool text = false;
};

void run_generate(const GenerateOptions& options) {
    const bool scene = !options.scene.empty();
    if (scene && options.scene != "draws") {
        fail(kBadInput, "unknown scene '{}': the only one is draws", options.scene);
    }
    if (scene && !options.type.empty() && options.type != "u64") {
        fail(kBadInput, "the keys of --scene draws are u64: leave out --type");
    }
    if (!scene && options.type.empty()) {
        fail(kBadInput, "give --type, or --scene draws");
    }
    const VksortKeyType type = scene ? VKSORT_KEY_U64 : parse_key_type(options.type);
    const Distribution distribution = parse_distribution(options.distribution);
    const uint64_t count = parse_count(options.count, "--count");
    if (count > UINT32_MAX) {
        fail(kBadInput, "--count {} is too large: vksort sorts fewer than 2^32 keys", options.count);
    }
    if (options.output == "-" && !options.text && vksort::files::is_terminal(stdout)) {
        fail(kBadInput, "binary data would go to the terminal: give a file, a pipe or --text");
    }
    vksort::files::OutputFiles outputs;
    vksort::files::OutputFile& output = outputs.add(options.output);
    vksort::files::OutputFile* const values_output =
        options.values_output.empty() ? nullptr : &outputs.add(options.values_output);

    const std::vector<std::byte> keys =
        scene ? generate_draw_keys(count, options.seed) : generate_keys(type, count, distribution, options.seed);
    options.text ? output.write(keys_to_text(keys, type)) : output.write(keys);
    if (values_output != nullptr) {
        std::vector<uint32_t> indices(count);
        std::iota(indices.begin(), indices.end(), 0);
        values_output->write(std::as_bytes(std::span(indices)));
    }
    outputs.commit();
}

} // namespace

void add_generate_command(CLI::App& app) {
    auto options = std::make_shared<GenerateOptions>();
    CLI::App* command = app.add_subcommand("generate", "Write keys to try sorts on, the same for the same seed everywhere");
    CLI::Option* type = command->add_option("--type", options->type, "Key type: u8 i8 u16 i16 f16 u32 i32 f32 u64 i64 f64");
    CLI::Option* distribution = command->add_option(
        "--distribution", options->distribution,
        "uniform (over every value; for floats, over every finite bit pattern), sorted, reversed, equal, few (16 keys), "
        "and2, and3 (the AND of 2 or 3 random numbers), nearly-sorted, normal, zipf");
    CLI::Option* scene =
        command->add_option("--scene", options->scene,
                            "In place of a type and a distribution. draws: u64 draw keys of pass, material, depth, mesh");
    type->type_name("T");
    distribution->type_name("D")->capture_default_str();
    scene->type_name("NAME")->excludes(distribution);
    command->add_option("--count", options->count, "Number of keys: 1000000 or 2^20")->type_name("N")->required();
    command->add_option("--seed", options->seed, "Another seed gives other keys")->type_name("S")->capture_default_str();
    command->add_option("-o,--output", options->output, "Where the keys go; - is standard output")
        ->type_name("FILE")
        ->required();
    command->add_option("--values-out", options->values_output, "Also write the u32 values 0, 1, 2, ... for sorts of pairs")
        ->type_name("FILE");
    command->add_flag("--text", options->text, "One number a line");
    command->callback([options] { run_generate(*options); });
}
