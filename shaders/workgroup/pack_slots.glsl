// SPDX-License-Identifier: MIT
//
// Packs a key and its slot in the bucket in 64 bits, the slot last. The slot, sorted along, tells where the value of a
// sorted key is. A bucket's keys are near each other, so that 64 bits mostly suffice. By distribution the keys may be far
// apart; where 64 bits are too few, keys are looked for when they have been sorted. With INDICES 1 only; needs
// workgroup/bin_sort.glsl.

struct Packing {
    bool fits_the_device;
    uint least;      // a lower bound of the bucket's scaled keys, not far off
    uint index_bits; // in the high word
};

const uint kSlotMask = (1u << kBucketSlotBits) - 1u;

Packing packing_of(uint bucket, uint scale) {
    uint index_bits = uint(max(findMSB(control.count) + 1 - int(32 - kBucketSlotBits), 0));
    if (BY_DISTRIBUTION) {
        bool fits_the_device = findMSB(s_greatest - s_least) + 1 + index_bits <= 32;
        return Packing(fits_the_device, s_least, index_bits);
    }
    float least = float(bucket) * (4294967296.0 / float(scale)); // to 24 bits
    return Packing(true, uint(max(least - 2048.0, 0.0)), index_bits);
}

Key packed_key(Packing packing, Key key, uint slot) {
    return Key(key.x << kBucketSlotBits | slot, (key.y - packing.least) << packing.index_bits |
        key.x >> (32 - kBucketSlotBits));
}

// The scaled key above its slot.
Key unpacked_key(Packing packing, Key key) {
    return Key(key.x & kSlotMask, (key.y >> packing.index_bits) + packing.least);
}

// By distribution: the extremes of the bucket's scaled keys. Behind clear_bins(); has barriers.
void find_extremes() {
    clear_extremes();
    barrier();
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        least = min(least, keys[i].y);
        greatest = max(greatest, keys[i].y);
    }
    add_extremes(least, greatest);
}

// Packs the slot of each of the invocation's keys below it.
void pack_keys(Packing packing) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = packed_key(packing, keys[i], element_of(i));
    }
}

void unpack_keys(Packing packing) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = unpacked_key(packing, keys[i]);
    }
}
