// SPDX-License-Identifier: MIT
//
// bucket_sort of floats, by how they are distributed: distributions that are for buckets, on both sides of 0, near to each
// other and over many octaves; those that are not, before anything is scattered and while it is; and values of buckets whose
// keys are far apart.
#include <bit>
#include <cmath>
#include <functional>

#include "bucket_sorts.h"

namespace vksort::test {
namespace {

uint64_t ordered(VksortKeyType key, double number) {
    const uint64_t bits = reference::key_size(key) == 8 ? std::bit_cast<uint64_t>(number)
                                                        : std::bit_cast<uint32_t>(static_cast<float>(number));
    return reference::ordered_from_bits(key, bits);
}

double normal(Random& random) { // Box and Muller
    return std::sqrt(-2.0 * std::log(1.0 - random.unit())) * std::cos(2.0 * std::acos(-1.0) * random.unit());
}

using Distribute = std::function<double(Random&)>;

constexpr VksortKeyType kFloats[] = {VKSORT_KEY_F32, VKSORT_KEY_F64};

class BucketFloats : public BucketSort {
protected:
    Keys numbers(const SortCase& sort, const Distribute& distribute) {
        const uint64_t inverted = sort.descending ? reference::low_bits(reference::key_bits(sort.key)) : 0;
        return made_keys(sort.count, [&](uint64_t) { return ordered(sort.key, distribute(random_)) ^ inverted; });
    }
};

TEST_F(BucketFloats, Distributions) {
    SKIP_BELOW_FULL_LEVEL();
    const std::pair<const char*, Distribute> kDistributions[] = {
        {"unit", [](Random& random) { return random.unit(); }},
        {"normal", normal},
        {"negative", [](Random& random) { return -std::exp(normal(random)); }},
        {"exponential", [](Random& random) { return -std::log(1.0 - random.unit()); }},
        {"many octaves",
         [](Random& random) { return std::exp2(200.0 * random.unit() - 100.0) * (random.below(2) == 0 ? -1.0 : 1.0); }},
        {"depths", [](Random& random) { return 0.1 / (1.0 - 0.999 * random.unit()); }},
        {"near 1000", [](Random& random) { return 1000.0 + normal(random); }},
        {"two clusters",
         [](Random& random) { return random.below(3) == 0 ? -7.0 + 0.3 * normal(random) : 300.0 + 5.0 * normal(random); }},
        {"symmetric", [](Random& random) { return 200.0 * random.unit() - 100.0; }},
        // As depth buffers have them: most are near 1, and end there at once.
        {"projected", [](Random& random) { return 1.0 - 0.1 / (1.0 + 99.0 * random.unit()); }},
        {"some far off",
         [](Random& random) {
             return random.below(1000) == 0 ? 1.0 - 100.0 * std::log(1.0 - random.unit()) : 0.5 + 0.1 * random.unit();
         }},
        // Of 8-byte numbers a few of the highest words are all there are, or one.
        {"near a million", [](Random& random) { return 1e6 + normal(random); }},
        {"times", [](Random& random) { return 1.7e9 + 5000.0 * random.unit(); }},
        {"less than a word", [](Random& random) { return -1.0 - 1e-8 * random.unit(); }},
    };
    constexpr size_t kFor8Bytes = 3; // the last ones: 4-byte numbers like that have few values
    std::vector<SortCase> sorts;
    for (const Way& way : ways_here()) {
        for (VksortKeyType key : kFloats) {
            for (size_t d = 0; d < std::size(kDistributions) - (key == VKSORT_KEY_F32 ? kFor8Bytes : 0); ++d) {
                const auto& [name, distribute] = kDistributions[d];
                SortCase sort = bucket_sort(way, key);
                sort.descending = sorts.size() % 3 == 1;
                sort.result = sorts.size() % 4 < 2 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
                if (way.chunks == 0 && sorts.size() % 2 == 1) {
                    sort.argsort = sorts.size() % 8 == 5;
                    sort.value_size = sort.argsort ? 0 : sorts.size() % 8 == 3 ? 8 : 4;
                } else if (sorts.size() % 8 == 6) {
                    sort.stride = 16;
                    sort.offset = 8;
                }
                sorts.push_back(with_keys(sort, name, numbers(sort, distribute)));
            }
        }
    }
    expect(sorts, true);
}

// NaN, infinities, zeros of either sign and denormals among others, beyond everything that the sample has.
TEST_F(BucketFloats, Extremes) {
    std::vector<SortCase> sorts;
    for (const Way& way : ways_here()) {
        for (VksortKeyType key : kFloats) {
            for (bool descending : {false, true}) {
                SortCase sort = bucket_sort(way, key);
                sort.descending = descending;
                sort.value_size = sorts.size() % 2 == 1 && way.chunks == 0 ? 4 : 0;
                Keys keys = numbers(sort, normal);
                const uint32_t bits = reference::key_bits(key);
                const uint64_t kExtremes[] = {0,
                                              1,
                                              reference::low_bits(bits),
                                              reference::low_bits(bits) - 1,
                                              uint64_t{1} << (bits - 1),
                                              (uint64_t{1} << (bits - 1)) - 1,
                                              ordered(key, INFINITY),
                                              ordered(key, -INFINITY),
                                              ordered(key, 1e-40)};
                for (size_t i = 0; i < 100; ++i) {
                    keys[(i * 7919 + 501) % keys.size()] = kExtremes[i % std::size(kExtremes)];
                }
                sorts.push_back(with_keys(sort, "extremes", std::move(keys)));
            }
        }
    }
    expect(sorts, true);
}

TEST_F(BucketFloats, LeftBeforeTheyAreScattered) {
    const std::pair<const char*, Distribute> kDistributions[] = {
        {"few values", [](Random& random) { return static_cast<double>(random.below(7)); }},
        {"equal", [](Random&) { return 2.5; }},
        // The width of a thousand source indices is not known.
        {"clusters",
         [](Random& random) {
             return std::exp2(static_cast<double>(random.below(1000)) / 50.0 - 10.0) * (1.0 + 1e-6 * random.unit());
         }},
    };
    std::vector<SortCase> sorts;
    for (const Way& way : ways_here()) {
        for (VksortKeyType key : kFloats) {
            if (has_many_sweeps(way, key)) {
                continue;
            }
            for (const auto& [name, distribute] : kDistributions) {
                SortCase sort = bucket_sort(way, key);
                sort.value_size = sorts.size() % 2 == 1 && way.chunks == 0 ? 4 : 0;
                sorts.push_back(with_keys(sort, name, numbers(sort, distribute)));
            }
            SortCase sort = bucket_sort(way, key);
            Keys keys = numbers(sort, normal);
            std::sort(keys.begin(), keys.end());
            sorts.push_back(with_keys(sort, "in order", std::move(keys)));
        }
    }
    expect(sorts, false, false);
}

// Two buckets' keys close together that no sample shows, and more equal ones than a bin takes.
TEST_F(BucketFloats, Overflow) {
    std::vector<SortCase> sorts;
    for (const Way& way : ways_here()) {
        for (VksortKeyType key : kFloats) {
            if (has_many_sweeps(way, key, kManyBuckets)) {
                continue;
            }
            for (uint64_t heavy : {2 * kBucket, uint64_t{300}}) {
                SortCase sort = bucket_sort(way, key);
                sort.count = kManyBuckets * bucket_mean();
                sort.result = sorts.size() % 2 == 0 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
                Keys keys = numbers(sort, normal);
                for (size_t i = 0; i < heavy; ++i) {
                    keys[i * 13 % keys.size()] = ordered(key, heavy == 300 ? 0.3 : 0.3 + 1e-5 * random_.unit());
                }
                sorts.push_back(with_keys(sort, std::to_string(heavy) + " heavy", std::move(keys)));
            }
        }
    }
    expect(sorts, false);
}

// A bucket around 0 has keys over hundreds of octaves, and so no bits for slots beside the places of so many elements: in
// the library's own tiles.
TEST_F(BucketFloats, BucketsOfManyBits) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    std::vector<SortCase> sorts;
    for (uint64_t count : {1u << 18, (1u << 20) + 5u}) {
        SortCase sort = {.algorithm = VKSORT_ALGORITHM_BUCKET_SORT, .key = VKSORT_KEY_F32, .value_size = 4, .count = count};
        sorts.push_back(with_keys(sort, "normal", numbers(sort, normal)));
    }
    expect(sorts, true);
}

} // namespace
} // namespace vksort::test
