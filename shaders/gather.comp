#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// out[i] = records[indices[i]], word by word: neighbouring invocations copy neighbouring words.
#include "config.glsl"
#include "host/gather.h"

layout(push_constant, std430) uniform PushConstants { GatherPush pc; };
layout(set = 0, binding = kBindingKeys0, std430) readonly buffer Indices { uint indices[]; };
layout(set = 0, binding = kBindingValues0, std430) readonly buffer Records { uint records[]; };
layout(set = 0, binding = kBindingValues1, std430) writeonly buffer Out { uint result[]; };
layout(set = 0, binding = kBindingCount, std430) readonly buffer CountBuffer { uint count_buffer[]; };

void main() {
    uint count = pc.count;
    if ((pc.flags & kFlagCountFromBuffer) != 0) {
        count = min(count_buffer[pc.flags >> kCountWordShift], count);
    }
    uint words = count * pc.recordWords; // below 2^30: a binding holds fewer than 2^32 bytes
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * WORKGROUP_SIZE;
    for (uint at = group_index * WORKGROUP_SIZE + thread_index; at < words; at += stride) {
        uint record = at / pc.recordWords;
        uint index = indices[record];
        result[at] = index < pc.recordCount ? records[index * pc.recordWords + at % pc.recordWords] : 0;
    }
}
