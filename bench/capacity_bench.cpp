// SPDX-License-Identifier: MIT
#include "capacity_bench.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "verify.h"
#ifdef VKSORT_BENCH_HAS_VRDX
#include "contenders/vrdx.h"
#endif

namespace vksort::bench {

using host::Buffer;

namespace {

constexpr uint32_t kRunsPerSubmission = 5;
constexpr uint32_t kGuard = 0xDEADBEEF;      // stands behind the elements that a sort may touch
constexpr uint64_t kGuardElements = 1 << 12; // of them that are looked at

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Whether what follows the elements is still the guard.
bool is_untouched(const Buffer& buffer, uint64_t begin, uint64_t bytes) {
    const uint64_t end = std::min(buffer.size(), begin + bytes) / 4 * 4;
    begin = (begin + 3) / 4 * 4;
    if (begin >= end) {
        return true;
    }
    std::vector<uint32_t> words((end - begin) / 4);
    buffer.download(std::as_writable_bytes(std::span(words)), begin);
    return std::all_of(words.begin(), words.end(), [](uint32_t word) { return word == kGuard; });
}

} // namespace

CapacityMethod CapacityMethod::of(bool cpu_device) {
    CapacityMethod method;
    if (cpu_device) {
        method.warm_up_seconds = 0;
        method.copies_in_front = 0;
        method.warm_up_bytes = 16;
    }
    return method;
}

// A plan, or VRDX at a capacity. Without a time to come, the reason says why.
struct CapacityBench::Sorter {
    CapacityContender contender = CapacityContender::exact;
    uint64_t capacity = 0;
    uint64_t scratch_bytes = 0;
    std::string reason;
    std::unique_ptr<MadePlan> plan;
};

CapacityBench::CapacityBench(host::Device& device, const CapacityMethod& method, const Scenario& kind,
                             const std::vector<uint64_t>& capacities)
    : device_(device), method_(method), kind_(kind), clock_(device) {
    if (!clock_.works()) {
        throw std::invalid_argument("the queue of this device has no timestamps, by which these sorts are timed");
    }
    count_ = make_buffer(device, 16);
    copied_from_ = make_buffer(device, method_.warm_up_bytes);
    copied_to_ = make_buffer(device, method_.warm_up_bytes);
    add_sorters(capacities);
}

CapacityBench::~CapacityBench() = default;

void CapacityBench::add_sorters(const std::vector<uint64_t>& capacities) {
    for (const uint64_t capacity : capacities) {
        add_sorter(CapacityContender::vksort, capacity);
    }
#ifdef VKSORT_BENCH_HAS_VRDX
    if (VrdxSorter::refusal(device_, kind_).empty()) { // else it has no row: the reason would be the same in each
        for (const uint64_t capacity : capacities) {
            add_sorter(CapacityContender::vrdx, capacity);
        }
    }
#endif
}

// What the device has no room for stays in the table, with its reason.
void CapacityBench::add_sorter(CapacityContender contender, uint64_t capacity) {
    auto sorter = std::make_unique<Sorter>();
    try {
        sorter = make_sorter(contender, capacity);
        reserve(capacity);
        reserve_scratch(sorter->scratch_bytes);
    } catch (const TooLarge& error) {
        sorter = std::make_unique<Sorter>();
        sorter->reason = error.what();
    }
    sorter->contender = contender;
    sorter->capacity = capacity;
    sorters_.push_back(std::move(sorter));
}

std::unique_ptr<CapacityBench::Sorter> CapacityBench::make_sorter(CapacityContender contender, uint64_t capacity) {
    auto sorter = std::make_unique<Sorter>();
    sorter->contender = contender;
    sorter->capacity = capacity;
#ifdef VKSORT_BENCH_HAS_VRDX
    if (contender == CapacityContender::vrdx) {
        Scenario largest = kind_;
        largest.count = capacity;
        const std::string refusal = VrdxSorter::refusal(device_, largest);
        if (!refusal.empty()) {
            throw TooLarge(refusal);
        }
        VrdxSorter::data_bytes(device_, capacity);
        vrdx_ = vrdx_ ? vrdx_ : std::make_shared<VrdxSorter>(device_);
        sorter->scratch_bytes = vrdx_->storage_bytes(capacity, kind_.value_bytes != 0);
        return sorter;
    }
#endif
    VksortPlanDesc desc = describe(kind_, VKSORT_ALGORITHM_AUTO, 0);
    desc.maxCount = capacity;
    desc.flags |= contender == CapacityContender::vksort ? VkFlags{VKSORT_PLAN_COUNT_FROM_BUFFER_BIT} : 0;
    sorter->plan = std::make_unique<MadePlan>(device_, desc);
    sorter->scratch_bytes = sorter->plan->info.scratchSize;
    return sorter;
}

// The buffers of all plans are the same ones, so that a plan is no slower for where its data lie.
void CapacityBench::reserve(uint64_t count) {
    if (count <= reserved_ && reserved_ != 0) {
        return;
    }
    // VRDX binds ranges that end at an alignment, of 256 bytes at most.
    const uint64_t key_bytes = count * kind_.key_bytes() + 256;
    const uint64_t value_bytes = kind_.value_bytes == 0 ? 0 : count * kind_.value_bytes + 256;
    check_device_memory(device_, 2 * (key_bytes + value_bytes) + scratch_.size() + 2 * method_.warm_up_bytes);
    try {
        Buffer* const all[] = {&keys_in_, &keys_, &values_in_, &values_};
        for (Buffer* buffer : all) {
            *buffer = Buffer(); // before the larger one is made
            *buffer = make_buffer(device_, buffer == &keys_in_ || buffer == &keys_ ? key_bytes : value_bytes);
        }
        reserved_ = count;
    } catch (const host::Error& error) {
        const uint64_t before = std::exchange(reserved_, 0);
        if (before < count && before != 0) {
            reserve(before); // what did fit must be there again
        }
        rethrow(error);
    }
}

void CapacityBench::reserve_scratch(uint64_t bytes) {
    if (bytes <= scratch_.size() && scratch_.size() != 0) {
        return;
    }
    const uint64_t before = scratch_.size();
    const uint64_t data = keys_in_.size() + keys_.size() + values_in_.size() + values_.size();
    check_device_memory(device_, data + bytes + 2 * method_.warm_up_bytes);
    try {
        scratch_ = Buffer();
        scratch_ = make_buffer(device_, bytes);
    } catch (const host::Error& error) {
        scratch_ = make_buffer(device_, before);
        rethrow(error);
    }
}

void CapacityBench::measure(CapacityTable& table, uint64_t count, uint64_t seed) {
    const size_t by_capacity = sorters_.size();
    add_sorter(CapacityContender::exact, count);
    std::vector<const Sorter*> sorters = {sorters_.back().get()};
    for (size_t i = 0; i < by_capacity; ++i) {
        if (count <= sorters_[i]->capacity) {
            sorters.push_back(sorters_[i].get());
        }
    }
    Input input;
    Scenario scenario = kind_;
    scenario.count = count;
    scenario.distribution = table.scenario.distribution;
    const std::string too_large = load(scenario, seed, input);

    // All results are checked before the first is timed: the GPU idles meanwhile, and its clocks fall.
    std::vector<CapacityCell> cells;
    for (const Sorter* sorter : sorters) {
        cells.push_back(checked_cell(*sorter, input, too_large.empty() ? sorter->reason : too_large));
        cells.back().count = count;
    }
    warm_up();
    for (size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].status == Status::ok) {
            const std::vector<double> times = time(*sorters[i], count);
            cells[i].runs = static_cast<uint32_t>(times.size());
            cells[i].gpu = summarize(times);
        }
    }
    table.cells.insert(table.cells.end(), cells.begin(), cells.end());
    sorters_.resize(by_capacity); // the exact plan is of this count alone
}

