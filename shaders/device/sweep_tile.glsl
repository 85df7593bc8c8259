// SPDX-License-Identifier: MIT
//
// What a digit pass of onesweep does with a tile: it ranks the keys, hands the counts on to later tiles, and scatters keys
// and values to their destinations.

#if RANK_ATOMICS
#define EXTRA_TILE_WORDS 1 // partition.glsl's kSlotsBefore
#endif
#define VALUES_LAST 1
#include "../workgroup/rank.glsl"
#include "../workgroup/partition.glsl"
#include "lookback.glsl"
#if RANK_ATOMICS
#include "../workgroup/redo_tile.glsl"

shared uint s_unordered;
#endif

#ifndef BEFORE_SCATTER
#define BEFORE_SCATTER(number)
#endif

// By one invocation, before the caller's barrier in front of sweep_tile; clear_counts() likewise, by all.
void begin_tile() {
    s_blocked = 0;
#if RANK_ATOMICS
    s_unordered = 0;
#endif
}

// `number` is the digit position's, `pass` what was decided of it. Earlier tiles that no workgroup has begun are counted
// here, after SPIN_LIMIT failed reads.
void sweep_tile(PassControl pass, uint number, uint tile, uint count) {
    DigitPosition position = digit_position(number);
    uint base = tile * TILE_SIZE;
    uint tile_count = min(count - base, TILE_SIZE);

#if RANK_ATOMICS
    ranks_backwards = DISORDER_MODULO != 0 && tile % DISORDER_MODULO == 0;
    tile_in_order = true;
#endif
    load_tile(pass, base, tile_count);
    if (VALUE_WORDS == 1) {
        touch_values(pass, base, tile_count);
    }
    count_digits(position, tile_count);
    if (VALUE_WORDS == 1) {
        keep_values();
    }
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            post_status(pass, tile, own_digit(j), digit_counts[j] + kStatusPartial);
            // The next pass's status: nothing reads it before that begins.
            state[pc.statusOffset + ((pass.parity ^ 1u) * pc.maxTiles + tile) * kRadix + own_digit(j)] = 0;
        }
    }
    uint bases[DIGITS_PER_THREAD]; // asked for early, as their use comes after the long wait
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            bases[j] = state[pc.binsOffset + number * kRadix + own_digit(j)];
        }
    }
    rank_keys(position);
#if EARLY_STATUS
    ask_for_status(pass, tile);
#endif
    stage_first_round();
    find_destinations(pass, position, tile, bases);
    BEFORE_SCATTER(number)
    scatter_tile(pass, position, base, tile_count);
#if RANK_ATOMICS
    if (!tile_in_order) {
        atomicOr(s_unordered, 1);
    }
    barrier();
    if (s_unordered != 0) {
        // Writes of misranked elements must come before redo_tile's writes to the same destinations.
        controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                       gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
        redo_tile(pass, position, base, tile_count);
        if (thread_index == 0) {
            atomicAdd(control.fallbacks, 1, gl_ScopeDevice, 0, 0);
        }
    }
#endif
}
