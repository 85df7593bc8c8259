// SPDX-License-Identifier: MIT
#include "program.h"

#include <cstdio>
#include <stdexcept>

#include <fmt/format.h>

#include "vksort/vksort_host.hpp"

namespace vksort::bench {

int run_program(CLI::App& app, int argc, char** argv, const std::function<int()>& run) {
    const std::string& name = app.get_name();
    try {
        app.parse(argc, argv);
        return run();
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "{}: {}; see {} --help\n", name, error.what(), name);
        return kBadUsage;
    } catch (const host::Error& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return error.kind == host::Error::Kind::usage ? kBadUsage : kNoDevice;
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return kBadUsage;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return kNoDevice;
    }
}

} // namespace vksort::bench
