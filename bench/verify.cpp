// SPDX-License-Identifier: MIT
#include "verify.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "keys.h"
#include "parallel.h"
#include "random.h"

namespace vksort::bench {

namespace {

constexpr uint64_t kReferenceCount = 1 << 16;

// Values would tell the old order, and keys that are equal in all bits have none.
bool is_sorted_again(const Scenario& scenario) { return scenario.value_bytes == 0 && !scenario.bits.is_all(); }

// The segments around rising positions.
class SegmentWalk {
public:
    SegmentWalk(const std::vector<uint32_t>& heads, uint64_t count, uint64_t at) : heads_(heads), count_(count) {
        index_ =
            heads.empty() ? 0 : static_cast<size_t>(std::upper_bound(heads.begin(), heads.end(), at) - heads.begin()) - 1;
        set();
    }
    void move_to(uint64_t at) {
        while (at >= end_) {
            ++index_;
            set();
        }
    }
    uint64_t begin() const { return begin_; }
    uint64_t end() const { return end_; }
    uint64_t salt() const { return salt_; }

private:
    void set() {
        begin_ = heads_.empty() ? 0 : heads_[index_];
        end_ = index_ + 1 < heads_.size() ? heads_[index_ + 1] : count_;
        salt_ = mix(index_);
    }
    const std::vector<uint32_t>& heads_;
    uint64_t count_;
    size_t index_ = 0;
    uint64_t begin_ = 0, end_ = 0, salt_ = 0;
};

// Sums of what should be in the input and in the result alike.
struct Sums {
    uint64_t keys = 0, mixed_keys = 0, indices = 0, mixed_indices = 0;
    bool operator==(const Sums&) const = default;
    void add(const Sums& other, bool negative) {
        keys += negative ? 0 - other.keys : other.keys;
        mixed_keys += negative ? 0 - other.mixed_keys : other.mixed_keys;
        indices += negative ? 0 - other.indices : other.indices;
        mixed_indices += negative ? 0 - other.mixed_indices : other.mixed_indices;
    }
};

class Verdict {
public:
    void fail(uint64_t at, const char* what) {
        const std::lock_guard lock(mutex_);
        if (text_.empty() || at < at_) {
            at_ = at;
            text_ = fmt::format("{} at {}", what, at);
        }
    }
    void add(const Sums& sums) {
        const std::lock_guard lock(mutex_);
        sums_.add(sums, false);
    }
    std::string text() const {
        if (!text_.empty()) {
            return text_;
        }
        return sums_ == Sums{} ? "" : "some elements are not those of the input";
    }

private:
    std::mutex mutex_;
    uint64_t at_ = 0;
    std::string text_;
    Sums sums_;
};

template <typename K> struct Check {
    using Word = typename K::Word;
    const Input& input;
    const std::byte* keys;
    const std::byte* values;
    bool stable;
    Rank<K> rank;

    uint32_t index(uint64_t i) const {
        uint32_t word = 0;
        std::memcpy(&word, values + i * input.scenario.value_bytes, 4);
        return word;
    }

    bool whole(uint64_t i, uint32_t index_of_value) const {
        for (uint32_t word = 1; word < input.scenario.value_bytes / 4; ++word) {
            uint32_t content = 0;
            std::memcpy(&content, values + i * input.scenario.value_bytes + uint64_t{word} * 4, 4);
            if (content != value_word(index_of_value, word)) {
                return false;
            }
        }
        return true;
    }

    void part(uint64_t first, uint64_t last, Verdict& verdict) const {
        const bool pairs = input.scenario.value_bytes != 0;
        SegmentWalk segment(input.heads, input.scenario.count, first);
        Sums in, out;
        for (uint64_t i = first; i < last; ++i) {
            segment.move_to(i);
            const Word before = K::load(input.keys.data(), i), key = K::load(keys, i);
            in.keys += mix(before ^ segment.salt());
            in.mixed_keys += mix(~mix(before ^ segment.salt()));
            out.keys += mix(key ^ segment.salt());
            out.mixed_keys += mix(~mix(key ^ segment.salt()));
            const bool has_previous = i > segment.begin();
            const Word previous = has_previous ? K::load(keys, i - 1) : key;
            if (rank(previous) > rank(key)) {
                return verdict.fail(i, "keys out of order");
            }
            if (!pairs) {
                continue;
            }
            const uint32_t place = index(i);
            if (place < segment.begin() || place >= segment.end()) {
                return verdict.fail(i, "a value from outside");
            }
            if (K::load(input.keys.data(), place) != key) {
                return verdict.fail(i, "a value of another key");
            }
            if (!whole(i, place)) {
                return verdict.fail(i, "a torn value");
            }
            if (stable && has_previous && rank(previous) == rank(key) && index(i - 1) >= place) {
                return verdict.fail(i, "equal keys not in their old order");
            }
            in.indices += mix(i);
            in.mixed_indices += mix(~i);
            out.indices += mix(place);
            out.mixed_indices += mix(~uint64_t{place});
        }
        in.add(out, true);
        verdict.add(in);
    }

    std::string reference() const {
        const uint64_t count = input.scenario.count;
        std::vector<uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0u);
        const auto before = [this](uint32_t a, uint32_t b) {
            return rank(K::load(input.keys.data(), a)) < rank(K::load(input.keys.data(), b));
        };
        for (uint64_t at = 0; at < count;) {
            const SegmentWalk segment(input.heads, count, at);
            std::stable_sort(order.begin() + static_cast<ptrdiff_t>(at),
                             order.begin() + static_cast<ptrdiff_t>(segment.end()), before);
            at = segment.end();
        }
        for (uint64_t i = 0; i < count; ++i) {
            const Word key = K::load(keys, i), wanted = K::load(input.keys.data(), order[i]);
            if (stable ? key != wanted : rank(key) != rank(wanted)) {
                return fmt::format("another key than std::stable_sort's at {}", i);
            }
            if (stable && input.scenario.value_bytes != 0 && index(i) != order[i]) {
                return fmt::format("another value than std::stable_sort's at {}", i);
            }
        }
        return "";
    }

