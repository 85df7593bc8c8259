// SPDX-License-Identifier: MIT
//
// Sorts a bucket by comparing each key with all others, where too many share a bin and the order of equal keys counts.
// Follows workgroup/bin_sort.glsl, in whose slots it leaves the keys; with INDICES only.

// Leaves in bins[] where each key went.
void sort_by_comparing(uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bins[i] = 0;
        if (element_of(i) < length) {
            store_shared_key(element_of(i), keys[i]);
        }
    }
    barrier();
    for (uint j = 0; j < length; ++j) {
        Key other = shared_key(j);
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
#if INDICES == 2
            bins[i] += other == keys[i] ? uint(IS_EARLIER(j, element_of(i))) : uint(key_before(other, keys[i]));
#else
            bins[i] += key_before(other, keys[i]) ? 1 : 0;
#endif
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            store_shared_key(bins[i], keys[i]);
        }
    }
    barrier();
}
