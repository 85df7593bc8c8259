// SPDX-License-Identifier: MIT
//
// Sizes of indirect dispatches.
#include "../host/args.h"

layout(set = 0, binding = kBindingArgs, std430) buffer Args { IndirectArgs args; };

// Folds a number of workgroups into the two dimensions that the device allows; the surplus ones leave at once.
DispatchArgs dispatch_args(uint groups) {
    if (groups == 0) {
        return DispatchArgs(0, 0, 0);
    }
    uint rows = divide_up(groups, pc.maxGroupsX);
    return DispatchArgs(divide_up(groups, rows), rows, 1);
}
