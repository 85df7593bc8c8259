// SPDX-License-Identifier: MIT
//
// msd: what a sample of TILE_SIZE keys shows of their digits. Pairs of sampled keys that agree in a digit, or in several,
// are counted; few keys that differ make many. Needs device/msd.glsl.
//
//   clear_sample(), barrier(), count_pairs(key) and note_differing(bits) for each sampled key, barrier(), and then the
//   questions

const uint kPairBins = 2048;
const uint kSums = 8; // addresses, so that fewer additions meet
const uint kSecond = 0;
const uint kThird = 1;
const uint kBoth = 2;
const uint kFirst = 3;
const uint kUpper = 4;
const uint kWhole = 5;
const uint kKinds = 6;

shared uint s_first[kRadix];  // sampled keys by their first digit,
shared uint s_second[kRadix]; // by their second one,
shared uint s_third[kRadix];  // by their third one,
shared uint s_both[kPairBins]; // and by a hash of both;
#if KEY_WORDS == 1
shared uint s_agreeing[WORD_BINS]; // by a hash of the first and the second, and << 16 by one of all
#endif
shared uint s_pairs[kKinds * kSums]; // pairs of sampled keys that agree
shared Key s_differing[kSums + kOwnArrayType]; // bits in which any differ from the first

void clear_sample() {
#if KEY_WORDS == 1
    for (uint i = thread_index; i < WORD_BINS; i += WORKGROUP_SIZE) {
        s_agreeing[i] = 0;
    }
#endif
    for (uint i = thread_index; i < kPairBins; i += WORKGROUP_SIZE) {
        s_both[i] = 0;
        if (i < kRadix) {
            s_first[i] = 0;
            s_second[i] = 0;
            s_third[i] = 0;
        }
        if (i < kKinds * kSums) {
            s_pairs[i] = 0;
        }
        if (i < kSums) {
            s_differing[i] = Key(0);
        }
    }
}

// So mixed that what is in order meets as often as anything else.
uint word_bin(uint word) {
    word = (word ^ word >> 16) * 0x85EBCA6Bu;
    word = (word ^ word >> 13) * 0xC2B2AE35u;
    return word / (0xFFFFFFFFu / WORD_BINS + 1);
}

void count_pairs(Key key) {
    uint word = highest_word(key);
    uint first = word >> 24;
    uint second = word >> 16 & (kRadix - 1);
    uint third = word >> 8 & (kRadix - 1);
    uint bank = thread_index % kSums;
    // A key makes a pair with each one that was there before.
    atomicAdd(s_pairs[kFirst * kSums + bank], atomicAdd(s_first[first], 1));
    atomicAdd(s_pairs[kSecond * kSums + bank], atomicAdd(s_second[second], 1));
    atomicAdd(s_pairs[kThird * kSums + bank], atomicAdd(s_third[third], 1));
    atomicAdd(s_pairs[kBoth * kSums + bank], atomicAdd(s_both[(second * 0x9E37u ^ third * 0x85EBu) % kPairBins], 1));
#if KEY_WORDS == 1
    atomicAdd(s_pairs[kUpper * kSums + bank], atomicAdd(s_agreeing[word_bin(word >> 16)], 1) & 0xFFFFu);
    atomicAdd(s_pairs[kWhole * kSums + bank], atomicAdd(s_agreeing[word_bin(word)], 1u << 16) >> 16);
#endif
}

void note_differing(Key bits) {
    uint bank = thread_index % kSums;
#if KEY_WORDS == 1
    atomicOr(s_differing[bank], bits);
#else
    atomicOr(s_differing[bank].x, bits.x);
    atomicOr(s_differing[bank].y, bits.y);
#endif
}

// Of sampled keys.
float pairs() {
    return float(TILE_SIZE) * float(TILE_SIZE - 1) / 2.0;
}

// The share of all pairs that agree.
float agreement(uint kind) {
    uint agree = 0;
    [[unroll]] for (uint i = 0; i < kSums; ++i) {
        agree += s_pairs[kind * kSums + i];
    }
    return float(agree) / pairs();
}

Key differing_bits() {
    Key bits = Key(0);
    [[unroll]] for (uint i = 0; i < kSums; ++i) {
        bits |= s_differing[i];
    }
    return bits;
}

// The first digit position in which sampled keys differ. If others differ in one before it, a level has been in vain, for
// which there is one to spare only where there are fewer than digits, and a fallback.
uint first_differing_digit() {
    uint word = highest_word(differing_bits());
    uint before = 0;
#if KEY_WORDS == 2
    if (word == 0) {
        word = differing_bits().x;
        before = 4;
    }
#endif
    return word == 0 || pc.levels == 4 * KEY_WORDS ? 0 : before + (31 - findMSB(word)) / kRadixBits;
}

bool few_digits_differ() {
    Key bits = differing_bits();
    uint differ = 0;
    for (uint digit = 0; digit < 4 * KEY_WORDS; ++digit) {
        differ += (key_word(bits, digit / 4) >> (digit % 4 * kRadixBits) & (kRadix - 1)) != 0 ? 1 : 0;
    }
    return 2 * differ <= 4 * KEY_WORDS;
}

// Keys whose digits are skewed and independent of each other. Where the digits of a pair agree together, there are few keys,
// of which each level leaves whole ranges where they are.
bool digits_are_skewed() {
    const float kUniform = 1.0 / float(kRadix);
    float second = agreement(kSecond);
    float third = agreement(kThird);
    float both = agreement(kBoth) - 1.0 / float(kPairBins);
    return second > 2.5 * kUniform && third > 2.5 * kUniform && both < 2.0 * second * third + 0.005;
}

#if KEY_WORDS == 1
// Whether two digits leave keys, on average, among more than a tile of others that agree in them: three levels and the
// finish take longer than four passes. Numbers as floats are like that, since the first digit is most of their exponent.
// Equal keys need no further level, however many.
bool needs_third_level(uint count) {
    float agree = agreement(kUpper) - agreement(kWhole);
    // Six deviations of what different words in the same bin add to either.
    float least = 6.0 * sqrt(2.0 / (pairs() * float(WORD_BINS)));
    return agree > least && agree * float(count) > float(pc.tileSize);
}
#endif

// Chance makes 1024 uniformly distributed keys agree an eighth more often once in millions. Digits that agree less often and
// yet do not fit their coarse buckets are partitioned in vain. Keys uniformly distributed over less than the whole range
// fit, or are told here.
bool first_digits_are_uniform() {
    return agreement(kFirst) < 1.125 / float(kRadix);
}
