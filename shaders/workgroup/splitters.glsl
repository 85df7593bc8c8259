// SPDX-License-Identifier: MIT
//
// Where sample_sort's buckets begin in a sorted tile: at splitters, which are out of the sorted samples or at even distances
// in the range that keys are expected in. Needs device/samples.glsl, device/sampled_keys.glsl, workgroup/sort_tile.glsl and
// uniform_samples[].
//
//   find_splitters(...)       takes splitters out of the sorted samples, for store_sampled_cuts()
//   store_uniform_cuts(...), store_sampled_cuts(...)
//                             leave in state how many elements of the sorted tile stand before each bucket, and the first
//                             tile's splitters

// The least key of the range that is for a bucket, which is not the first.
Key uniform_splitter(uint bucket, uint buckets, KeyRange expected) {
    uint above, below;
    umulExtended(expected.greatest - expected.least, bucket * (0xFFFFFFFFu / buckets), above, below);
    uint word = expected.least + above;
#if KEY_WORDS == 1
    return word;
#else
    return expected.above == 0 ? Key(0, word) : Key(word, uniform_samples[0].y);
#endif
}

// How many of the `length` sorted slots have a key before `key` or, if `up_to`, not after it.
uint slots_before(Key key, bool up_to, uint length) {
    uint before = 0;
    for (uint step = 1u << (findMSB(max(length, 1)) & ~1u); step > 0; step /= 4) { // three looks at once, since each waits
        uint steps = 0;
        [[unroll]] for (uint i = 1; i < 4; ++i) {
            uint next = before + i * step;
            Key other = shared_key(max(min(next, length), 1) - 1);
            bool precedes = up_to ? !key_before(key, other) : key_before(other, key);
            steps += next <= length && precedes ? 1 : 0;
        }
        before += steps * step;
    }
    return before;
}

// A sample that begins a bucket. Elements that equal it are divided, or buckets could not be even where keys are few. With
// values by its index in the input, `mark`, so that the order is stable: of the tile those before it come first. Without by
// how many of the samples that equal it stand before it, of which `mark` has the share, a float's bits.
struct Splitter {
    Key key;
    uint mark;
};

// Of the buckets that an invocation marks off.
const uint kSplittersEach = 2;
Splitter splitters[kSplittersEach];

uint bucket_of_splitter(uint k) {
    return k * WORKGROUP_SIZE + thread_index + 1;
}

// In the order of the sorted samples the numbers that they had, two to a word, in s_indices.
void note_sample_numbers() {
    if (VALUE_WORDS > 0) {
        for (uint i = thread_index; i < TILE_SIZE / 2 + 1; i += WORKGROUP_SIZE) {
            s_indices[i] = 0;
        }
        barrier();
        KEY_LOOP for (uint i = 0; i < SAMPLE_SLOTS; ++i) {
            atomicOr(s_indices[bins[i] / 2], element_of(i) << (bins[i] % 2 * 16));
        }
        barrier();
    }
}

void find_splitters(uint buckets, uint count) {
    note_sample_numbers();
    float samples_a_bucket = float(SAMPLES) / float(buckets);
    [[unroll]] for (uint k = 0; k < kSplittersEach; ++k) {
        uint rank = min(uint(float(bucket_of_splitter(k)) * samples_a_bucket), SAMPLES - 1);
        splitters[k].key = shared_key(rank);
        if (VALUE_WORDS > 0) {
            splitters[k].mark = sampled_element(slot_element(rank), SAMPLES, count);
        } else {
            uint first = slots_before(splitters[k].key, false, SAMPLES);
            uint end = slots_before(splitters[k].key, true, SAMPLES);
            splitters[k].mark = floatBitsToUint(float(rank - first) / float(end - first));
        }
    }
}

// Of the tile's elements that equal the splitter, the share that stands before the bucket.
float share_before(Splitter splitter, uint begin, uint length) {
    if (VALUE_WORDS > 0) {
        return clamp(float(int(splitter.mark - begin)) / float(length), 0.0, 1.0);
    }
    return uintBitsToFloat(splitter.mark);
}

uint cut_at(Splitter splitter, uint begin, uint length) {
    uint cut = slots_before(splitter.key, false, length);
    bool one = cut < length && shared_key(cut) == splitter.key;
    bool several = one && cut + 1 < length && shared_key(min(cut, length - 2) + 1) == splitter.key;
    if (several || (one && VALUE_WORDS > 0)) { // else it does not matter
        uint equal = several ? slots_before(splitter.key, true, length) - cut : 1;
        cut += min(uint(share_before(splitter, begin, length) * float(equal)), equal);
    }
    return cut;
}

void store_cut(uint tile, uint bucket, uint cut, Key splitter) {
    state[cut_word(bucket, tile)] = cut;
    if (tile == 0) {
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            state[splitter_word(bucket) + w] = key_word(splitter, w);
        }
    }
}

void store_uniform_cuts(uint tile, uint buckets, uint length, KeyRange expected) {
    for (uint bucket = thread_index + 1; bucket < buckets; bucket += WORKGROUP_SIZE) {
        Key splitter = uniform_splitter(bucket, buckets, expected);
        store_cut(tile, bucket, slots_before(splitter, false, length), splitter);
    }
}

void store_sampled_cuts(uint tile, uint buckets, uint length) {
    [[unroll]] for (uint k = 0; k < kSplittersEach; ++k) {
        uint bucket = bucket_of_splitter(k);
        if (bucket < buckets) {
            store_cut(tile, bucket, cut_at(splitters[k], tile * pc.firstTile, length), splitters[k].key);
        }
    }
}
