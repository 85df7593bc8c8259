// SPDX-License-Identifier: MIT
#include "program.h"

#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "output_files.hpp"
#include "vksort/vksort_host.hpp"

namespace vksort::bench {

namespace {

int report(const CLI::App& app, int status, const std::string& message) {
    files::print_error(fmt::format("{}: {}\n", app.get_name(), message));
    return status;
}

int parse_and_run(CLI::App& app, int argc, char** argv, const std::function<int()>& run) {
    try {
        app.parse(argc, argv);
        return run();
    } catch (const CLI::Success& help) {
        std::ostringstream text;
        const int status = app.exit(help, text, text);
        files::print_output(text.str());
        return status;
    } catch (const CLI::ParseError& error) {
        return report(app, kBadUsage, fmt::format("{}; see {} --help", error.what(), app.get_name()));
    } catch (const host::Error& error) {
        return report(app, error.kind == host::Error::Kind::usage ? kBadUsage : kNoDevice, error.what());
    } catch (const files::FileError& error) {
        return report(app, kBadUsage, error.what());
    } catch (const std::invalid_argument& error) {
        return report(app, kBadUsage, error.what());
    } catch (const std::exception& error) {
        return report(app, kNoDevice, error.what());
    }
}

} // namespace

std::string quoted(const std::string& word) {
#ifdef _WIN32
    return '"' + word + '"';
#else
    std::string text = "'";
    for (const char letter : word) {
        text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return text + "'";
#endif
}

int run_program(CLI::App& app, int argc, char** argv, const std::function<int()>& run) {
    files::prepare_program();
    const int status = parse_and_run(app, argc, argv, run);
    try {
        files::check_output();
    } catch (const files::FileError& error) {
        report(app, kBadUsage, error.what());
        return status != kSuccess ? status : kBadUsage;
    }
    return status;
}

} // namespace vksort::bench
