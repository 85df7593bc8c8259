// SPDX-License-Identifier: MIT
//
// The functions of volk.
#define VOLK_IMPLEMENTATION
#include <volk.h>