// Why the input does not fit, or nothing.
std::string CapacityBench::load(const Scenario& scenario, uint64_t seed, Input& input) {
    try {
        check_host_memory(2 * scenario.bytes() + verify_bytes(scenario));
        reserve(scenario.count);
        generate(scenario, seed, input);
        upload(input);
    } catch (const TooLarge& error) {
        return error.what();
    } catch (const std::bad_alloc&) {
        return "no host memory left";
    }
    return "";
}

CapacityCell CapacityBench::checked_cell(const Sorter& sorter, const Input& input, const std::string& too_large) {
    CapacityCell cell;
    cell.contender = sorter.contender;
    cell.capacity = sorter.capacity;
    cell.algorithm = sorter.plan ? vksortAlgorithmName(sorter.plan->info.algorithm) : "";
    cell.message = too_large;
    if (!too_large.empty()) {
        cell.status = Status::too_large;
        return cell;
    }
    cell.message = check(sorter, input);
    cell.status = cell.message.empty() ? Status::ok : Status::wrong;
    return cell;
}

void CapacityBench::upload(const Input& input) {
    const auto word = static_cast<uint32_t>(input.scenario.count);
    count_.upload(std::as_bytes(std::span(&word, 1)));
    if (word != 0) {
        keys_in_.upload(input.keys.span());
    }
    if (input.values.size() != 0) {
        values_in_.upload(input.values.span());
    }
}

