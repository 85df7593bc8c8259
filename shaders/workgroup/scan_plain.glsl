// SPDX-License-Identifier: MIT
//
// Exclusive prefix sum of one number an invocation, for kernels that rank by counters, which CPU drivers run above all:
// these take long to compile barriers, of which scan_shared.glsl has more, and seconds for loops that they unroll. Ends with
// a barrier.
const uint kScanRun = 8;
const uint SCAN_RUNS = (WORKGROUP_SIZE + kScanRun - 1) / kScanRun;
shared uint s_scan[SCAN_RUNS * kScanRun];
shared uint s_scan_runs[SCAN_RUNS];

// `total`: the sum over the whole workgroup.
uint wg_exclusive_add(uint value, out uint total) {
    s_scan[thread_index] = value;
    barrier();
    uint sum = 0;
    [[dont_unroll]] for (uint i = 0; i < kScanRun; ++i) {
        uint at = thread_index * kScanRun + i;
        if (at < WORKGROUP_SIZE) {
            uint next = s_scan[at];
            s_scan[at] = sum;
            sum += next;
        }
    }
    if (thread_index < SCAN_RUNS) {
        s_scan_runs[thread_index] = sum;
    }
    barrier();
    uint run = thread_index / kScanRun;
    uint before = 0;
    total = 0;
    [[dont_unroll]] for (uint i = 0; i < SCAN_RUNS; ++i) {
        uint next = s_scan_runs[i];
        before += i < run ? next : 0;
        total += next;
    }
    uint result = s_scan[thread_index] + before;
    barrier();
    return result;
}

uint wg_exclusive_add(uint value) {
    uint total;
    return wg_exclusive_add(value, total);
}
