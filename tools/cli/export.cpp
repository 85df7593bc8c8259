// SPDX-License-Identifier: MIT
#include "export.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <system_error>
#include <vector>

#include "failure.hpp"
#include "output_files.hpp"
#include "path_text.hpp"

namespace {

using Json = nlohmann::ordered_json;

// In the order of VksortExportBuffer, as the header's structs name them; those of merges and gathers are others.
constexpr const char* kBufferNames[VKSORT_EXPORT_BUFFERS] = {"keys",     "values",    "keysAlternate", "valuesAlternate",
                                                             "keysOut",  "valuesOut", "scratch",       "countBuffer",
                                                             "segments", "keysB",     "valuesB",       "commands"};

std::vector<uint32_t> words_of(const void* data, size_t size) {
    std::vector<uint32_t> words(size / sizeof(uint32_t));
    std::memcpy(words.data(), data, size);
    return words;
}

Json info_json(const VksortPlanInfo& info) {
    return {{"algorithm", vksortAlgorithmName(info.algorithm)},
            {"maxCount", info.maxCount},
            {"scratchUsage", info.scratchUsage},
            {"bufferUsage", info.bufferUsage},
            {"resultInAlternate", info.resultInAlternate == VK_TRUE},
            {"firstStages", info.firstStages},
            {"firstAccess", info.firstAccess},
            {"lastStages", info.lastStages},
            {"lastAccess", info.lastAccess}};
}

Json buffers_json(const VksortExportedPlan& plan) {
    Json buffers = Json::object();
    for (uint32_t i = 0; i < VKSORT_EXPORT_BUFFERS; ++i) {
        const VksortExportedBuffer& buffer = plan.buffers[i];
        if (buffer.size != 0) {
            buffers[kBufferNames[i]] = {
                {"size", buffer.size}, {"alignment", buffer.alignment}, {"isWritten", buffer.isWritten == VK_TRUE}};
        }
    }
    return buffers;
}

std::string file_of(const VksortExportedPipeline& pipeline) { return std::string(pipeline.kernel) + ".spv"; }

Json pipeline_json(const VksortExportedPipeline& pipeline) {
    const VkSpecializationInfo& constants = pipeline.specialization;
    return {{"spirv", file_of(pipeline)},
            {"constants", words_of(constants.pData, constants.dataSize)},
            {"workgroupSize", pipeline.workgroupSize},
            {"requiredSubgroupSize", pipeline.requiredSubgroupSize},
            {"fullSubgroups", pipeline.fullSubgroups == VK_TRUE},
            {"robustBufferAccess", pipeline.robustBufferAccess == VK_TRUE}};
}

Json set_json(const VksortExportedSet& set) {
    Json bindings = Json::array();
    for (const VksortExportedBinding& binding : set.bindings) {
        bindings.push_back({{"buffer", kBufferNames[binding.buffer]}, {"offset", binding.offset}, {"size", binding.size}});
    }
    return bindings;
}

Json pass_json(const VksortExportedPass& pass) {
    Json json = {{"name", pass.name}, {"pipeline", pass.pipeline}, {"set", pass.set}};
    const VksortExportedBarrier& barrier = pass.barrier;
    if (barrier.srcStages != 0) {
        json["barrier"] = {{"srcStages", barrier.srcStages},
                           {"srcAccess", barrier.srcAccess},
                           {"dstStages", barrier.dstStages},
                           {"dstAccess", barrier.dstAccess}};
    }
    json["push"] = words_of(pass.pPush, pass.pushSize);
    if (pass.isIndirect == VK_TRUE) {
        json["indirectOffset"] = pass.indirectOffset;
    } else {
        json["groups"] = {pass.groups.x, pass.groups.y, pass.groups.z};
    }
    return json;
}

template <typename Element, typename Convert> Json array_of(const Element* elements, uint32_t count, Convert convert) {
    Json json = Json::array();
    std::transform(elements, elements + count, std::back_inserter(json), convert);
    return json;
}

// One line for each pipeline, set and pass, so that two plans can be compared.
std::string text_of(const Json& json) {
    std::string text = "{";
    const char* separator = "\n";
    for (const auto& [name, value] : json.items()) {
        text += separator + Json(name).dump() + ": ";
        separator = ",\n";
        if (value.is_array()) {
            text += "[";
            for (size_t i = 0; i < value.size(); ++i) {
                text += (i == 0 ? "\n  " : ",\n  ") + value[i].dump();
            }
            text += "\n]";
        } else {
            text += value.dump();
        }
    }
    return text + "\n}\n";
}

} // namespace

void export_files(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const std::string& folder) {
    VksortExportedPlan* exported = nullptr;
    char message[512] = "";
    if (vksortExportPlan(&device, &desc, nullptr, &exported, message, sizeof message) != VK_SUCCESS) {
        fail(kNoDevice, "{}", message);
    }
    const std::unique_ptr<VksortExportedPlan, void (*)(VksortExportedPlan*)> owner(exported, vksortFreeExportedPlan);
    const VksortExportedPlan& plan = *exported;

    const std::filesystem::path place = vksort::files::path_of(folder);
    std::error_code error;
    std::filesystem::create_directory(place, error);
    if (error) {
        fail(kBadInput, "cannot make the folder {}: {}", folder, error.message());
    }
    const auto file = [&place](const std::string& name) { return vksort::files::text_of(place / name); };
    vksort::files::OutputFiles outputs;
    const Json json = {{"device", device.name},
                       {"info", info_json(plan.info)},
                       {"buffers", buffers_json(plan)},
                       {"pipelines", array_of(plan.pPipelines, plan.pipelineCount, pipeline_json)},
                       {"sets", array_of(plan.pSets, plan.setCount, set_json)},
                       {"passes", array_of(plan.pPasses, plan.passCount, pass_json)}};
    outputs.add(file("plan.json")).write(text_of(json));
    std::set<std::string> written;
    for (const VksortExportedPipeline& pipeline : std::span(plan.pPipelines, plan.pipelineCount)) {
        if (written.insert(file_of(pipeline)).second) {
            outputs.add(file(file_of(pipeline)))
                .write(std::as_bytes(std::span(pipeline.spirv.pWords, pipeline.spirv.wordCount)));
        }
    }
    outputs.commit();
}
