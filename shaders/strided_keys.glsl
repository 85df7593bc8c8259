// SPDX-License-Identifier: MIT
//
// Key i of the caller's input where it is not an array of whole words, as it stands there.
Key load_strided_key(uint i) {
    uint at = pc.keyOffset + i * pc.keyStride;
    uint word = keys0_words[at >> 2];
#if KEY_WORDS == 1
    return (word >> ((at & 3u) * 8u)) << (32u - 8u * pc.keyBytes);
#else
    return uvec2(word, keys0_words[(at >> 2) + 1]);
#endif
}
