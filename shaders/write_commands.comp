#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Writes a VksortIndirectCommands: the clamped count, and the arguments of a dispatch and of a draw for that count.
#include "config.glsl"
#include "host/commands.h"

layout(push_constant, std430) uniform PushConstants { CommandsPush pc; };
layout(set = 0, binding = kBindingKeys1, std430) writeonly buffer Commands { uint commands[]; };
layout(set = 0, binding = kBindingCount, std430) readonly buffer CountBuffer { uint count_buffer[]; };

void main() {
    if (thread_index != 0) {
        return;
    }
    uint held = pc.flags >> kCountWordShift;
    uint count = min(count_buffer[held], pc.count);
    if (pc.countB != 0) {
        count += min(count_buffer[held + 1], pc.countB);
    }
    // More workgroups than maxGroupsX are folded into two dimensions, as record.cpp folds dispatches of the library.
    uint groups = pc.elementsPerWorkgroup == 0 ? 0 : divide_up(count, pc.elementsPerWorkgroup);
    uint rows = max(1, divide_up(groups, pc.maxGroupsX));
    uint at = pc.commandWord;
    commands[at] = count;
    commands[at + 1] = divide_up(groups, rows);
    commands[at + 2] = rows;
    commands[at + 3] = 1;
    commands[at + 4] = pc.verticesPerElement;
    commands[at + 5] = count;
    commands[at + 6] = 0;
    commands[at + 7] = 0;
    commands[at + 8] = 0;
}
