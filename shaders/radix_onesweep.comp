#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// One digit place of an LSD radix sort in one read and one write of the data. One workgroup a tile; tiles are numbered
// by an atomic ticket, so that a workgroup's predecessors have all started.
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

#include "config.glsl"
#include "buffers.glsl"
#include "device/sweep_tile.glsl"

shared uint s_ticket;

void main() {
    // Read before the barrier: their latency hides behind the ticket's.
    PassControl pass = control.passes[pc.pass];
    if (pass.enabled == 0) { // and yet dispatched
        return;
    }
    uint tiles = control.tiles;
    uint count = control.count;
    if (thread_index == 0) {
        s_ticket = atomicAdd(control.tickets[pc.pass], 1, gl_ScopeDevice, 0, 0);
        begin_tile();
    }
    clear_counts();
    barrier();
    uint tile = s_ticket;
    if (tile < tiles) { // else a surplus workgroup of a folded dispatch
        sweep_tile(pass, pc.pass, tile, count);
    }
}