std::string CapacityBench::check(const Sorter& sorter, const Input& input) {
    const uint64_t count = input.scenario.count;
    keys_.fill(kGuard);
    values_.fill(kGuard);
    scratch_.fill(0xCDCDCDCD); // what another plan left there must not help this one
    device_.run([&](VkCommandBuffer commands) {
        restore(commands, count);
        record_barrier(device_, commands);
        record(commands, sorter, count);
    });
    result_keys_.resize(input.keys.size());
    result_values_.resize(input.values.size());
    if (count != 0) {
        keys_.download(result_keys_.span());
    }
    if (result_values_.size() != 0) {
        values_.download(result_values_.span());
    }
    const std::string text = verify(input, result_keys_.span(), result_values_.span(), true);
    if (!text.empty()) {
        return text;
    }
    const bool keys_kept = is_untouched(keys_, input.keys.size(), kGuardElements * kind_.key_bytes());
    const bool values_kept = is_untouched(values_, input.values.size(), kGuardElements * kind_.value_bytes);
    return keys_kept && values_kept ? "" : "it writes behind the elements that it sorts";
}

void CapacityBench::warm_up() {
    const double begin = seconds();
    while (seconds() - begin < method_.warm_up_seconds) {
        device_.run([&](VkCommandBuffer commands) {
            for (uint32_t copy = 0; copy < 16; ++copy) {
                record_copy(device_, commands, copied_from_, copied_to_, method_.warm_up_bytes);
            }
        });
    }
}

// Several runs in one command buffer, behind copies that hold the clocks up until they begin.
std::vector<double> CapacityBench::time(const Sorter& sorter, uint64_t count) {
    std::vector<double> times;
    const uint32_t submissions = (method_.runs + kRunsPerSubmission - 1) / kRunsPerSubmission;
    for (uint32_t submission = 0; submission < submissions; ++submission) {
        device_.run([&](VkCommandBuffer commands) {
            for (uint32_t copy = 0; copy < method_.copies_in_front; ++copy) {
                record_copy(device_, commands, copied_from_, copied_to_, method_.warm_up_bytes);
            }
            record_barrier(device_, commands);
            clock_.start(commands);
            for (uint32_t run = 0; run < kRunsPerSubmission; ++run) {
                restore(commands, count);
                record_barrier(device_, commands);
                clock_.stamp(commands, "restore");
                record(commands, sorter, count);
                clock_.stamp(commands, "sort");
                record_barrier(device_, commands);
            }
        });
        for (const PassTime& pass : clock_.read()) {
            if (pass.name == "sort") {
                times.push_back(pass.us);
            }
        }
    }
    return times;
}

void CapacityBench::restore(VkCommandBuffer commands, uint64_t count) {
    record_copy(device_, commands, keys_in_, keys_, count * kind_.key_bytes());
    record_copy(device_, commands, values_in_, values_, count * kind_.value_bytes);
}

void CapacityBench::record(VkCommandBuffer commands, const Sorter& sorter, uint64_t count) {
#ifdef VKSORT_BENCH_HAS_VRDX
    if (sorter.contender == CapacityContender::vrdx) {
        const VkBuffer values = kind_.value_bytes != 0 ? values_.handle() : VK_NULL_HANDLE;
        vrdx_->record_indirect(commands, {keys_.handle(), values, scratch_.handle()}, count_.handle(), sorter.capacity);
        return;
    }
#endif
    VksortSortBuffers buffers = {};
    buffers.keys.buffer = keys_.handle();
    buffers.values.buffer = values_.handle();
    buffers.scratch.buffer = scratch_.handle();
    buffers.countBuffer.buffer = count_.handle();
    buffers.count = count;
    buffers.descriptorPool = device_.descriptor_pool(sorter.plan->info);
    vksortCmdSort(commands, sorter.plan->handle(), &buffers);
}

} // namespace vksort::bench
