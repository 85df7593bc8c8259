// SPDX-License-Identifier: MIT
//
// Measures the cells of one kind of sort: its plans by capacity, made once, and the exact plan of each count.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capacity_table.h"
#include "vksort_job.h"

namespace vksort::bench {

class VrdxSorter;

struct CapacityMethod {
    uint32_t runs = 15;           // at least
    double warm_up_seconds = 0.3; // of copies, before the plans of a count are timed
    uint64_t warm_up_bytes = 128 << 20;
    uint32_t copies_in_front = 2; // of that size, within each submission

    // Clocks of a CPU do not wait for work as a GPU's do.
    static CapacityMethod of(bool cpu_device);
};

class CapacityBench {
public:
    // Those capacities that do not fit the device are told in their cells.
    CapacityBench(host::Device& device, const CapacityMethod& method, const Scenario& kind,
                  const std::vector<uint64_t>& capacities);
    ~CapacityBench();

    // Adds the cells of all plans that take this number of elements, once each.
    void measure(CapacityTable& table, uint64_t count, uint64_t seed);

private:
    struct Sorter;

    void add_sorters(const std::vector<uint64_t>& capacities);
    void add_sorter(CapacityContender contender, uint64_t capacity);
    std::unique_ptr<Sorter> make_sorter(CapacityContender contender, uint64_t capacity);
    void reserve(uint64_t count);
    void reserve_scratch(uint64_t bytes);
    std::string load(const Scenario& scenario, uint64_t seed, Input& input);
    void upload(const Input& input);
    CapacityCell checked_cell(const Sorter& sorter, const Input& input, const std::string& too_large);
    std::string check(const Sorter& sorter, const Input& input);
    std::vector<double> time(const Sorter& sorter, uint64_t count);
    void warm_up();
    void restore(VkCommandBuffer commands, uint64_t count);
    void record(VkCommandBuffer commands, const Sorter& sorter, uint64_t count);

    host::Device& device_;
    CapacityMethod method_;
    Scenario kind_;
    GpuClock clock_;
    std::vector<std::unique_ptr<Sorter>> sorters_;
    std::shared_ptr<const VrdxSorter> vrdx_; // of all capacities; none where it is not built or not asked for
    uint64_t reserved_ = 0;                  // elements that the buffers hold
    host::Buffer keys_in_, values_in_, keys_, values_, scratch_, count_, copied_from_, copied_to_;
    HostBytes result_keys_, result_values_;
};

} // namespace vksort::bench
