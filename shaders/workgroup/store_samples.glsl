// SPDX-License-Identifier: MIT
//
// Stores the samples of a list that passes of four lists go on with, as device/fourway_lists.glsl has them: from the `count`
// keys in s_tile, before which the list has `before` keys from element `begin` on.
void store_samples(uint begin, uint before, uint count) {
    uint i = before / kSampleStep + thread_index;
    uint at = (i + 1) * kSampleStep - 1 - before;
    if (at < count) {
        uint word = sample_word(begin, i);
        Key key = tile_key(at);
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            state[word + w] = key_word(key, w);
        }
    }
}
