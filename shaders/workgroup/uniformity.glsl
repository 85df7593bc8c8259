// SPDX-License-Identifier: MIT
//
// Whether keys are uniform in a range, by SAMPLED of them: how often two share one of kUniformBins equal bins of the range,
// and how many are in its first sixteenth, its first two sixteenths and so on.
//
//   clear_uniform_bins(), barrier(), note_uniform_bin(bin) for each, of kUniformBins bins, barrier(), are_uniform(...)

shared uint s_uniform_bins[kUniformBins];
shared uint s_coarse_bins[kUniformCoarseBins];
shared uint s_pairs[kUniformSums]; // pairs of sampled keys in the same bin

void clear_uniform_bins() {
    for (uint i = thread_index; i < kUniformBins; i += WORKGROUP_SIZE) {
        s_uniform_bins[i] = 0;
        if (i < kUniformSums) {
            s_pairs[i] = 0;
        }
        if (i < kUniformCoarseBins) {
            s_coarse_bins[i] = 0;
        }
    }
}

void note_uniform_bin(uint bin) {
    atomicAdd(s_pairs[thread_index % kUniformSums], atomicAdd(s_uniform_bins[bin], 1)); // with each one before
    atomicAdd(s_coarse_bins[bin / (kUniformBins / kUniformCoarseBins)], 1);
}

// The range that keys are expected in, where the least sample is `least` and the greatest one `greatest`: the least of even
// samples is 16 mean distances from the range's end once in millions of times.
uvec2 with_margin(uint least, uint greatest) {
    uint margin = (greatest - least) / (SAMPLED / 16);
    return uvec2(least - min(margin, least), greatest + min(margin, 0xFFFFFFFFu - greatest));
}

// Where in such a range the samples begin and end, as fractions of it.
struct Margins {
    float first;
    float last;
};

Margins margins_of(uvec2 range, uint least, uint greatest) {
    float width = float(max(range.y - range.x, 1));
    float first = float(least - range.x) / width;
    return Margins(first, max(float(greatest - range.x) / width, first + 1.0 / 4096.0));
}

// By how much the range is wider than that of uniform keys of which these are samples.
float stretch(Margins margins) {
    return max(1.0 / ((margins.last - margins.first) * (1.0 + 2.0 / float(SAMPLED))), 1.0);
}

// Whether `before`, the samples in the coarse bins up to `bin`, is further than `farthest` from what uniform keys would
// have.
bool are_off(uint before, uint bin, Margins margins, float samples_a_range, float farthest) {
    float expected = (float(bin + 1) / float(kUniformCoarseBins) - margins.first) * samples_a_range;
    return abs(float(before) - clamp(expected, 0.0, float(SAMPLED))) > farthest;
}

bool are_uniform(Margins margins, float stretched) {
    uint pairs = 0;
    [[unroll]] for (uint i = 0; i < kUniformSums; ++i) {
        pairs += s_pairs[i];
    }
    // So much more often than on average do uniformly distributed keys agree once in many thousand times.
    const float kMore = 128.0 / float(SAMPLED);
    bool is_skewed = float(pairs) >= stretched * (1.0 +
        kMore) / float(kUniformBins) * 0.5 * float(SAMPLED) * float(SAMPLED - 1);
    // Keys in some order are sampled more evenly than others. So far are shares of the range off as seldom (Kolmogorov and
    // Smirnov).
    const float kFarthest = 2.3 * sqrt(float(SAMPLED));
    float samples_a_range = float(SAMPLED) / (margins.last - margins.first);
#if RANK_BALLOT
    if (SUBGROUP_SIZE >= kUniformCoarseBins) { // each bin by a lane
        uint bin = min(gl_SubgroupInvocationID, kUniformCoarseBins - 1);
        uint before = subgroupInclusiveAdd(gl_SubgroupInvocationID < kUniformCoarseBins ? s_coarse_bins[bin] : 0);
        return subgroupBallot(is_skewed || are_off(before, bin, margins, samples_a_range, kFarthest)) == uvec4(0);
    }
#endif
    uint before = 0;
    [[unroll]] for (uint i = 0; i < kUniformCoarseBins; ++i) {
        before += s_coarse_bins[i];
        is_skewed = is_skewed || are_off(before, i, margins, samples_a_range, kFarthest);
    }
    return !is_skewed;
}
