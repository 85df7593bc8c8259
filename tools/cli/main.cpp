// SPDX-License-Identifier: MIT
//
// vksort: sorts files on any GPU with a Vulkan driver.
#include <new>
#include <sstream>
#include <system_error>

#include "commands.hpp"
#include "failure.hpp"
#include "file.hpp"
#include "output_files.hpp"
#include "vksort/vksort_host.hpp"

namespace {

int report(ExitStatus status, std::string line) {
    // One line, whatever a driver or a library put into its message.
    for (char& c : line) {
        c = c == '\n' || c == '\r' ? ' ' : c;
    }
    vksort::files::print_error(fmt::format("vksort: {}\n", line));
    return status;
}

// The command that was given, for messages about its words: " sort", or nothing.
std::string command_of(const CLI::App& app) {
    const std::vector<CLI::App*> commands = app.get_subcommands();
    return commands.empty() ? "" : " " + commands.front()->get_name();
}

int run(int argc, char** argv) {
    CLI::App app("Sorts and merges files of numbers on any GPU with a Vulkan driver.", "vksort");
    // On Windows an argument with a leading slash is a path as well, and no option.
    app.allow_windows_style_options(false);
    app.set_version_flag("--version",
                         fmt::format("vksort {}.{}.{}", VKSORT_VERSION_MAJOR, VKSORT_VERSION_MINOR, VKSORT_VERSION_PATCH));
    app.require_subcommand(1);
    app.footer("Exit status: 0 success, 1 a check failed, 2 bad usage, bad input or a file that cannot be read or\n"
               "written, 3 no device that can do it or a device failure.");
    add_info_command(app);
    add_generate_command(app);
    add_sort_command(app);
    add_merge_command(app);
    add_segsort_command(app);
    add_verify_command(app);
    add_plan_command(app);
    add_demo_command(app);
    try {
        app.parse(argc, argv);
        return kSuccess;
    } catch (const CLI::Success& help) { // --help, --version
        std::ostringstream text;
        const int status = app.exit(help, text, text);
        print_out(text.str());
        return status;
    } catch (const CLI::ParseError& error) {
        return report(kBadInput, fmt::format("{}; see vksort{} --help", error.what(), command_of(app)));
    }
}

} // namespace

int main(int argc, char** argv) {
    vksort::files::prepare_program();
    try {
        return run(argc, argv);
    } catch (const Failure& failure) {
        return report(failure.status, failure.what());
    } catch (const vksort::host::Error& error) {
        return report(error.kind == vksort::host::Error::Kind::usage ? kBadInput : kNoDevice, error.what());
    } catch (const std::bad_alloc&) {
        return report(kNoDevice, "not enough memory on this machine: sort a smaller file");
    } catch (const std::exception& error) {
        return report(kBadInput, error.what());
    }
}
