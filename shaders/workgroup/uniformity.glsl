// SPDX-License-Identifier: MIT
//
// Whether keys are spread evenly over a range, by SAMPLED of them: how often two are in the same of many parts of it, and
// how many are in its first sixteenth, its first two sixteenths and so on.
//
//   clear_parts(), barrier(), note_part(part) for each, of kUniformParts parts, barrier(), are_uniform(...)

shared uint s_parts[kUniformParts];
shared uint s_coarse_parts[kUniformCoarseParts];
shared uint s_pairs[kUniformSums]; // pairs of sampled keys in the same part

void clear_parts() {
    for (uint i = thread_index; i < kUniformParts; i += WORKGROUP_SIZE) {
        s_parts[i] = 0;
        if (i < kUniformSums) {
            s_pairs[i] = 0;
        }
        if (i < kUniformCoarseParts) {
            s_coarse_parts[i] = 0;
        }
    }
}

void note_part(uint part) {
    atomicAdd(s_pairs[thread_index % kUniformSums], atomicAdd(s_parts[part], 1)); // with each one before
    atomicAdd(s_coarse_parts[part / (kUniformParts / kUniformCoarseParts)], 1);
}

// The range that keys are expected in, where the least sample is `least` and the greatest one `greatest`: the least of even
// samples is 16 mean distances from the range's end once in millions of times.
uvec2 with_margin(uint least, uint greatest) {
    uint margin = (greatest - least) / (SAMPLED / 16);
    return uvec2(least - min(margin, least), greatest + min(margin, 0xFFFFFFFFu - greatest));
}

// Where in such a range the samples begin and end, as parts of it.
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

// Of the samples in the first parts up to this one, whether they are so far from their number.
bool are_off(uint before, uint part, Margins margins, float samples_a_range, float farthest) {
    float expected = (float(part + 1) / float(kUniformCoarseParts) - margins.first) * samples_a_range;
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
        kMore) / float(kUniformParts) * 0.5 * float(SAMPLED) * float(SAMPLED - 1);
    // Keys in some order are sampled more evenly than others. So far are shares of the range off as seldom (Kolmogorov and
    // Smirnov).
    const float kFarthest = 2.3 * sqrt(float(SAMPLED));
    float samples_a_range = float(SAMPLED) / (margins.last - margins.first);
#if RANK_BALLOT
    if (SUBGROUP_SIZE >= kUniformCoarseParts) { // by a part's lane each
        uint part = min(gl_SubgroupInvocationID, kUniformCoarseParts - 1);
        uint before = subgroupInclusiveAdd(gl_SubgroupInvocationID < kUniformCoarseParts ? s_coarse_parts[part] : 0);
        return subgroupBallot(is_skewed || are_off(before, part, margins, samples_a_range, kFarthest)) == uvec4(0);
    }
#endif
    uint before = 0;
    [[unroll]] for (uint i = 0; i < kUniformCoarseParts; ++i) {
        before += s_coarse_parts[i];
        is_skewed = is_skewed || are_off(before, i, margins, samples_a_range, kFarthest);
    }
    return !is_skewed;
}
