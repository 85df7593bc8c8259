// SPDX-License-Identifier: MIT
//
// Exported plans, executed by an application's own loop (export_loop.c), which calls nothing of the library.
#include <array>
#include <cstring>
#include <memory>
#include <optional>

#include "../gpu/common.h"
#include "../harness/gpu_validation.h"
#include "../harness/manual.h"
#include "export.h"
#include "export_loop.h"

namespace vksort::test {
namespace {

template <typename Function> void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(device().function(name));
}

struct LayoutFunctions {
    PFN_vkCreateDescriptorSetLayout create_set_layout;
    PFN_vkDestroyDescriptorSetLayout destroy_set_layout;
    PFN_vkCreatePipelineLayout create_pipeline_layout;
    PFN_vkDestroyPipelineLayout destroy_pipeline_layout;
    PFN_vkDestroyPipeline destroy_pipeline;
    PFN_vkAllocateDescriptorSets allocate_sets;
    LayoutFunctions() {
        load(create_set_layout, "vkCreateDescriptorSetLayout");
        load(destroy_set_layout, "vkDestroyDescriptorSetLayout");
        load(create_pipeline_layout, "vkCreatePipelineLayout");
        load(destroy_pipeline_layout, "vkDestroyPipelineLayout");
        load(destroy_pipeline, "vkDestroyPipeline");
        load(allocate_sets, "vkAllocateDescriptorSets");
    }
};

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice, const char* name) { return device().function(name); }

void require(bool holds, const std::string& what) {
    if (!holds) {
        throw std::runtime_error(what);
    }
}

// VksortExportArguments, of which cases name what they need.
struct Given {
    uint64_t count = 0;
    uint64_t countB = 0;
    uint64_t segmentCount = 0;
    uint64_t recordCount = 0;
    uint32_t countOffset = 0;
    uint32_t commandsOffset = 0;
};

// What an application makes of an exported plan: pipelines, descriptor sets and buffers. All ranges begin inside their
// buffers and end with them.
class Application {
public:
    // Buffers are as large as these arguments need; without any, as the maxima do.
    Application(const VksortPlanDesc& desc, PlanOverrides overrides, const std::optional<Given>& given = std::nullopt) {
        overrides.fewPipelines |= tests_few_pairs();
        overrides.separatesPasses = takes_bindings_for_accesses();
        Message message;
        require(export_plan(context().info(), desc, overrides, nullptr, plan_, message) == VK_SUCCESS, message.text);
        if (given) {
            set(*given);
        }
        load_functions(device_function, device().device());
        make_layouts();
        for (uint32_t i = 0; i < plan_->pipelineCount; ++i) {
            pipelines_.push_back(VK_NULL_HANDLE);
            require(create_pipeline(device().device(), layout_, &plan_->pPipelines[i], &pipelines_.back()) == VK_SUCCESS,
                    plan_->pPipelines[i].kernel);
        }
        make_sets();
        for (uint32_t i = 0; i < VKSORT_EXPORT_BUFFERS; ++i) {
            const VksortExportedBuffer& wanted = plan_->buffers[i];
            if (wanted.size != 0) {
                const bool scratch = i == VKSORT_EXPORT_BUFFER_SCRATCH;
                buffers_[i] = std::make_unique<MappedBuffer>(wanted.alignment + wanted.size,
                                                             scratch ? plan_->info.scratchUsage : plan_->info.bufferUsage);
                ranges_[i] = {buffers_[i]->handle(), wanted.alignment};
            }
        }
    }

    ~Application() {
        VkDevice owner = device().device();
        vk().destroy_descriptor_pool(owner, pool_, nullptr);
        for (VkPipeline pipeline : pipelines_) {
            functions_.destroy_pipeline(owner, pipeline, nullptr);
        }
        functions_.destroy_pipeline_layout(owner, layout_, nullptr);
        functions_.destroy_set_layout(owner, set_layout_, nullptr);
        vksortFreeExportedPlan(plan_);
    }

    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    const VksortExportedPlan& plan() const { return *plan_; }

    void set(const Given& given) {
        const VksortExportArguments arguments = {given.count,       given.countB,      given.segmentCount,
                                                 given.recordCount, given.countOffset, given.commandsOffset};
        require(vksortSetExportArguments(plan_, &arguments) == VK_SUCCESS, "the arguments were refused");
    }

    std::span<std::byte> range(VksortExportBuffer buffer) const {
        return buffers_[buffer]->bytes().subspan(ranges_[buffer].offset);
    }

    void write(VksortExportBuffer buffer, ByteSpan content, size_t at = 0) const {
        if (!content.empty()) {
            std::memcpy(range(buffer).subspan(at).data(), content.data(), content.size());
        }
    }

