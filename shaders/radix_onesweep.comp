#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// One digit position of an LSD radix sort in one read and one write of the data. One workgroup a tile; tiles are numbered by
// an atomic ticket, so that a workgroup's predecessors have all started. Where a device starts workgroups in their order,
// though nothing promises it, they have the numbers of these instead: look-back (device/lookback.glsl) waits for no
// workgroup without bound, so that the order is a matter of speed alone.
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

#include "config.glsl"
#include "buffers.glsl"
#define DIGITS_ANEW (VALUE_WORDS == 0)
#include "device/sweep_tile.glsl"

const bool TILE_IS_GROUP = (FLAGS & kFlagTileIsGroup) != 0;
shared uint s_ticket;

uint group_tile() {
    return (FLAGS & kFlagBackwards) != 0 ? group_from_last : group_index;
}

void main() {
    // Read before the barrier: their latency hides behind the ticket's.
    PassControl pass = control.passes[pc.pass];
    if (pass.enabled == 0) { // and yet dispatched
        return;
    }
    uint tiles = control.tiles;
    uint count = control.count;
    if (thread_index == 0) {
        if (!TILE_IS_GROUP) {
            s_ticket = atomicAdd(control.tickets[pc.pass], 1, gl_ScopeDevice, 0, 0);
        }
        begin_tile();
    }
    clear_counts();
    barrier();
    uint tile = TILE_IS_GROUP ? group_tile() : s_ticket;
    if (tile < tiles) { // else a surplus workgroup of a folded dispatch
        sweep_tile(pass, pc.pass, tile, count);
    }
}
