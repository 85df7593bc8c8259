// SPDX-License-Identifier: MIT
//
// vksort-soak: sorts whatever a seed draws and compares it with the reference, for as long as it is told to. docs/testing.md
// tells of it.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include "../harness/environment.h"
#include "draw.h"
#include "play.h"

namespace vksort::test {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBetweenLines = std::chrono::seconds(5);
constexpr auto kLongestShrink = std::chrono::seconds(60);
// Beyond this a driver is made to forget them.
constexpr size_t kMostPipelines = 1500;

struct Options {
    double seconds = 60;
    uint64_t seed = 0;
    uint64_t rounds = 0;
    std::optional<uint64_t> round;
    Shrink shrink;
    uint64_t max_count = 0;
    uint64_t kinds = 0;
    std::string device;
    bool validation = false;
    bool list = false;
    bool keep_going = false;
    std::string program;
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// What chooses a driver and the way it runs stands in front, so that the line does the same in any shell.
std::string repeat_command(const Options& options, uint64_t round, const Shrink& shrink) {
    std::string command;
    for (const char* name : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES", "LP_NATIVE_VECTOR_WIDTH", "LP_NUM_THREADS",
                             "MESA_SHADER_CACHE_DIR", "VKSORT_TEST_BOUNDS", "VKSORT_TEST_RACES"}) {
        if (*environment(name) != '\0') {
            command += std::string(name) + "=" + environment(name) + " ";
        }
    }
    command += options.program + " --seed " + std::to_string(options.seed) + " --round " + std::to_string(round);
    command += options.max_count != 0 ? " --max-count " + std::to_string(options.max_count) : "";
    command += options.kinds != 0 ? " --kinds " + std::to_string(options.kinds) : "";
    command += !options.device.empty() ? " --device '" + options.device + "'" : "";
    command += options.validation ? " --validation" : "";
    command += shrink.item ? " --item " + std::to_string(*shrink.item) : "";
    command += shrink.halvings != 0 ? " --halve " + std::to_string(shrink.halvings) : "";
    return command;
}

// Says every few seconds how far the soak is, also while a round takes long or does not end.
class Progress {
public:
    Progress() : thread_([this] { tell(); }) {}
    ~Progress() {
        {
            std::lock_guard lock(mutex_);
            done_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }
    void begin(uint64_t round, size_t kinds, size_t pipelines, size_t failures) {
        std::lock_guard lock(mutex_);
        round_ = round;
        began_ = Clock::now();
        text_ = std::to_string(kinds) + " kinds, " + std::to_string(pipelines) + " pipelines, " + std::to_string(failures) +
                " failures";
    }

private:
    void tell() {
        std::unique_lock lock(mutex_);
        while (!wake_.wait_for(lock, kBetweenLines, [this] { return done_; })) {
            std::printf("%5.0f s: %s; round %llu since %.1f s\n", seconds_since(start_), text_.c_str(),
                        static_cast<unsigned long long>(round_), seconds_since(began_));
            std::fflush(stdout);
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    bool done_ = false;
    uint64_t round_ = 0;
    Clock::time_point start_ = Clock::now();
    Clock::time_point began_ = start_;
    std::string text_;
    std::thread thread_;
};

// Each case alone, then half of the elements, as long as it fails.
Shrink shrink(Draw& draw, const Round& round, const Shrink& first) {
    const Clock::time_point start = Clock::now();
    const auto fails = [&](const Shrink& shrunk) {
        return Clock::now() - start < kLongestShrink && !play(draw.round(round.number, shrunk)).right();
    };
    Shrink least = first;
    const size_t cases = round.submissions.front().size();
    for (size_t i = 0; cases > 1 && i < cases && !least.item; ++i) {
        Shrink alone = least;
        alone.item = i;
        least = fails(alone) ? alone : least;
    }
    for (Shrink half = least; half.halvings < 32; least = half) {
        const std::string before = describe(draw.round(round.number, least));
        ++half.halvings;
        if (describe(draw.round(round.number, half)) == before || !fails(half)) {
            break;
        }
    }
    return least;
}

class Soak {
public:
    explicit Soak(const Options& options) : options_(options), draw_(options.seed, options.max_count, options.kinds) {}

    int run() {
        const Clock::time_point start = Clock::now();
        const uint64_t first = options_.round.value_or(0);
        const uint64_t rounds = options_.round ? 1 : options_.rounds;
        const bool timed = !options_.round && options_.rounds == 0;
        for (uint64_t number = first; timed ? seconds_since(start) < options_.seconds : number < first + rounds; ++number) {
            if (!one(number)) {
                return 1;
            }
        }
        if (!options_.list) {
            tell_summary(seconds_since(start));
        }
        return failures_ == 0 ? 0 : 1;
    }

private:
    // False: it failed, and that is the end.
    bool one(uint64_t number) {
        const Round round = draw_.round(number, options_.shrink);
        if (options_.list || options_.round) {
            std::printf("%s\n", describe(round).c_str());
        }
        if (options_.list) {
            return true;
        }
        std::fflush(stdout);
        kinds_.insert(draw_.kind_of(number));
        if (pipelines_made() > kMostPipelines) {
            forgotten_ += pipelines_made();
            destroy_contexts();
        }
        progress_.begin(number, kinds_.size(), forgotten_ + pipelines_made(), failures_);
        const Verdict verdict = play(round);
        ++rounds_;
        submissions_ += round.submissions.size();
        for (size_t i = 0; i < verdict.algorithms.size(); ++i) {
            const Case& drawn = round.submissions.front().at(i);
            const bool named = std::holds_alternative<SortCase>(drawn) || std::holds_alternative<SegmentedCase>(drawn);
            ++counts_[{operation_of(drawn), named ? vksortAlgorithmName(verdict.algorithms[i]) : ""}];
        }
        if (verdict.right()) {
            return true;
        }
        ++failures_;
        tell_failure(round, verdict);
        return options_.keep_going;
    }

    void tell_failure(const Round& round, const Verdict& verdict) {
        std::printf("\nFAILED: %s\n", describe(round).c_str());
        for (const std::string& failure : verdict.failures) {
            std::printf("  %s\n", failure.c_str());
        }
        std::printf("repeat: %s\n", repeat_command(options_, round.number, options_.shrink).c_str());
        std::fflush(stdout);
        const Shrink least = shrink(draw_, round, options_.shrink);
        if (least.item != options_.shrink.item || least.halvings != options_.shrink.halvings) {
            std::printf("still fails: %s\n", repeat_command(options_, round.number, least).c_str());
        }
        std::fflush(stdout);
    }

    void tell_summary(double seconds) const {
        std::printf("\n%-22s %-14s %s\n", "operation", "algorithm", "cases");
        for (const auto& [name, count] : counts_) {
            std::printf("%-22s %-14s %llu\n", name.first.c_str(), name.second.c_str(),
                        static_cast<unsigned long long>(count));
        }
        std::printf("%llu rounds, %llu submissions, %zu kinds of plans, %zu pipelines, %.0f s: %zu failures\n",
                    static_cast<unsigned long long>(rounds_), static_cast<unsigned long long>(submissions_), kinds_.size(),
                    forgotten_ + pipelines_made(), seconds, failures_);
    }

    const Options& options_;
    Draw draw_;
    std::set<uint64_t> kinds_;
    std::map<std::pair<std::string, std::string>, uint64_t> counts_;
    uint64_t rounds_ = 0;
    uint64_t submissions_ = 0;
    size_t failures_ = 0;
    size_t forgotten_ = 0; // pipelines of contexts that are gone
    Progress progress_;
};

int soak(const Options& options) {
    const VksortDeviceInfo& info = device().info();
    std::printf("vksort-soak --seed %llu on %s (%s), subgroups of %u to %u, validation %s\n",
                static_cast<unsigned long long>(options.seed), info.name, device().listing().driver.c_str(),
                info.minSubgroupSize, info.maxSubgroupSize, options.validation ? "on" : "off");
    std::fflush(stdout);
    int status = Soak(options).run();
    destroy_device();
    for (const std::string& message : take_messages()) {
        std::printf("FAILED: a message while the device was destroyed: %s\n", message.c_str());
        status = 1;
    }
    return status;
}

void add_options(CLI::App& app, Options& options) {
    app.add_option("--seconds", options.seconds, "how long")->capture_default_str();
    app.add_option("--seed", options.seed, "of all that is drawn; the clock's if it is not given");
    app.add_option("--rounds", options.rounds, "rounds, however long they take");
    app.add_option("--round", options.round, "this one only");
    app.add_option("--item", options.shrink.item, "of each round this case only");
    app.add_option("--halve", options.shrink.halvings, "times that all counts are halved")->check(CLI::Range(0, 63));
    app.add_option("--max-count", options.max_count, "elements at most; 0: by the device");
    app.add_option("--kinds", options.kinds, "kinds of plans in turn; 0: ever new ones");
    app.add_option("--device", options.device, "index or part of a name, as of vksort info");
    app.add_flag("--validation", options.validation, "with the validation layer, whose messages are failures");
    app.add_flag("--list", options.list, "describe the rounds without running them");
    app.add_flag("--keep-going", options.keep_going, "go on after a failure");
}

} // namespace

} // namespace vksort::test

int main(int argc, char** argv) {
    using namespace vksort::test;
    Options options;
    options.seed = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch() / std::chrono::milliseconds(1));
    options.program = argv[0];
    CLI::App app("Sorts whatever a seed draws, and compares every byte with the reference.", "vksort-soak");
    add_options(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    ::testing::InitGoogleTest(&argc, argv);
    use_no_kernels_of_other_widths();
    setenv("VKSORT_TEST_VALIDATION", options.validation ? "1" : "0", 1);
    if (!options.device.empty()) {
        setenv("VKSORT_TEST_DEVICE", options.device.c_str(), 1);
    }
    try {
        return soak(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "vksort-soak: %s\n", error.what());
        return 2;
    }
}
