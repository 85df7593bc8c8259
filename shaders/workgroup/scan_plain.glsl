// SPDX-License-Identifier: MIT
//
// Exclusive prefix sum of one number an invocation, for kernels that rank by counters, which are mostly for CPU drivers.
// These drivers take long to compile barriers, of which scan_shared.glsl has more, and seconds to compile loops that they
// unroll. Ends with a barrier.
const uint kScanChunk = 8;
const uint SCAN_CHUNKS = (WORKGROUP_SIZE + kScanChunk - 1) / kScanChunk;
shared uint s_scan[SCAN_CHUNKS * kScanChunk];
shared uint s_scan_chunks[SCAN_CHUNKS];

// `total`: the sum over the whole workgroup.
uint wg_exclusive_add(uint value, out uint total) {
    s_scan[thread_index] = value;
    barrier();
    uint sum = 0;
    [[dont_unroll]] for (uint i = 0; i < kScanChunk; ++i) {
        uint at = thread_index * kScanChunk + i;
        if (at < WORKGROUP_SIZE) {
            uint next = s_scan[at];
            s_scan[at] = sum;
            sum += next;
        }
    }
    if (thread_index < SCAN_CHUNKS) {
        s_scan_chunks[thread_index] = sum;
    }
    barrier();
    uint chunk = thread_index / kScanChunk;
    uint before = 0;
    total = 0;
    [[dont_unroll]] for (uint i = 0; i < SCAN_CHUNKS; ++i) {
        uint next = s_scan_chunks[i];
        before += i < chunk ? next : 0;
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
