// SPDX-License-Identifier: MIT
//
// How a radix sort begins, by one workgroup: the control block, cleared digit bins, and the size of the histogram. Needs buffers.glsl and
// device/dispatch.glsl.

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

// By one invocation, where they are one dispatch: lets that run, or not.
void begin_sweeps(bool run) {
    control.sweeping = run ? 1 : 0;
    control.tickets[kMaxDigitPasses] = 0;
    for (uint stage = 0; stage <= pc.digitPasses; ++stage) {
        control.stageParts[stage] = 0;
    }
}

// By one invocation, where they are sized before they are decided on: lets the histogram and the digit passes run, or not.
void size_passes(uint count, bool run) {
    DispatchArgs tiles = dispatch_args(run ? divide_up(count, pc.tileSize) : 0);
    for (uint pass = 0; pass < pc.digitPasses; ++pass) {
        args.passes[pass] = tiles;
    }
    args.histogram = dispatch_args(run ? histogram_groups(count) : 0);
}
