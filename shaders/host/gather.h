// SPDX-License-Identifier: MIT
//
// Shared by C++ and GLSL. Bindings: indices in slot Keys0, records in Values0, the result in Values1.
#ifndef VKSORT_SHADERS_HOST_GATHER_H
#define VKSORT_SHADERS_HOST_GATHER_H

#include "bindings.h"

VKSORT_INTEROP_BEGIN

struct GatherPush {
    UINT count; // PushHeader
    UINT flags;
    UINT pass;
    UINT least;
    UINT recordCount; // filled in while recording
    UINT recordWords;
};

VKSORT_INTEROP_END
#endif
