// SPDX-License-Identifier: MIT
//
// Sizes of indirect dispatches as words, to be cleared together. Needs device/dispatch.glsl.
layout(set = 0, binding = kBindingArgs, std430) buffer ArgsWords { uint args_words[]; };

// By one workgroup: leaves the dispatches whose sizes are in the first `words` words without workgroups.
void clear_args(uint words) {
    for (uint i = thread_index; i < words; i += WORKGROUP_SIZE) {
        args_words[i] = 0;
    }
}
