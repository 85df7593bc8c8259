#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// One digit place of an LSD radix sort in one read and one write of the data. One workgroup a tile; tiles are numbered
// by an atomic ticket, so that a workgroup's predecessors have all started.
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

#if RANK_ATOMICS
#define EXTRA_TILE_WORDS 1 // partition.glsl's kSlotsBefore
#endif
#define VALUES_LAST 1
#include "config.glsl"
#include "buffers.glsl"
#include "workgroup/rank.glsl"
#include "workgroup/partition.glsl"
#include "device/lookback.glsl"
#if RANK_ATOMICS
#include "workgroup/redo_tile.glsl"

shared uint s_unordered;
#endif

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
        s_blocked = 0;
#if RANK_ATOMICS
        s_unordered = 0;
#endif
    }
    clear_counts();
    barrier();
    uint tile = s_ticket;
    if (tile >= tiles) { // a surplus workgroup of a folded dispatch
        return;
    }
    DigitPlace place = digit_place(pc.pass);
    uint base = tile * TILE_SIZE;
    uint tile_count = min(count - base, TILE_SIZE);

#if RANK_ATOMICS
    ranks_backwards = DISORDER_MODULO != 0 && tile % DISORDER_MODULO == 0;
#endif
    load_tile(pass, base, tile_count);
#if RANK_MATCH
    if (VALUE_WORDS == 1) {
        touch_values(pass, base, tile_count);
    }
#endif
    count_digits(place, tile_count);
#if RANK_MATCH
    if (VALUE_WORDS == 1) {
        keep_values();
    }
#endif
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            post_status(pass, tile, own_digit(j), digit_counts[j] + kStatusPartial);
            // The next pass's status: nobody reads it before the next dispatch.
            state[pc.statusOffset + ((pass.parity ^ 1u) * pc.maxTiles + tile) * kRadix + own_digit(j)] = 0;
        }
    }
    uint bases[DIGITS_PER_THREAD]; // asked for early, as their use comes after the long wait
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            bases[j] = state[pc.binsOffset + pc.pass * kRadix + own_digit(j)];
        }
    }
    rank_keys(place);
#if EARLY_STATUS
    ask_for_status(pass, tile);
#endif
    stage_first_round();
    find_destinations(pass, place, tile, bases);
    scatter_tile(pass, place, base, tile_count);
#if RANK_ATOMICS
    if (!tile_in_order) {
        s_unordered = 1;
    }
    barrier();
    if (s_unordered != 0) {
        // What was written to the wrong places comes before what redo_tile writes there.
        controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                       gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
        redo_tile(pass, place, base, tile_count);
        if (thread_index == 0) {
            atomicAdd(control.fallbacks, 1, gl_ScopeDevice, 0, 0);
        }
    }
#endif
}
