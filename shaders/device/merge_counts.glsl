// SPDX-License-Identifier: MIT
//
// How much a merge or a sort by merging has to do. Where the host knows the counts of a merge they are in the push constants, and no setup
// comes before the partition.
bool has_host_counts() {
    return has_flag(kFlagTwoInputs) && !has_flag(kFlagCountFromBuffer);
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

uint passes_of(uint tiles) {
    uint doublings = tiles > 1 ? findMSB(tiles - 1) + 1 : 0;
    return has_flag(kFlagTwoInputs) ? min(tiles, 1u) : has_flag(kFlagFourWay) ? divide_up(doublings, 2) : doublings;
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