    template <typename Number>
    void write_numbers(VksortExportBuffer buffer, std::initializer_list<Number> numbers, size_t at) {
        write(buffer, std::as_bytes(std::span(numbers.begin(), numbers.size())), at);
    }

    void expect(VksortExportBuffer buffer, const Bytes& expected, const std::string& what) const {
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), range(buffer).begin())) << what;
    }

    void run() const {
        for (uint32_t i = 0; i < plan_->setCount; ++i) {
            write_set(device().device(), &plan_->pSets[i], ranges_.data(), sets_[i]);
        }
        Recording recording;
        recording.record([this](VkCommandBuffer commands) {
            host_to_plan(commands, plan_->info);
            execute(commands, plan_, ranges_.data(), layout_, pipelines_.data(), sets_.data());
            plan_to_host(commands, plan_->info);
        });
        Recording::run({&recording});
    }

private:
    void make_layouts() {
        std::array<VkDescriptorSetLayoutBinding, VKSORT_EXPORT_BINDINGS> bindings = {};
        for (uint32_t i = 0; i < VKSORT_EXPORT_BINDINGS; ++i) {
            bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
        }
        VkDescriptorSetLayoutCreateInfo set = {};
        set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
        set.bindingCount = VKSORT_EXPORT_BINDINGS;
        set.pBindings = bindings.data();
        VkDevice owner = device().device();
        require(functions_.create_set_layout(owner, &set, nullptr, &set_layout_) == VK_SUCCESS, "set layout");
        const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, VKSORT_EXPORT_PUSH_BYTES};
        VkPipelineLayoutCreateInfo layout = {};
        layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
        layout.setLayoutCount = 1;
        layout.pSetLayouts = &set_layout_;
        layout.pushConstantRangeCount = 1;
        layout.pPushConstantRanges = &push;
        require(functions_.create_pipeline_layout(owner, &layout, nullptr, &layout_) == VK_SUCCESS, "pipeline layout");
    }

    void make_sets() {
        const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, plan_->setCount * VKSORT_EXPORT_BINDINGS};
        VkDescriptorPoolCreateInfo pool = {};
        pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
        pool.maxSets = plan_->setCount;
        pool.poolSizeCount = 1;
        pool.pPoolSizes = &size;
        VkDevice owner = device().device();
        require(vk().create_descriptor_pool(owner, &pool, nullptr, &pool_) == VK_SUCCESS, "descriptor pool");
        const std::vector<VkDescriptorSetLayout> layouts(plan_->setCount, set_layout_);
        sets_.resize(plan_->setCount);
        VkDescriptorSetAllocateInfo sets = {};
        sets.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
        sets.descriptorPool = pool_;
        sets.descriptorSetCount = plan_->setCount;
        sets.pSetLayouts = layouts.data();
        require(functions_.allocate_sets(owner, &sets, sets_.data()) == VK_SUCCESS, "descriptor sets");
    }

    LayoutFunctions functions_;
    VksortExportedPlan* plan_ = nullptr;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    std::vector<VkPipeline> pipelines_;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    std::vector<VkDescriptorSet> sets_;
    std::array<std::unique_ptr<MappedBuffer>, VKSORT_EXPORT_BUFFERS> buffers_;
    std::array<VksortBuffer, VKSORT_EXPORT_BUFFERS> ranges_ = {};
};

class Export : public DeviceTest {};

Bytes indices_of(const std::vector<uint32_t>& indices) {
    const auto bytes = std::as_bytes(std::span(indices));
    return {bytes.begin(), bytes.end()};
}

// Sorts so many elements, and compares.
void sort_and_compare(Application& application, const SortCase& sort, uint64_t count, uint64_t seed) {
    const uint32_t size = reference::key_size(sort.key);
    const Bytes keys = generate_keys(sort.key, count, sort.distribution, seed);
    const Bytes values = sort.argsort ? Bytes() : generate_values(count, sort.value_size);
    application.write(VKSORT_EXPORT_BUFFER_KEYS, keys);
    application.write(VKSORT_EXPORT_BUFFER_VALUES, values);
    application.run();
    const bool alternate = application.plan().info.resultInAlternate != VK_FALSE;
    const VksortExportBuffer keys_out = sort.result == VKSORT_RESULT_SEPARATE ? VKSORT_EXPORT_BUFFER_KEYS_OUT
                                        : alternate                           ? VKSORT_EXPORT_BUFFER_KEYS_ALTERNATE
                                                                              : VKSORT_EXPORT_BUFFER_KEYS;
    const VksortExportBuffer values_out = sort.result == VKSORT_RESULT_SEPARATE ? VKSORT_EXPORT_BUFFER_VALUES_OUT
                                          : alternate                           ? VKSORT_EXPORT_BUFFER_VALUES_ALTERNATE
                                                                                : VKSORT_EXPORT_BUFFER_VALUES;
    const std::vector<uint32_t> order = reference::argsort(keys, {.type = sort.key, .descending = sort.descending});
    const std::string what = describe(sort) + ", " + std::to_string(count) + " elements";
    application.expect(keys_out, reference::gather(keys, size, order), "keys of " + what);
    if (sort.argsort) {
        application.expect(values_out, indices_of(order), "indices of " + what);
    } else if (sort.value_size != 0) {
        application.expect(values_out, reference::gather(values, sort.value_size, order), "values of " + what);
    }
}

