#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// onesweep in one dispatch: counts all digit positions, and then executes the passes, in stages (device/stages.glsl). When
// it begins, the control block's tickets and chunks of stages are 0, and so are the counts and digit bins.
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

#define SHARED_BY_STAGES 1
#define SIZED 1
#include "config.glsl"
#include "buffers.glsl"
#include "device/dispatch.glsl"
#include "device/stages.glsl"
#define BEFORE_SCATTER(number) ask_for_chunk(number);
#include "device/sweep_tile.glsl"
#include "device/decide_passes.glsl"
#include "workgroup/count_all_digits.glsl"

const uint kCountTicket = kMaxDigitPasses;

void clear_status(uint tile) {
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        state[pc.statusOffset + tile * kRadix + i] = 0;
    }
}

// False if this workgroup is to leave.
bool count_all(uint tiles, uint count) {
    bool in_order = atomicLoad(control.disorder, gl_ScopeDevice, 0, 0) == 0; // others may add to it
    clear_digit_counts();
    uint counted = 0;
    while (true) {
        ask_for_chunk(kCountTicket);
        uint tile = next_tile_number();
        if (tile >= tiles) {
            break;
        }
        count_all_digits(tile * TILE_SIZE, min(count - tile * TILE_SIZE, TILE_SIZE), count, in_order);
        clear_status(tile);
        ++counted;
        barrier();
    }
    if (counted > 0) {
        if (!in_order) {
            note_disorder();
        }
        barrier();
        add_digit_counts();
        if (finish_chunks(0, counted) == tiles) {
            scan_bins(count);
            finish_chunks(0, 1);
            return true;
        }
    }
    return wait_for_chunks(0, tiles + 1);
}

// The digit position from `number` on that is sorted by.
uint next_position(uint number) {
    while (number < DIGIT_PASSES && control.passes[number].enabled == 0) {
        ++number;
    }
    return number;
}

void main() {
    if (!has_flag(kFlagSizedByArgs) && (!is_own_count() || control.sweeping == 0)) {
        return;
    }
    uint count = element_count();
    uint tiles = divide_up(count, TILE_SIZE);
    if (!count_all(tiles, count)) {
        return;
    }
    uint number = next_position(0);
    for (uint stage = 1; number < DIGIT_PASSES; ++stage) {
        PassControl pass = control.passes[number];
        uint swept = 0;
        ask_for_chunk(number);
        while (true) {
            if (thread_index == 0) {
                begin_tile();
            }
            clear_counts();
            uint tile = next_tile_number();
            if (tile >= tiles) {
                break;
            }
            sweep_tile(pass, number, tile, count); // asks for the next chunk
            ++swept;
            barrier();
        }
        number = next_position(number + 1);
        bool last = swept > 0 && finish_chunks(stage, swept) == tiles;
        if (number < DIGIT_PASSES && !last && !wait_for_chunks(stage, tiles)) {
            return;
        }
    }
}
