// SPDX-License-Identifier: MIT
//
// How much a merge or a sort by merging has to do. Where the host knows the counts they are in the push constants, no setup
// comes first, and control is for the caller to read.
bool has_host_counts() {
    return has_flag(kFlagHostCounts);
}

uint first_count() {
    return has_host_counts() ? pc.count : control.countA;
}

uint whole_count() {
    return has_host_counts() ? pc.count + pc.countB : control.count;
}

uint whole_tiles() {
    return has_host_counts() ? divide_up(whole_count(), pc.tileSize) : control.tiles;
}

// Passes that make one list of the tiles.
uint passes_of(uint tiles) {
    uint doublings = tiles > 1 ? findMSB(tiles - 1) + 1 : 0;
    return has_flag(kFlagTwoInputs) ? min(tiles, 1u) : has_flag(kFlagFourWay) ? divide_up(doublings, 2) : doublings;
}

// How many passes merge sort needs.
uint whole_passes() {
    return has_host_counts() ? min(passes_of(whole_tiles()), pc.maxPasses) : control.passes;
}

// By one invocation.
void start_control(uint count_a, uint count) {
    control.count = count;
    control.digitPassesRun = 0;
    control.fallbacks = 0;
    control.copied = 0;
    control.tiles = divide_up(count, pc.tileSize);
    control.passes = min(passes_of(control.tiles), pc.maxPasses);
    control.countA = count_a;
}

// What a setup would do, by the first dispatch of those that have none.
void start_control_by_host() {
    if (has_host_counts() && group_index == 0 && gl_LocalInvocationIndex == 0) {
        start_control(pc.count, pc.count + pc.countB);
    }
}
