// SPDX-License-Identifier: MIT
//
// Decoupled look-back with fallback over digit counts. Every tile posts how many keys of each digit it has (partial),
// then how many it and all tiles before it have (inclusive); a successor adds up partials backwards until it meets an
// inclusive word. Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016; Adinets and
// Merrill, "Onesweep", 2022. When a word does not come, the reader counts that tile itself and posts the result:
// Smith, Levien and Owens, "Decoupled Fallback", 2025. So no workgroup waits for another without bound.
//
// A word holds flag and count together (host/radix.h), is the only thing that passes between workgroups, and grows
// monotonically: relaxed atomics at device scope are enough, and posting by atomicMax can never take anything back.

const uint kStatusInclusive = TILE_SIZE + 2;
const uint kLookbackDepth = 4; // words read at once: their latencies overlap

shared uint s_blocked; // 1 + the latest tile some digit waits for; 0: none

uint status_word(PassControl pass, uint tile, uint digit) {
    return pc.statusOffset + (pass.parity * pc.maxTiles + tile) * kRadix + digit;
}

void post_status(PassControl pass, uint tile, uint digit, uint word) {
    if (STALL_MODULO != 0 && tile % STALL_MODULO == STALL_MODULO - 1) {
        return;
    }
    atomicStore(state[status_word(pass, tile, digit)], word, gl_ScopeDevice, 0, 0);
}

// The words of tiles remaining-1, remaining-2, ...; there is one.
void read_status(PassControl pass, uint digit, uint remaining, out uint words[kLookbackDepth]) {
    [[unroll]] for (uint i = 0; i < kLookbackDepth; ++i) {
        uint tile = remaining - 1 - min(i, remaining - 1);
        words[i] = atomicLoad(state[status_word(pass, tile, digit)], gl_ScopeDevice, 0, 0);
    }
}

// Adds to `before` what these words count, up to the first one that has not come. With an inclusive one all are in:
// `remaining` becomes 0.
#if RANK_ATOMICS || SHARED_BY_STAGES
// By branches: by selects NVIDIA's compiler takes 84 registers instead of 64 where additions rank; and one dispatch for all
// digit positions took up to 10 % longer with these and DIGITS_ANEW, which were not timed apart.
void add_status(uint words[kLookbackDepth], inout uint remaining, inout uint before) {
    bool open = true;
    [[unroll]] for (uint i = 0; i < kLookbackDepth; ++i) {
        if (open) {
            if (words[i] == 0) {
                open = false;
            } else if (words[i] >= kStatusInclusive) {
                before += words[i] - kStatusInclusive;
                remaining = 0;
                open = false;
            } else {
                before += words[i] - kStatusPartial;
                --remaining;
                open = remaining > 0;
            }
        }
    }
}
#else
// By selects: the digits of a subgroup do not go ways of their own.
void add_status(uint words[kLookbackDepth], inout uint remaining, inout uint before) {
    bool open = true;
    [[unroll]] for (uint i = 0; i < kLookbackDepth; ++i) {
        open = open && words[i] != 0 && remaining != 0;
        bool inclusive = words[i] >= kStatusInclusive;
        before += open ? words[i] - (inclusive ? kStatusInclusive : kStatusPartial) : 0;
        remaining = open ? (inclusive ? 0 : remaining - 1) : remaining;
    }
}
#endif

// Adds the counts of tiles remaining-1, remaining-2, ... to `before` until all are in (remaining becomes 0) or one of
// them has failed to show up SPIN_LIMIT times.
void look_back(PassControl pass, uint digit, inout uint remaining, inout uint before) {
    uint failures = 0;
    while (remaining > 0 && failures < SPIN_LIMIT) {
        uint words[kLookbackDepth];
        read_status(pass, digit, remaining, words);
        uint missing = remaining;
        // On NVIDIA's H200 passes of values are 1 % faster with the branch, of keys without values 3 % without.
        if (VALUE_WORDS == 0 || words[0] != 0) {
            add_status(words, remaining, before);
        }
        failures = remaining == missing ? failures + 1 : 0;
    }
}

// Whether the first words are asked for before the tile is staged, and so are here when it is. (On NVIDIA's H200 that is 1 %
// of a pass that ranks by ballots; one that ranks by atomics comes to its look-back earlier, and loses 1 %.)
#define EARLY_STATUS !RANK_ATOMICS
#if EARLY_STATUS
uint early_status[DIGITS_PER_THREAD][kLookbackDepth];

void ask_for_status(PassControl pass, uint tile) {
    if (owns_digits() && tile > 0) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            read_status(pass, own_digit(j), tile, early_status[j]);
        }
    }
}
#endif

// Counts a predecessor's tile from the pass's input and posts the partial words it owes. The whole workgroup takes part.
void count_for(PassControl pass, DigitPosition position, uint tile) {
    [[unroll]] for (uint i = 0; i < kRadix; i += WORKGROUP_SIZE) {
        if (i + thread_index < kRadix) {
            s_destinations[i + thread_index] = 0;
        }
    }
    barrier();
    bool first = (pass.flags & kPassFirst) != 0;
    for (uint i = 0; i < KEYS_PER_THREAD; ++i) { // a predecessor's tile is full
        Key key = load_ordered_key(pass.source, first, tile * TILE_SIZE + tile_slot(i));
        atomicAdd(s_destinations[digit_of(key, position)], 1);
    }
    barrier();
    if (owns_digits()) {
        for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            uint digit = own_digit(j);
            atomicMax(state[status_word(pass, tile, digit)], s_destinations[digit] + kStatusPartial, gl_ScopeDevice, 0, 0);
        }
    }
    if (thread_index == 0) {
        atomicAdd(control.fallbacks, 1, gl_ScopeDevice, 0, 0);
    }
}

// Finds where each digit of the tile goes, from where all keys of the digit go (`bases`), and leaves it in s_destinations.
// Ends with a barrier. s_blocked must be 0. With EARLY_STATUS after ask_for_status.
void find_destinations(PassControl pass, DigitPosition position, uint tile, uint bases[DIGITS_PER_THREAD]) {
    uint remaining[DIGITS_PER_THREAD];
    uint before[DIGITS_PER_THREAD];
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        remaining[j] = owns_digits() ? tile : 0;
        before[j] = 0;
#if EARLY_STATUS
        if (remaining[j] > 0) {
            add_status(early_status[j], remaining[j], before[j]);
        }
#endif
    }
    while (true) {
        if (owns_digits()) {
            [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
                uint digit = own_digit(j);
                look_back(pass, digit, remaining[j], before[j]);
                if (remaining[j] == 0) {
                    post_status(pass, tile, digit, before[j] + digit_counts[j] + kStatusInclusive);
                    s_destinations[digit] = bases[j] + before[j] - digit_starts[j];
                } else {
                    atomicMax(s_blocked, remaining[j]);
                }
            }
        }
        barrier();
        uint blocked = s_blocked;
        if (blocked == 0) {
            return;
        }
        barrier();
        if (thread_index == 0) {
            s_blocked = 0;
        }
        count_for(pass, position, blocked - 1);
    }
}