// One export, and other counts from the host from time to time.
TEST_F(Export, SortsWithCountsFromTheHost) {
    SKIP_WITHOUT_BALLOTS();
    const SortCase sorts[] = {
        {.algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP, .key = VKSORT_KEY_U16, .count = 500},
        {.algorithm = VKSORT_ALGORITHM_ONESWEEP,
         .key = VKSORT_KEY_F32,
         .value_size = 4,
         .result = VKSORT_RESULT_PING_PONG,
         .count = 5'003},
        {.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN,
         .key = VKSORT_KEY_I32,
         .argsort = true,
         .descending = true,
         .count = 5'001},
        {.algorithm = VKSORT_ALGORITHM_MSD, .value_size = 4, .result = VKSORT_RESULT_SEPARATE, .count = 9'001},
    };
    for (SortCase sort : sorts) {
        if (!context().can_run(sort.algorithm)) {
            continue;
        }
        sort.overrides = kSmallTiles;
        Application application(description_of(sort), sort.overrides);
        EXPECT_EQ(application.plan().info.algorithm, sort.algorithm);
        sort_and_compare(application, sort, sort.count, test_seed());
        for (const uint64_t count : {uint64_t{0}, uint64_t{1}, sort.count / 3, sort.count - 1}) {
            application.set({.count = count});
            sort_and_compare(application, sort, count, test_seed() + count);
        }
    }
}

// Plans for smaller counts share the passes, each with a set of its own, and indirect commands are written behind them.
TEST_F(Export, SortsWithCountsFromTheGpu) {
    SKIP_WITHOUT_BALLOTS();
    constexpr uint32_t kMost = 9'001;
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_MSD, .value_size = 4};
    sort.overrides = kSmallTiles;
    sort.overrides.smaller = {{{300, VKSORT_ALGORITHM_ONE_WORKGROUP}, {1'200, VKSORT_ALGORITHM_SAMPLE_SORT}}, 2};
    VksortPlanDesc desc = description_of(with_gpu_count(sort, 0, kMost));
    desc.flags |= VKSORT_PLAN_WRITE_COMMANDS_BIT;
    desc.elementsPerWorkgroup = 64;
    desc.verticesPerElement = 6;
    const uint32_t count_offset = 8;
    const uint32_t commands_offset = 12;
    Application application(desc, sort.overrides, Given{.countOffset = count_offset, .commandsOffset = commands_offset});
    ASSERT_EQ(application.plan().setCount, 4u);
    EXPECT_EQ(application.plan().buffers[VKSORT_EXPORT_BUFFER_COUNT].size, count_offset + 4);
    for (const uint32_t held : {5'000u, 0u, 1u, 300u, 301u, 1'200u, 1'201u, kMost, UINT32_MAX}) {
        const uint32_t count = std::min(held, kMost);
        application.write_numbers(VKSORT_EXPORT_BUFFER_COUNT, {held}, count_offset);
        sort_and_compare(application, sort, count, test_seed() + held);
        VksortIndirectCommands written;
        std::memcpy(&written, application.range(VKSORT_EXPORT_BUFFER_COMMANDS).data() + commands_offset, sizeof written);
        EXPECT_EQ(written.count, count);
        EXPECT_EQ(written.dispatch.x, (count + 63) / 64);
        EXPECT_EQ(written.draw.instanceCount, count);
    }
}

TEST_F(Export, Merges) {
    SortCase sort = {.value_size = 4, .result = VKSORT_RESULT_SEPARATE, .count = 3'001};
    VksortPlanDesc desc = description_of(sort);
    desc.operation = VKSORT_OPERATION_MERGE;
    desc.maxCountB = 1'503;
    Application application(desc, kSmallTiles);
    for (const auto& [a, b] :
         {std::pair{3'001u, 1'503u}, std::pair{0u, 7u}, std::pair{2'000u, 0u}, std::pair{1'999u, 600u}}) {
        application.set({.count = a, .countB = b});
        Bytes keys[2], values[2];
        Bytes all_keys, all_values;
        for (const uint32_t input : {0u, 1u}) {
            const uint32_t count = input == 0 ? a : b;
            const Bytes unsorted = generate_keys(VKSORT_KEY_U32, count, Distribution::few, test_seed() + input);
            keys[input] = reference::gather(unsorted, 4, reference::argsort(unsorted, {}));
            values[input] = generate_values(count, 4);
            all_keys.insert(all_keys.end(), keys[input].begin(), keys[input].end());
            all_values.insert(all_values.end(), values[input].begin(), values[input].end());
        }
        application.write(VKSORT_EXPORT_BUFFER_KEYS, keys[0]);
        application.write(VKSORT_EXPORT_BUFFER_VALUES, values[0]);
        application.write(VKSORT_EXPORT_BUFFER_KEYS_B, keys[1]);
        application.write(VKSORT_EXPORT_BUFFER_VALUES_B, values[1]);
        application.run();
        const std::vector<uint32_t> order = reference::argsort(all_keys, {}); // stable: those of A come first
        application.expect(VKSORT_EXPORT_BUFFER_KEYS_OUT, reference::gather(all_keys, 4, order), "merged keys");
        application.expect(VKSORT_EXPORT_BUFFER_VALUES_OUT, reference::gather(all_values, 4, order), "merged values");
    }
}

TEST_F(Export, SortsSegments) {
    constexpr uint32_t kCount = 4'001;
    for (const VksortAlgorithm algorithm : {VKSORT_ALGORITHM_SEGMENTED, VKSORT_ALGORITHM_SIZE_CLASSES}) {
        // CPU drivers take long to compile the second one's kernels.
        if (!context().can_run(algorithm) || (algorithm == VKSORT_ALGORITHM_SIZE_CLASSES && tests_few_pairs())) {
            continue;
        }
        VksortPlanDesc desc = {};
        desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
        desc.algorithm = algorithm;
        desc.valueSize = 4;
        desc.segments = VKSORT_SEGMENTS_OFFSETS;
        desc.maxSegments = 40;
        desc.maxCount = kCount;
        desc.flags = VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
        Application application(desc, kSmallTiles, Given{.segmentCount = 3});
        const uint32_t segments[] = {0, 900, 901, 901, 1'000, 3'900};
        application.write(VKSORT_EXPORT_BUFFER_SEGMENTS, std::as_bytes(std::span(segments)));
        application.write_numbers(VKSORT_EXPORT_BUFFER_COUNT, {kCount}, 0);
        const Bytes keys = generate_keys(VKSORT_KEY_U32, kCount, Distribution::uniform, test_seed());
        const Bytes values = generate_values(kCount, 4);
        application.write(VKSORT_EXPORT_BUFFER_KEYS, keys);
        application.write(VKSORT_EXPORT_BUFFER_VALUES, values);
        application.run();
        Bytes expected_keys = keys;
        Bytes expected_values = values;
        for (size_t i = 0; i < std::size(segments); i += 2) {
            const size_t at = 4 * segments[i];
            const size_t size = 4 * segments[i + 1] - at;
            const std::vector<uint32_t> order = reference::argsort(ByteSpan(keys).subspan(at, size), {});
            const Bytes some_keys = reference::gather(ByteSpan(keys).subspan(at, size), 4, order);
            const Bytes some_values = reference::gather(ByteSpan(values).subspan(at, size), 4, order);
            std::copy(some_keys.begin(), some_keys.end(), expected_keys.begin() + static_cast<ptrdiff_t>(at));
            std::copy(some_values.begin(), some_values.end(), expected_values.begin() + static_cast<ptrdiff_t>(at));
        }
        application.expect(VKSORT_EXPORT_BUFFER_KEYS, expected_keys, "keys of segments");
        application.expect(VKSORT_EXPORT_BUFFER_VALUES, expected_values, "values of segments");
    }
}

TEST_F(Export, Gathers) {
    constexpr uint32_t kRecord = 12;
    constexpr uint32_t kRecords = 700;
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_GATHER;
    desc.valueSize = kRecord;
    desc.maxCount = 2'000;
    Application application(desc, {}, Given{.count = 1'999, .recordCount = kRecords});
    EXPECT_EQ(application.plan().buffers[VKSORT_EXPORT_BUFFER_VALUES].size, kRecord * kRecords);
    const Bytes records = generate_values(kRecords, kRecord);
    Random random(test_seed());
    std::vector<uint32_t> indices(1'999);
    for (uint32_t& index : indices) {
        index = static_cast<uint32_t>(random.below(kRecords + 5)); // some are past the last record
    }
    application.write(VKSORT_EXPORT_BUFFER_VALUES, records);
    application.write(VKSORT_EXPORT_BUFFER_KEYS, std::as_bytes(std::span(indices)));
    application.run();
    application.expect(VKSORT_EXPORT_BUFFER_VALUES_OUT, reference::gather(records, kRecord, indices), "gathered records");
}

} // namespace
} // namespace vksort::test
