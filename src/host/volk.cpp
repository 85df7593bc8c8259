// SPDX-License-Identifier: MIT
//
// The one translation unit that holds volk, which opens the Vulkan loader at run time: programs then start, and can say
// what is missing, on machines that have none.
#define VOLK_IMPLEMENTATION
#include <volk.h>
