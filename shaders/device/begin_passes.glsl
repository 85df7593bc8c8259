// SPDX-License-Identifier: MIT
//
// How a radix sort begins, by one workgroup: the control block, cleared digit bins, and the size of the histogram. Needs
// buffers.glsl and device/dispatch.glsl.

// Workgroups of the histogram, of which the last one decides, also of nothing.
uint histogram_groups(uint count) {
    return clamp(divide_up(count, pc.histogramChunk), 1, pc.histogramGroups);
}

void clear_digit_bins() {
    for (uint i = thread_index; i < pc.digitPasses * kRadix; i += WORKGROUP_SIZE) {
        state[pc.binsOffset + i] = 0;
    }
}

// By one invocation.
void begin_control(uint count) {
    control.count = count;
    control.digitPassesRun = 0;
    control.fallbacks = 0;
    control.copied = 0;
    control.disorder = sorts_all_bits() ? 0 : 1;
    control.tiles = divide_up(count, pc.tileSize);
    control.groups = min(control.tiles, pc.spineGroups);
    control.histogramGroups = histogram_groups(count);
    control.counted = 0;
}

// By one invocation, where the passes are one dispatch: whether that sorts at all.
void begin_sweeps(bool sweeping) {
    control.sweeping = sweeping ? 1 : 0;
    control.tickets[kMaxDigitPasses] = 0;
    for (uint stage = 0; stage <= pc.digitPasses; ++stage) {
        control.stageChunks[stage] = 0;
    }
}

// What the histogram and the digit passes take, where they are sized before they are decided on.
struct PassSizes {
    DispatchArgs histogram;
    DispatchArgs passes; // each
};

PassSizes pass_sizes(uint count) {
    return PassSizes(dispatch_args(histogram_groups(count)), dispatch_args(divide_up(count, pc.tileSize)));
}

// By one invocation.
void size_digit_passes(DispatchArgs each) {
    for (uint pass = 0; pass < pc.digitPasses; ++pass) {
        args.passes[pass] = each;
    }
}

void size_passes(PassSizes sizes) {
    size_digit_passes(sizes.passes);
    args.histogram = sizes.histogram;
}
