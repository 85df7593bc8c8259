// SPDX-License-Identifier: MIT
//
// The range of samples[] and of the keys that they stand for, for bucket_sort: as a scaling, or by distribution as a
// numbering, whose inner piece it is. Needs device/buckets.glsl, workgroup/extremes.glsl and workgroup/uniformity.glsl.
// clear_extremes() and a barrier must come before.

Margins margins = Margins(0.0, 1.0);

#if KEY_WORDS == 1

Key sum_to_most(Key a, Key b) {
    return a + min(b, ~a);
}

Key difference_from_0(Key a, Key b) {
    return a - min(a, b);
}

uint leading_zeros(Key key) {
    return key == 0 ? 31 : 31 - findMSB(key);
}

Key four_times_to_far(Key span) {
    return min(span, kFar / 4) * 4;
}

// Of keys that have these highest words, all there may be.
Scaling range_of_words(uint first, uint last) {
    return Scaling(first, last - first, 0);
}

#else

// `b` is below 2^63.
Key sum_to_most(Key a, Key b) {
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    uint high = a.y + b.y + carry;
    return high < a.y ? kPadKey : Key(low, high);
}

Key difference_from_0(Key a, Key b) {
    return key_before(a, b) ? Key(0) : distance_of(Scaling(b, Key(0), 0), a);
}

uint leading_zeros(Key key) {
    return key.y != 0 ? 31 - findMSB(key.y) : key.x != 0 ? 63 - findMSB(key.x) : 63;
}

Key four_times_to_far(Key span) {
    return span.y >= kFar / 4 ? Key(0, kFar) : Key(span.x << 2, span.y << 2 | span.x >> 30);
}

Scaling range_of_words(uint first, uint last) {
    return Scaling(Key(0, first), Key(0xFFFFFFFFu, last - first), 0);
}

#endif

#if KEY_WORDS == 1

// Range of the sampled keys and of what they stand for. Its shift is that of its greatest distance's highest word.
Scaling find_range() {
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        least = min(least, samples[i]);
        greatest = max(greatest, samples[i]);
    }
    add_extremes(least, greatest);
    uvec2 range = with_margin(s_least, s_greatest);
    uint span = range.y - range.x;
    margins = margins_of(range, s_least, s_greatest);
    return Scaling(range.x, span, leading_zeros(span));
}

#else

// First by the high words only, and then by the key word that tells the distances from there apart.
Scaling find_range() {
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        least = min(least, samples[i].y);
        greatest = max(greatest, samples[i].y);
    }
    add_extremes(least, greatest);
    uvec2 high = with_margin(s_least, s_greatest);
    high = uvec2(high.x - min(high.x, 1), high.y + min(0xFFFFFFFFu - high.y, 1));
    uint bits = findMSB(high.y - high.x) + 1; // 1 to 32, of the high words' distances
    Scaling from_high = Scaling(Key(0, high.x), kPadKey, 32 - bits);
    barrier();
    clear_extremes();
    barrier();
    least = 0xFFFFFFFFu;
    greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = scaled_key(from_high, distance_of(from_high, samples[i])).y;
        least = min(least, word);
        greatest = max(greatest, word);
    }
    add_extremes(least, greatest);
    uvec2 range = with_margin(s_least, s_greatest);
    uint width = range.y - range.x;
    margins = margins_of(range, s_least, s_greatest);
    uint shift = width == 0 ? 31 : 31 - findMSB(width);
    // Back to distances, whose last `bits` bits the key word leaves out.
    bool by_word = bits == 32;
    uint below = by_word ? 0xFFFFFFFFu : (1u << bits) - 1u;
    Key first = by_word ? Key(0, range.x) : Key(range.x << bits, range.x >> (32 - bits));
    Key span = by_word ? Key(below, width) : Key(width << bits | below, width >> (32 - bits));
    return Scaling(Key(first.x, first.y + high.x), span, shift + 32 - bits);
}

#endif

// By distribution.
Numbering find_numbering() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = highest_word(samples[i]);
        note_extremes(word >> 31, word, word);
    }
    barrier();
    uvec2 leasts = uvec2(s_leasts[0], s_leasts[1]);
    uvec2 greatests = uvec2(s_greatests[0], s_greatests[1]);
    uvec2 gap = uvec2(0xFFFFFFFFu);
    Scaling sampled;
    if (all(lessThanEqual(leasts, greatests))) { // on both sides of 0
        gap = uvec2(greatests.x + min(~greatests.x & 0x7FFFFFFFu, kFar), leasts.y - min(leasts.y & 0x7FFFFFFFu, kFar));
        sampled = range_of_words(leasts.x, gap.x + (greatests.y - gap.y));
    } else {
        barrier();
        clear_extremes();
        barrier();
        sampled = find_range();
    }
    Key beside = four_times_to_far(sampled.span);
    Key least = difference_from_0(sampled.least, beside);
    Key span = difference_from_0(sum_to_most(sum_to_most(sampled.least, sampled.span), beside), least);
    return Numbering(gap.x, gap.y, Scaling(least, span, min(leading_zeros(span), 31)));
}
