// SPDX-License-Identifier: MIT
//
// reduce_scan divides the tiles among control.groups workgroups, in runs of neighbours whose lengths differ by one at most.
// Returns the first tile of a workgroup's run.
uint first_tile_of(uint group) {
    return group * (control.tiles / control.groups) + min(group, control.tiles % control.groups);
}
