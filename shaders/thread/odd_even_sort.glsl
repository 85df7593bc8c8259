// SPDX-License-Identifier: MIT
//
// An invocation's keys and their source indices in the tile, and their stable sort in registers by an odd-even transposition
// network, which exchanges neighbours only, and never equal ones.

Key keys[KEYS_PER_THREAD];
uint sources[KEYS_PER_THREAD]; // source index in the tile of each key

// The first `count` keys. Bit i of `heads`: key i begins a segment, so nothing passes between i - 1 and i.
void sort_in_registers(uint count, uint heads) {
    KEY_LOOP for (uint round = 0; round < KEYS_PER_THREAD; ++round) {
        KEY_LOOP for (uint i = 1; i < KEYS_PER_THREAD; ++i) {
            if (i % 2 == (round + 1) % 2 && i < count && (heads >> i & 1u) == 0 && key_before(keys[i], keys[i - 1])) {
                Key key = keys[i];
                keys[i] = keys[i - 1];
                keys[i - 1] = key;
                uint slot_at = sources[i];
                sources[i] = sources[i - 1];
                sources[i - 1] = slot_at;
            }
        }
    }
}
