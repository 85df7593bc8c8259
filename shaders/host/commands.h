// SPDX-License-Identifier: MIT
//
// Shared by C++ and GLSL: the kernel that writes a VksortIndirectCommands, which is in slot Keys1.
#ifndef VKSORT_SHADERS_HOST_COMMANDS_H
#define VKSORT_SHADERS_HOST_COMMANDS_H

#include "bindings.h"

VKSORT_INTEROP_BEGIN

struct CommandsPush {
    UINT count; // PushHeader
    UINT flags;
    UINT pass;
    UINT least;
    UINT countB;      // of a merge, the most elements of B, whose count follows that of A; otherwise 0
    UINT commandWord; // filled in while recording: the word of the binding that the commands begin at
    UINT elementsPerWorkgroup;
    UINT verticesPerElement;
    UINT maxGroupsX; // maxComputeWorkGroupCount[0]
};

VKSORT_INTEROP_END
#endif
