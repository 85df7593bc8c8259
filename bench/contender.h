// SPDX-License-Identifier: MIT
//
// Whoever sorts: one file each in contenders/.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "input.h"

namespace vksort::host {
class Device;
class Error;
} // namespace vksort::host

namespace vksort::bench {

// What does not fit the device.
class TooLarge : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct PassTime {
    std::string name;
    double us;
};

// A contender with a scenario's input at hand, ready to run any number of times.
class Job {
public:
    virtual ~Job() = default;
    // Restores the input where needed, then runs. Device time in microseconds, from the first command to the last; nothing
    // where there is no device or it has no timestamps.
    virtual std::optional<double> gpu_time() { return std::nullopt; }
    // Restores the input where needed, then runs. Microseconds on the host's clock, from recording or calling to knowing
    // that the result is there.
    virtual double wall_time() = 0;
    // The result of the last run.
    virtual void result(HostBytes& keys, HostBytes& values) = 0;
    // One more run, with the device time of every pass.
    virtual std::vector<PassTime> passes() { return {}; }
    // Bytes that the algorithm reads and writes in its own model, for what the last run did.
    virtual std::optional<uint64_t> model_bytes() { return std::nullopt; }
    virtual std::optional<uint64_t> scratch_bytes() { return std::nullopt; }
    virtual std::string note() const { return ""; } // "onesweep", where auto chose it
};

class Contender {
public:
    virtual ~Contender() = default;
    virtual std::string name() const = 0;
    virtual bool is_host() const { return false; } // runs on the CPU
    // Why it cannot do a scenario, or nothing.
    virtual std::string refusal(const Scenario& scenario) const = 0;
    // Throws TooLarge; anything else it throws is an error of the device.
    virtual std::unique_ptr<Job> prepare(const Input& input) = 0;
    virtual std::string verify(const Input& input, std::span<const std::byte> keys, std::span<const std::byte> values) const;
};

// Throw TooLarge where the device, or this machine, has no memory of such a size.
void check_device_memory(host::Device& device, uint64_t bytes);
void check_host_memory(uint64_t bytes);
// As TooLarge where that is what the error tells of.
[[noreturn]] void rethrow(const host::Error& error);

using Contenders = std::vector<std::unique_ptr<Contender>>;
void add_vksort(host::Device& device, Contenders& contenders);
void add_copy(host::Device& device, Contenders& contenders);
void add_std_sort(Contenders& contenders);
#ifdef VKSORT_BENCH_HAS_VRDX
void add_vrdx(host::Device& device, Contenders& contenders);
#endif
#ifdef VKSORT_BENCH_HAS_CUDA
void add_cub(host::Device& device, Contenders& contenders); // none where no CUDA device is this device
#endif

// Bytes a second, read and written, of a large copy by a compute shader; nothing without timestamps.
std::optional<double> measure_roofline(host::Device& device);

} // namespace vksort::bench
