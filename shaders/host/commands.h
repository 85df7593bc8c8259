// SPDX-License-Identifier: MIT
//
// Shared by C++ and GLSL: push constants of the kernel that writes a VksortIndirectCommands, which is bound as Keys1.
#ifndef VKSORT_SHADERS_HOST_COMMANDS_H
#define VKSORT_SHADERS_HOST_COMMANDS_H

#include "bindings.h"

VKSORT_INTEROP_BEGIN

struct CommandsPush {
    UINT count; // The first four fields are a PushHeader.
    UINT flags;
    UINT pass;
    UINT least;
    UINT countB;      // Merge: the limit of B, whose count follows that of A in the count buffer. Otherwise 0.
    UINT commandWord; // Word of the binding at which the commands begin. Filled in while recording.
    UINT elementsPerWorkgroup;
    UINT verticesPerElement;
    UINT maxGroupsX; // maxComputeWorkGroupCount[0]
};

VKSORT_INTEROP_END
#endif