    // The only result of a stable sort of keys without values, by digits of 16 bits: linear, as large inputs ask for.
    std::string sorted_again() const {
        constexpr uint32_t kDigitBits = 16;
        const uint64_t count = input.scenario.count;
        std::vector<Word> from(count), to(count);
        std::memcpy(from.data(), input.keys.data(), input.keys.size());
        for (uint32_t bit = input.scenario.bits.begin; bit < input.scenario.bits.end; bit += kDigitBits) {
            const auto digit = [&](Word word) { return (uint64_t{rank(word)} >> bit) & ((1u << kDigitBits) - 1); };
            std::vector<uint64_t> places((1u << kDigitBits) + 1);
            for (const Word word : from) {
                ++places[digit(word) + 1];
            }
            std::partial_sum(places.begin(), places.end(), places.begin());
            for (const Word word : from) {
                to[places[digit(word)]++] = word;
            }
            from.swap(to);
        }
        for (uint64_t i = 0; i < count; ++i) {
            if (K::load(keys, i) != from[i]) {
                return fmt::format("keys with equal bits not in their old order at {}", i);
            }
        }
        return "";
    }
};

} // namespace

std::string verify(const Input& input, std::span<const std::byte> keys, std::span<const std::byte> values, bool stable) {
    if (keys.size() != input.keys.size() || values.size() != input.values.size()) {
        return "a result of another size";
    }
    return with_key(input.scenario.key, [&](auto key) {
        using K = decltype(key);
        const Scenario& scenario = input.scenario;
        const Check<K> check{input, keys.data(), values.data(), stable, Rank<K>(scenario.descending, scenario.bits.mask())};
        Verdict verdict;
        parallel_for(scenario.count, [&](uint64_t first, uint64_t last) { check.part(first, last, verdict); });
        std::string text = verdict.text();
        if (text.empty() && stable && is_sorted_again(scenario)) {
            text = check.sorted_again();
        }
        return text.empty() && scenario.count <= kReferenceCount ? check.reference() : text;
    });
}

uint64_t verify_bytes(const Scenario& scenario) { return is_sorted_again(scenario) ? 2 * scenario.bytes() : 0; }

} // namespace vksort::bench
