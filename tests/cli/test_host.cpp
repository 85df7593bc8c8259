// SPDX-License-Identifier: MIT
//
// vksort::host, which the tool stands on.
#include <gtest/gtest.h>

#include "runner.h"
#include "vksort/vksort_host.hpp"

namespace vksort::test {

namespace {

host::DeviceListing listing(const char* name, VkPhysicalDeviceType type, bool supported = true) {
    host::DeviceListing device = {};
    device.name = name;
    device.required.supported = supported ? VK_TRUE : VK_FALSE;
    device.required.deviceInfo.deviceType = static_cast<uint32_t>(type);
    std::snprintf(device.required.reason, sizeof device.required.reason, "%s", supported ? "" : "it is too old");
    return device;
}

void expect_error(host::Error::Kind kind, const std::string& part, const std::function<void()>& action) {
    try {
        action();
        ADD_FAILURE() << "no error, where one with '" << part << "' was expected";
    } catch (const host::Error& error) {
        EXPECT_EQ(error.kind, kind) << error.what();
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

// Fails the test on any message of vksort or of the validation layer.
host::DeviceOptions strict_options() {
    host::DeviceOptions options;
    options.on_message = [](VksortSeverity, const std::string& message) { ADD_FAILURE() << message; };
    return options;
}

bool has_validation_layer() {
    try {
        host::DeviceOptions options;
        options.validation = true;
        const host::Device device(options);
        return true;
    } catch (const host::Error&) {
        return false;
    }
}

} // namespace

TEST(HostDevices, AreChosenByKindNumberAndName) {
    const std::vector<host::DeviceListing> devices = {
        listing("llvmpipe", VK_PHYSICAL_DEVICE_TYPE_CPU),
        listing("Old Card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, false),
        listing("Intel Graphics", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU),
        listing("Radeon 7", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU),
        listing("Radeon 6", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU),
    };
    EXPECT_EQ(host::choose_device(devices, ""), 3u);
    EXPECT_EQ(host::choose_device(devices, "0"), 0u);
    EXPECT_EQ(host::choose_device(devices, "RADEON 6"), 4u);
    EXPECT_EQ(host::choose_device(devices, "l"), 2u); // llvmpipe, Old Card, Intel: the best that works
    EXPECT_EQ(host::choose_device(devices, "radeon"), 3u);
    const auto choose = [&](const char* selector) {
        return [&devices, selector] { host::choose_device(devices, selector); };
    };
    expect_error(host::Error::Kind::device, "there is no device 5; there are: 0 = llvmpipe, 1 = Old Card", choose("5"));
    expect_error(host::Error::Kind::device, "no device has 'geforce' in its name", choose("geforce"));
    expect_error(host::Error::Kind::device, "Old Card cannot run vksort: it is too old", choose("1"));
    expect_error(host::Error::Kind::device, "Old Card cannot run vksort: it is too old", choose("old"));
    expect_error(host::Error::Kind::device, host::kNoDriverMessage, [] { host::choose_device({}, ""); });
}

TEST(HostDevices, SayWhatIsEnabled) {
    host::DeviceOptions options = strict_options();
    options.features = 0;
    const host::Device device(options);
    EXPECT_EQ(device.info().features, 0u);
    EXPECT_EQ(device.info().minSubgroupSize, device.info().maxSubgroupSize);
    EXPECT_EQ(device.listing().required.extensionCount, 0u);
    EXPECT_NE(device.function("vkCmdDispatch"), nullptr);
    EXPECT_NE(device.get_instance_proc_addr(), nullptr);
}

TEST(HostDevices, SeveralLiveSideBySide) {
    auto first = std::make_unique<host::Device>(strict_options());
    const host::Device second(strict_options());
    first.reset();
    const host::Device third(strict_options());
    EXPECT_NE(second.device(), third.device());
}

class HostBuffer : public testing::TestWithParam<bool> {
protected:
    static host::DeviceOptions options() {
        host::DeviceOptions options = strict_options();
        options.force_staging = GetParam();
        return options;
    }
};
INSTANTIATE_TEST_SUITE_P(Memory, HostBuffer, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "staged" : "direct"; });

TEST_P(HostBuffer, KeepsWhatItIsGiven) {
    host::Device device(options());
    for (const size_t size : {size_t{1}, size_t{7}, size_t{4096}, (size_t{65} << 20) + 3}) { // the last: more than one piece
        SCOPED_TRACE(size);
        const Bytes bytes = random_bytes(size, 1);
        host::Buffer buffer(device, size);
        EXPECT_EQ(buffer.size(), size);
        buffer.upload(bytes);
        Bytes back(size);
        buffer.download(back);
        EXPECT_TRUE(back == bytes);
    }
}

TEST_P(HostBuffer, ChangesOnlyThePartGiven) {
    host::Device device(options());
    host::Buffer buffer(device, 1000);
    buffer.fill(0xaaaaaaaa);
    buffer.upload(Bytes(10, std::byte{0x55}), 501);
    Bytes expected(1000, std::byte{0xaa});
    std::fill_n(expected.begin() + 501, 10, std::byte{0x55});
    Bytes back(1000);
    buffer.download(back);
    EXPECT_EQ(back, expected);
    Bytes part(20);
    buffer.download(part, 495);
    EXPECT_EQ(part, Bytes(expected.begin() + 495, expected.begin() + 515));
    expect_error(host::Error::Kind::usage, "outside a buffer of 1000 bytes", [&] { buffer.upload(part, 981); });
    expect_error(host::Error::Kind::usage, "outside a buffer of 1000 bytes", [&] { buffer.download(part, 2000); });
}

TEST_P(HostBuffer, Moves) {
    host::Device device(options());
    host::Buffer none;
    EXPECT_EQ(none.handle(), VkBuffer{});
    EXPECT_EQ(none.size(), 0u);
    host::Buffer first(device, 16);
    const VkBuffer handle = first.handle();
    host::Buffer second(std::move(first));
    EXPECT_EQ(second.handle(), handle);
    none = std::move(second);
    EXPECT_EQ(none.handle(), handle);
    EXPECT_NE(host::Buffer(device, 0).handle(), VkBuffer{});
}

TEST(HostDevice, GivesPoolsThatAreNotShared) {
    host::Device device(strict_options());
    VksortPlanInfo info = {};
    EXPECT_EQ(device.descriptor_pool(info), VkDescriptorPool{});
    info.descriptorSets = 2;
    info.storageDescriptors = 8;
    const VkDescriptorPool first = device.descriptor_pool(info);
    const VkDescriptorPool second = device.descriptor_pool(info, 3);
    EXPECT_NE(first, VkDescriptorPool{});
    EXPECT_NE(first, second);
    device.run([](VkCommandBuffer) {});
    EXPECT_EQ(device.descriptor_pool(info), first);
    EXPECT_EQ(device.descriptor_pool(info), second);
    EXPECT_NE(device.descriptor_pool(info), first);
}

// Every place for a result, with every optional feature and with none, under the validation layer where there is one.
TEST(HostSort, PutsTheResultWhereItIsAskedFor) {
    const bool validation = has_validation_layer();
    const Bytes keys = random_bytes(2 * 2000, 2);
    const Bytes values = random_bytes(4 * 2000, 3);
    const std::vector<uint32_t> order = reference::argsort(keys, {VKSORT_KEY_I16});
    for (const bool bare : {false, true}) {
        host::DeviceOptions options = strict_options();
        options.validation = validation;
        options.force_staging = bare;
        options.features = bare ? 0 : ~VksortFeatureFlags{0};
        host::Device device(options);
        for (const VksortResult result : {VKSORT_RESULT_IN_PLACE, VKSORT_RESULT_PING_PONG, VKSORT_RESULT_SEPARATE}) {
            SCOPED_TRACE(std::string(bare ? "bare, result " : "all features, result ") + std::to_string(result));
            host::SortRequest request;
            request.desc.keyType = VKSORT_KEY_I16;
            request.desc.result = result;
            request.desc.valueSize = 4;
            request.keys = keys;
            request.values = values;
            request.warm_up = true;
            const host::SortOutcome pairs = host::sort(device, request);
            EXPECT_EQ(pairs.keys, reordered(keys, 2, order));
            EXPECT_EQ(pairs.values, reordered(values, 4, order));
            EXPECT_GT(pairs.wall_microseconds, 0);
            EXPECT_EQ(pairs.passes.size(), device.timestamp_period() > 0 ? pairs.plan.passCount : 0);
            if (pairs.plan.statisticsOffset != UINT64_MAX) {
                EXPECT_EQ(pairs.statistics.count, 2000u);
            }

            request.desc.flags = VKSORT_PLAN_ARGSORT_BIT | VKSORT_PLAN_DISCARD_KEYS_BIT;
            request.values = {};
            const host::SortOutcome indices = host::sort(device, request);
            EXPECT_TRUE(indices.keys.empty());
            EXPECT_EQ(indices.values, to_bytes(order));
        }
    }
}

// Sizes of several tiles, in place and separate, and the statistics; under validation where there is the layer.
TEST(HostSegmentedSort, SortsEachSegmentAndCounts) {
    host::DeviceOptions options = strict_options();
    options.validation = has_validation_layer();
    host::Device device(options);
    constexpr uint32_t kCount = 20000;
    const Bytes keys = random_bytes(4 * kCount, 6);
    const Bytes values = random_bytes(4 * kCount, 7);
    const std::vector<uint32_t> heads = {0, 700, 12000};
    std::vector<uint32_t> order;
    for (size_t i = 0; i < heads.size(); ++i) {
        const uint32_t end = i + 1 < heads.size() ? heads[i + 1] : kCount;
        const Bytes part(keys.begin() + ptrdiff_t{4} * heads[i], keys.begin() + ptrdiff_t{4} * end);
        for (const uint32_t index : reference::argsort(part, {VKSORT_KEY_U32})) {
            order.push_back(heads[i] + index);
        }
    }
    host::SegmentedSortRequest request;
    request.desc.segments = VKSORT_SEGMENTS_HEAD_INDICES;
    request.desc.algorithm = VKSORT_ALGORITHM_SEGMENTED; // which counts what it does
    request.desc.valueSize = 4;
    request.keys = keys;
    request.values = values;
    request.segments = heads;
    for (const VksortResult result : {VKSORT_RESULT_IN_PLACE, VKSORT_RESULT_SEPARATE}) {
        SCOPED_TRACE(result);
        request.desc.result = result;
        request.warm_up = result == VKSORT_RESULT_IN_PLACE;
        const host::SortOutcome outcome = host::segmented_sort(device, request);
        EXPECT_EQ(outcome.keys, reordered(keys, 4, order));
        EXPECT_EQ(outcome.values, reordered(values, 4, order));
        EXPECT_EQ(outcome.statistics.count, kCount);
        EXPECT_EQ(outcome.work.tiles, (kCount + outcome.plan.tileSize - 1) / outcome.plan.tileSize);
        EXPECT_EQ(outcome.work.mergePasses, outcome.plan.mergePasses);
        EXPECT_GT(outcome.work.passes[0].merged, 0u);
        EXPECT_LE(outcome.work.passes[0].merged, outcome.work.tiles);
        EXPECT_EQ(outcome.passes.size(), device.timestamp_period() > 0 ? outcome.plan.passCount : 0);
    }
    const auto refused = [&](const std::string& part, const std::function<void(host::SegmentedSortRequest&)>& spoil) {
        host::SegmentedSortRequest spoilt = request;
        spoil(spoilt);
        expect_error(host::Error::Kind::usage, part, [&] { host::segmented_sort(device, spoilt); });
    };
    refused("3 words of head flags, where 20000 keys need 625",
            [](host::SegmentedSortRequest& spoilt) { spoilt.desc.segments = VKSORT_SEGMENTS_HEAD_FLAGS; });
    refused("3 offsets are not pairs",
            [](host::SegmentedSortRequest& spoilt) { spoilt.desc.segments = VKSORT_SEGMENTS_OFFSETS; });
    refused("3 words are not pairs",
            [](host::SegmentedSortRequest& spoilt) { spoilt.desc.segments = VKSORT_SEGMENTS_OFFSET_COUNTS; });
    refused("use vksort.h for the rest",
            [](host::SegmentedSortRequest& spoilt) { spoilt.desc.flags = VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT; });
}

TEST(HostMerge, MergesAndSaysWhereFrom) {
    host::DeviceOptions options = strict_options();
    options.validation = has_validation_layer();
    host::Device device(options);
    const std::vector<uint32_t> a = {1, 3, 3, 9};
    const std::vector<uint32_t> b = {0, 3, 10};
    host::MergeRequest request;
    request.desc.flags = VKSORT_PLAN_ARGSORT_BIT;
    request.keys_a = std::as_bytes(std::span(a));
    request.keys_b = std::as_bytes(std::span(b));
    request.warm_up = true;
    std::vector<std::string> stages;
    request.progress = [&](const char* stage, double) {
        if (stages.empty() || stages.back() != stage) {
            stages.push_back(stage);
        }
    };
    const host::SortOutcome outcome = host::merge(device, request);
    EXPECT_EQ(outcome.keys, to_bytes(std::vector<uint32_t>{0, 1, 3, 3, 3, 9, 10}));
    EXPECT_EQ(outcome.values, to_bytes(std::vector<uint32_t>{4, 0, 1, 2, 5, 3, 6}));
    EXPECT_EQ(outcome.statistics.count, 7u);
    EXPECT_EQ(outcome.work.tiles, 0u); // counted by other algorithms
    EXPECT_EQ(stages, (std::vector<std::string>{"compiling", "uploading", "merging", "downloading"}));

    const auto refused = [&](const std::string& part, const std::function<void(host::MergeRequest&)>& spoil) {
        host::MergeRequest spoilt = request;
        spoil(spoilt);
        expect_error(host::Error::Kind::usage, part, [&] { host::merge(device, spoilt); });
    };
    refused("11 bytes are not a whole number", [&](host::MergeRequest& spoilt) { spoilt.keys_b = spoilt.keys_b.first(11); });
    refused("where 3 keys need 0", [&](host::MergeRequest& spoilt) { spoilt.values_b = spoilt.keys_b; });
    refused("need key_words", [](host::MergeRequest& spoilt) { spoilt.desc.keyType = VKSORT_KEY_COMPARATOR; });
}

TEST(HostSort, TellsItsProgress) {
    host::Device device(strict_options());
    const Bytes keys = random_bytes(4 * 1000, 4);
    std::vector<std::string> stages;
    host::SortRequest request;
    request.keys = keys;
    request.progress = [&](const char* stage, double fraction) {
        EXPECT_GE(fraction, 0);
        EXPECT_LE(fraction, 1);
        if (stages.empty() || stages.back() != stage) {
            stages.push_back(stage);
        }
    };
    host::sort(device, request);
    EXPECT_EQ(stages, (std::vector<std::string>{"uploading", "sorting", "downloading"}));
}

TEST(HostSort, RefusesWhatMakesNoSense) {
    host::Device device;
    const Bytes keys = random_bytes(4 * 100, 5);
    const auto refused = [&](const std::string& part, const std::function<void(host::SortRequest&)>& spoil) {
        host::SortRequest request;
        request.keys = keys;
        spoil(request);
        expect_error(host::Error::Kind::usage, part, [&] { host::sort(device, request); });
    };
    refused("399 bytes are not a whole number of u32 keys",
            [&](host::SortRequest& request) { request.keys = request.keys.first(399); });
    refused("where 100 keys need 800", [&](host::SortRequest& request) {
        request.desc.valueSize = 8;
        request.values = keys;
    });
    refused("use vksort.h for the rest", [](host::SortRequest& request) { request.desc.keyStride = 8; });
    refused("need key_words", [](host::SortRequest& request) { request.desc.keyType = VKSORT_KEY_COMPARATOR; });
    refused("unknown key type", [](host::SortRequest& request) { request.desc.keyType = VKSORT_KEY_MAX_ENUM; });
    refused("", [](host::SortRequest& request) { request.desc.endBit = 33; }); // in the library's own words
    EXPECT_FALSE(device.last_message().empty());
}

} // namespace vksort::test
