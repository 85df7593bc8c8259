#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Between the histogram and the passes, one workgroup: turns each digit place's bins into exclusive sums, finds the
// places in which every key has the same digit, and so decides which passes run and between which buffers.
#include "config.glsl"
#include "buffers.glsl"
#include "workgroup/scan_shared.glsl"
#include "device/dispatch.glsl"

shared uint s_constant; // bit p: all keys have the same digit in place p, or are in order already

// Chooses source and destination of every pass that runs. Slots 1 and 2 alternate; see kFirst... for where to begin.
void decide_passes() {
    uint count = control.count;
    uint running = 0;
    for (uint pass = 0; pass < pc.digitPasses; ++pass) {
        running += 1u - ((s_constant >> pass) & 1u);
    }
    uint next = pc.firstSlot != kFirstAny ? pc.firstSlot : (running & 1u) != 0 ? 1 : 2;
    uint slot = 0;
    uint done = 0;
    DispatchArgs none = DispatchArgs(0, 0, 0);
    DispatchArgs groups = dispatch_args(pc.spineGroups > 0 ? control.groups : control.tiles);
    bool packed_result = has_flag(kFlagPacked);
    for (uint pass = 0; pass < pc.digitPasses; ++pass) {
        bool enabled = ((s_constant >> pass) & 1u) == 0;
        args.passes[pass] = none;
        args.spines[pass] = none;
        control.passes[pass].enabled = enabled ? 1 : 0;
        if (enabled) {
            args.passes[pass] = groups;
            if (pc.spineGroups > 0) {
                args.spines[pass] = DispatchArgs(kRadix, 1, 1);
            }
            uint flags = slot == 0 ? kPassFirst : 0;
            if (done + 1 == running) {
                flags |= has_flag(kFlagDiscardKeys) ? kPassNoKeys : packed_result ? 0 : kPassLast;
            }
            control.passes[pass].source = slot;
            control.passes[pass].destination = next;
            control.passes[pass].flags = flags;
            control.passes[pass].parity = done & 1u;
            control.tickets[pass] = 0;
            slot = next;
            next = 3 - next;
            ++done;
        }
    }
    control.digitPassesRun = running;

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
}

void main() {
    if (thread_index == 0) {
        s_constant = control.disorder == 0 ? 0xFFFFFFFFu : 0;
    }
    barrier();
    uint count = control.count;
    for (uint pass = 0; pass < pc.digitPasses; ++pass) {
        uint bins[DIGITS_PER_THREAD];
        uint sum = 0;
        uint row = pc.binsOffset + pass * kRadix + thread_index * DIGITS_PER_THREAD;
        if (thread_index < DIGIT_THREADS) {
            [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
                bins[j] = state[row + j];
                sum += bins[j];
                if (bins[j] == count) { // so with count 0 and 1 nothing runs
                    atomicOr(s_constant, 1u << pass);
                }
            }
        }
        uint total;
        uint next = wg_exclusive_add(sum, total);
        if (thread_index < DIGIT_THREADS) {
            [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
                state[row + j] = next;
                next += bins[j];
            }
        }
    }
    barrier();
    if (thread_index == 0) {
        decide_passes();
    }
}
