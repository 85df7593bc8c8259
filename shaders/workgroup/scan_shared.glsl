// SPDX-License-Identifier: MIT
//
// Exclusive prefix sum of one number an invocation, without subgroup operations: the sums of kScanChunk neighbours are added
// up by one invocation each. For kernels of one workgroup, or a few, that all devices share. Not for kernels that use the
// Vulkan memory model: lavapipe's subgroups lose step there where a loop has not the same trip count in all invocations
// (docs/log/cpu-drivers.md). Ends with a barrier.
const uint kScanChunk = 8;
const uint SCAN_CHUNKS = (WORKGROUP_SIZE + kScanChunk - 1) / kScanChunk;
shared uint s_scan[SCAN_CHUNKS * kScanChunk];
shared uint s_scan_chunks[SCAN_CHUNKS + 1];

// `total`: the sum over the whole workgroup.
uint wg_exclusive_add(uint value, out uint total) {
    s_scan[thread_index] = value;
    barrier();
    if (thread_index < SCAN_CHUNKS) {
        uint sum = 0;
        [[unroll]] for (uint i = 0; i < kScanChunk; ++i) {
            uint at = thread_index * kScanChunk + i;
            uint next = at < WORKGROUP_SIZE ? s_scan[at] : 0;
            s_scan[at] = sum;
            sum += next;
        }
        s_scan_chunks[thread_index] = sum;
    }
    barrier();
    if (thread_index == 0) {
        uint sum = 0;
        for (uint i = 0; i < SCAN_CHUNKS; ++i) {
            uint next = s_scan_chunks[i];
            s_scan_chunks[i] = sum;
            sum += next;
        }
        s_scan_chunks[SCAN_CHUNKS] = sum;
    }
    barrier();
    uint result = s_scan[thread_index] + s_scan_chunks[thread_index / kScanChunk];
    total = s_scan_chunks[SCAN_CHUNKS];
    barrier();
    return result;
}

uint wg_exclusive_add(uint value) {
    uint total;
    return wg_exclusive_add(value, total);
}
