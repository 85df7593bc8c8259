#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// reduce_scan, between the histogram and the passes, one workgroup: what the histogram's last workgroup does for onesweep.
#include "config.glsl"
#include "buffers.glsl"
#include "device/dispatch.glsl"
#include "workgroup/scan_shared.glsl"
#include "device/decide_passes.glsl"

void main() {
    if (is_own_count()) {
        scan_bins(control.count);
    }
}
