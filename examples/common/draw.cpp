// SPDX-License-Identifier: MIT
//
// Drawing into a picture that the host can read: target, pipeline, render pass.
#include "gpu.h"

namespace example {

namespace {

constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM; // every device can blend into these two
constexpr VkFormat kDepthFormat = VK_FORMAT_D16_UNORM;

} // namespace

Target Gpu::target(uint32_t width, uint32_t height, bool depth) {
    Target result;
    result.width = width;
    result.height = height;
    result.hasDepth = depth;
    result.pixels = buffer(VkDeviceSize{4} * width * height, Memory::host);
    std::vector<VkImageView> views;
    const auto add_image = [&](VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspect) {
        auto info = typed<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = format;
        info.extent = {width, height, 1};
        info.mipLevels = 1;
        info.arrayLayers = 1;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.usage = usage;
        VkImage image = VK_NULL_HANDLE;
        check(vkCreateImage(device, &info, nullptr, &image), "vkCreateImage");
        destroyers_.push_back([this, image] { vkDestroyImage(device, image, nullptr); });
        VkMemoryRequirements needs;
        vkGetImageMemoryRequirements(device, image, &needs);
        check(vkBindImageMemory(device, image, allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT), 0),
              "vkBindImageMemory");
        auto view_info = typed<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
        view_info.image = image;
        view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view_info.format = format;
        view_info.subresourceRange = {aspect, 0, 1, 0, 1};
        VkImageView view = VK_NULL_HANDLE;
        check(vkCreateImageView(device, &view_info, nullptr, &view), "vkCreateImageView");
        destroyers_.push_back([this, view] { vkDestroyImageView(device, view, nullptr); });
        views.push_back(view);
        return image;
    };
    result.image = add_image(kColorFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                             VK_IMAGE_ASPECT_COLOR_BIT);
    std::vector<VkAttachmentDescription> attachments(1);
    attachments[0].format = kColorFormat;
    attachments[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    if (depth) {
        add_image(kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
        attachments.emplace_back();
        attachments[1].format = kDepthFormat;
        attachments[1].finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
        attachments[1].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    }
    for (VkAttachmentDescription& attachment : attachments) {
        attachment.samples = VK_SAMPLE_COUNT_1_BIT;
        attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
        attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    }
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depthReference = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass = {};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pDepthStencilAttachment = depth ? &depthReference : nullptr;
    // An earlier picture has been copied before this one is drawn, and this one is drawn before it is copied.
    const VkPipelineStageFlags drawing = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                         VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                         VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
    const VkAccessFlags written = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    const VkAccessFlags read = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
    const VkSubpassDependency dependencies[] = {
        {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_TRANSFER_BIT | drawing, drawing, written, written | read, 0},
        {0, VK_SUBPASS_EXTERNAL, drawing, VK_PIPELINE_STAGE_TRANSFER_BIT, written, VK_ACCESS_TRANSFER_READ_BIT, 0}};
    auto pass = typed<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
    pass.attachmentCount = uint32_t(attachments.size());
    pass.pAttachments = attachments.data();
    pass.subpassCount = 1;
    pass.pSubpasses = &subpass;
    pass.dependencyCount = 2;
    pass.pDependencies = dependencies;
    check(vkCreateRenderPass(device, &pass, nullptr, &result.renderPass), "vkCreateRenderPass");
    destroyers_.push_back([this, made = result.renderPass] { vkDestroyRenderPass(device, made, nullptr); });
    auto framebuffer = typed<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    framebuffer.renderPass = result.renderPass;
    framebuffer.attachmentCount = uint32_t(views.size());
    framebuffer.pAttachments = views.data();
    framebuffer.width = width;
    framebuffer.height = height;
    framebuffer.layers = 1;
    check(vkCreateFramebuffer(device, &framebuffer, nullptr, &result.framebuffer), "vkCreateFramebuffer");
    destroyers_.push_back([this, made = result.framebuffer] { vkDestroyFramebuffer(device, made, nullptr); });
    return result;
}

Pipeline Gpu::graphics_pipeline(const Target& target, const GraphicsPipelineInfo& info) {
    Pipeline result;
    result.bindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    VkPipelineShaderStageCreateInfo stages[2] = {};
    for (VkPipelineShaderStageCreateInfo& stage : stages) {
        stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        stage.pName = "main";
    }
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[0].module = create_module(info.vertexShader);
    stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[1].module = create_module(info.fragmentShader);
    auto input = typed<VkPipelineVertexInputStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
    auto assembly =
        typed<VkPipelineInputAssemblyStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
    assembly.topology = info.topology;
    auto viewport = typed<VkPipelineViewportStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
    viewport.viewportCount = 1;
    viewport.scissorCount = 1;
    auto raster = typed<VkPipelineRasterizationStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
    raster.cullMode = info.cullBackFaces ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE;
    raster.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
    raster.lineWidth = 1.0f;
    auto samples = typed<VkPipelineMultisampleStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    auto depth = typed<VkPipelineDepthStencilStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
    depth.depthTestEnable = info.depth;
    depth.depthWriteEnable = info.depth;
    depth.depthCompareOp = VK_COMPARE_OP_LESS;
    VkPipelineColorBlendAttachmentState color = {};
    color.blendEnable = info.blend;
    color.srcColorBlendFactor = color.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    color.dstColorBlendFactor = color.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    color.colorWriteMask = 0xF;
    auto blend = typed<VkPipelineColorBlendStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
    blend.attachmentCount = 1;
    blend.pAttachments = &color;
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    auto dynamic = typed<VkPipelineDynamicStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO);
    dynamic.dynamicStateCount = 2;
    dynamic.pDynamicStates = states;
    auto create = typed<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
    create.stageCount = 2;
    create.pStages = stages;
    create.pVertexInputState = &input;
    create.pInputAssemblyState = &assembly;
    create.pViewportState = &viewport;
    create.pRasterizationState = &raster;
    create.pMultisampleState = &samples;
    create.pDepthStencilState = &depth;
    create.pColorBlendState = &blend;
    create.pDynamicState = &dynamic;
    create.layout =
        create_layout(result, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, info.buffers, info.pushBytes);
    create.renderPass = target.renderPass;
    check(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &create, nullptr, &result.pipeline),
          "vkCreateGraphicsPipelines");
    destroyers_.push_back([this, made = result.pipeline] { vkDestroyPipeline(device, made, nullptr); });
    return result;
}

void Gpu::begin_drawing(VkCommandBuffer commands, const Target& target, const float (&color)[4]) const {
    VkClearValue clear[2] = {};
    clear[0].color = {{color[0], color[1], color[2], color[3]}};
    clear[1].depthStencil = {1.0f, 0};
    auto info = typed<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    info.renderPass = target.renderPass;
    info.framebuffer = target.framebuffer;
    info.renderArea.extent = {target.width, target.height};
    info.clearValueCount = target.hasDepth ? 2 : 1;
    info.pClearValues = clear;
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    const VkViewport viewport = {0, 0, float(target.width), float(target.height), 0, 1};
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &info.renderArea);
}

void Gpu::end_drawing(VkCommandBuffer commands, const Target& target) const {
    vkCmdEndRenderPass(commands);
    VkBufferImageCopy copy = {};
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    copy.imageExtent = {target.width, target.height, 1};
    vkCmdCopyImageToBuffer(commands, target.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target.pixels.buffer, 1, &copy);
}

Picture Gpu::picture(const Target& target) const {
    const std::span<const uint32_t> pixels = target.pixels.as<const uint32_t>();
    return {target.width, target.height, {pixels.begin(), pixels.end()}};
}

} // namespace example
