// SPDX-License-Identifier: MIT
//
// onesweep, keys alone that are dealt by one digit place and counted by another (radix_run_counts.comp, radix_runs.comp): the keys of a digit
// of the first one are a part, in slot 2 and in the result.
const uint RUN_ELEMENTS = TILE_SIZE * kRunTiles; // that a workgroup takes

shared uint s_part_ends[kRadix];

// How many keys of the part have a digit of the other place. The look-back status, which no pass needs then, and which the histogram clears.
uint run_count_word(uint part, uint digit) {
    return pc.statusOffset + part * kRadix + digit;
}

// Dealing has moved where each digit begins to where it ends. A barrier must follow.
void load_part_ends() {
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        s_part_ends[i] = state[pc.binsOffset + control.dealtPlace * kRadix + i];
    }
}

uint part_of(uint element) {
    uint part = 0;
    [[unroll]] for (uint step = kRadix / 2; step > 0; step /= 2) {
        part += s_part_ends[part + step - 1] <= element ? step : 0;
    }
    return part;
}
