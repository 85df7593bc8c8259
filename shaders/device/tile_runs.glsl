// SPDX-License-Identifier: MIT
//
// reduce_scan scatters the tiles to control.groups workgroups in runs of neighbours whose lengths differ by one at most.
uint first_tile_of(uint group) {
    return group * (control.tiles / control.groups) + min(group, control.tiles % control.groups);
}
