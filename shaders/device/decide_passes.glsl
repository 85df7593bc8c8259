// SPDX-License-Identifier: MIT
//
// Between the counts of all digit positions and the passes over them, by one workgroup: makes exclusive sums of the counts,
// finds the digit positions in which every key has the same digit, and so decides which passes are executed and between
// which buffers. Needs buffers.glsl, dispatch.glsl and workgroup/scan_shared.glsl.

const uint kBins = DIGIT_PASSES * kRadix;
const uint BINS_PER_THREAD = (kBins + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;

shared uint s_constant; // bit p: all keys have the same digit in position p, or are in order already

// SIZED 1: the passes have been sized before, all alike, and no copy follows them.
#ifndef SIZED
#define SIZED 0
#endif

// Adds passes that bring the result to the slot where it belongs. A pass by a digit that all keys share leaves the order as
// it is, and so does one by the highest digit of keys in order, which is taken first.
void complete_passes(inout uint constant, inout uint needed_passes) {
    bool in_place = pc.firstSlot == kFirst2;
    bool needed = !in_place || has_flag(kFlagArgsort); // even if all is in order
    uint wanted = max(needed_passes, needed ? 1 : 0);
    wanted += in_place ? wanted % 2 : 0;
    for (uint i = 0; i < DIGIT_PASSES; ++i) {
        uint bit = 1u << (DIGIT_PASSES - 1 - i);
        if (needed_passes < wanted && (constant & bit) != 0) {
            constant &= ~bit;
            ++needed_passes;
        }
    }
}

// Chooses source and destination of every pass that is needed. Slots 1 and 2 alternate; see kFirst... for where to begin.
void decide_passes(uint constant, uint count) {
    uint needed_passes = 0;
    for (uint pass = 0; pass < DIGIT_PASSES; ++pass) {
        needed_passes += 1u - ((constant >> pass) & 1u);
    }
#if SIZED
    complete_passes(constant, needed_passes);
#endif
    uint next = pc.firstSlot != kFirstAny ? pc.firstSlot : (needed_passes & 1u) != 0 ? 1 : 2;
    uint slot = 0;
    uint done = 0;
    uint parity = 0;
    DispatchArgs none = DispatchArgs(0, 0, 0);
    DispatchArgs groups = dispatch_args(pc.spineGroups > 0 ? control.groups : control.tiles);
    bool packed_result = has_flag(kFlagPacked);
    for (uint pass = 0; pass < DIGIT_PASSES; ++pass) {
        bool enabled = ((constant >> pass) & 1u) == 0;
#if !SIZED
        args.passes[pass] = none;
        args.spines[pass] = none;
#endif
        control.passes[pass].enabled = enabled ? 1 : 0;
        if (enabled) {
#if !SIZED
            args.passes[pass] = groups;
            if (pc.spineGroups > 0) {
                args.spines[pass] = DispatchArgs(kRadix, 1, 1);
            }
#endif
            uint flags = slot == 0 ? kPassFirst : 0;
            if (done + 1 == needed_passes) {
                flags |= has_flag(kFlagDiscardKeys) ? kPassNoKeys : packed_result ? 0 : kPassLast;
            }
            control.passes[pass].source = slot;
            control.passes[pass].destination = next;
            control.passes[pass].flags = flags;
            control.passes[pass].parity = parity;
            control.tickets[pass] = 0;
            slot = next;
            next = 3 - next;
            ++done;
            // What is scattered has no status, and clears none for the next pass.
            if (SHARED_BY_STAGES != 0 || pass > 0 || !has_flag(kFlagScattered)) {
                parity ^= 1u;
            }
        }
    }
    control.digitPassesRun = needed_passes;
#if !SIZED
    // What no pass has brought to slot 1, or to the packed result, the copy brings there.
    bool in_place = pc.firstSlot == kFirst2;
    bool moved = slot == 1 || (slot == 0 && in_place);
    bool copy_keys = !has_flag(kFlagDiscardKeys) && (packed_result ? !(slot == 0 && in_place) : !moved);
    bool copy_values = VALUE_WORDS > 0 && (!moved || (slot == 0 && has_flag(kFlagArgsort)));
    uint copy_flags = (copy_keys ? kCopyKeys : 0) | (copy_values ? kCopyValues : 0);
    control.copyFrom = slot;
    control.copyFlags = copy_flags;
    control.copied = copy_flags != 0 && count > 0 ? 1 : 0;
    args.copy = copy_flags != 0 ? dispatch_args(divide_up(count, pc.copyChunk)) : none;
#endif
}

// Every key is counted at every position, so one sum runs over all positions, each of which begins at a multiple of the
// count. Other workgroups may have added to the bins in this dispatch: they are read by atomics, too.
void scan_bins(uint count) {
    if (thread_index == 0) {
        s_constant = atomicOr(control.disorder, 0) == 0 ? 0xFFFFFFFFu : 0;
    }
    barrier();
    uint bins[BINS_PER_THREAD];
    uint sum = 0;
    [[unroll]] for (uint j = 0; j < BINS_PER_THREAD; ++j) {
        uint at = thread_index * BINS_PER_THREAD + j;
        bins[j] = at < kBins ? atomicOr(state[pc.binsOffset + at], 0) : 0;
        sum += bins[j];
        if (at < kBins && bins[j] == count) { // so with count 0 and 1 no pass is needed
            atomicOr(s_constant, 1u << (at / kRadix));
        }
    }
    uint next = wg_exclusive_add(sum);
    [[unroll]] for (uint j = 0; j < BINS_PER_THREAD; ++j) {
        uint at = thread_index * BINS_PER_THREAD + j;
        if (at < kBins) {
            state[pc.binsOffset + at] = next - at / kRadix * count;
        }
        next += bins[j];
    }
    if (thread_index == 0) {
        decide_passes(s_constant, count);
    }
}
