// SPDX-License-Identifier: MIT
#include "permutation.hpp"

#include <algorithm>
#include <cstring>
#include <random>

namespace {

using Range = Segments::Range;

// The finisher of SplitMix64: a bijection.
uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

class RecordHash {
public:
    explicit RecordHash(uint64_t seed) : hash_(seed) {}

    void take(const std::byte* bytes, uint32_t size) {
        for (uint32_t i = 0; i < size / 8; ++i) {
            take<uint64_t>(bytes);
        }
        if ((size & 4) != 0) {
            take<uint32_t>(bytes);
        }
        if ((size & 2) != 0) {
            take<uint16_t>(bytes);
        }
        if ((size & 1) != 0) {
            take<uint8_t>(bytes);
        }
    }
    uint64_t value() const { return hash_; }

private:
    template <class Word> void take(const std::byte*& bytes) {
        Word word;
        std::memcpy(&word, bytes, sizeof word);
        bytes += sizeof word;
        hash_ = mix(hash_ ^ word);
    }

    uint64_t hash_;
};

// The same for the same records in any order.
struct Sum {
    uint64_t a = 0;
    uint64_t b = 0;

    bool operator==(const Sum&) const = default;
    void operator+=(const Sum& other) {
        a += other.a;
        b += other.b;
    }
};

class Checker {
public:
    Checker(uint32_t key_size, uint32_t value_size) : key_size_(key_size), value_size_(value_size) {
        std::random_device random;
        for (uint64_t& seed : seeds_) {
            seed = uint64_t{random()} << 32 | random();
        }
    }

    Range all(const Records& records) const { return {0, records.keys.size() / key_size_}; }

    Sum sum(const Records& records, Range range) const {
        Sum sum;
        for (uint64_t i = range.begin; i < range.end; ++i) {
            RecordHash hash(seeds_[0]);
            hash.take(records.keys.data() + i * key_size_, key_size_);
            if (!records.values.empty()) {
                hash.take(records.values.data() + i * value_size_, value_size_);
            }
            sum += {hash.value(), mix(hash.value() ^ seeds_[1])};
        }
        return sum;
    }

    bool is_same(const Records& x, const Records& y, Range range) const {
        return is_same_array(x.keys, y.keys, range, key_size_) &&
               (x.values.empty() || is_same_array(x.values, y.values, range, value_size_));
    }

private:
    static bool is_same_array(std::span<const std::byte> x, std::span<const std::byte> y, Range range, uint32_t size) {
        const uint64_t begin = range.begin * size;
        const uint64_t length = (range.end - range.begin) * size;
        return length == 0 || std::memcmp(x.data() + begin, y.data() + begin, length) == 0;
    }

    uint32_t key_size_;
    uint32_t value_size_;
    uint64_t seeds_[2];
};

} // namespace

uint64_t JobInput::count(uint32_t key_size) const {
    uint64_t count = 0;
    for (const Records& list : lists) {
        count += list.keys.size() / key_size;
    }
    return count;
}

bool is_permutation(const JobInput& input, const Records& result, uint32_t key_size, uint32_t value_size) {
    const Checker checker(key_size, value_size);
    const uint64_t count = input.count(key_size);
    if (result.keys.size() != count * key_size || result.values.size() != count * value_size) {
        return false;
    }
    if (input.segments == nullptr) {
        Sum sum;
        for (const Records& list : input.lists) {
            sum += checker.sum(list, checker.all(list));
        }
        return sum == checker.sum(result, checker.all(result));
    }
    const Records& list = input.lists.front();
    uint64_t next = 0;
    for (const Range& segment : input.segments->ranges) {
        if (!checker.is_same(list, result, {next, segment.begin}) ||
            checker.sum(list, segment) != checker.sum(result, segment)) {
            return false;
        }
        next = segment.end;
    }
    return checker.is_same(list, result, {next, count});
}

bool is_permutation_of_indices(const JobInput& input, std::span<const std::byte> indices, uint64_t count) {
    if (indices.size() != count * sizeof(uint32_t)) {
        return false;
    }
    std::vector<bool> seen(count);
    const auto is_permutation_within = [&](Range range) {
        for (uint64_t i = range.begin; i < range.end; ++i) {
            uint32_t index = 0;
            std::memcpy(&index, indices.data() + i * sizeof index, sizeof index);
            if (index < range.begin || index >= range.end || seen[index]) {
                return false;
            }
            seen[index] = true;
        }
        return true;
    };
    const auto stay = [&](Range range) {
        bool all = true;
        for (uint64_t i = range.begin; i < range.end; ++i) {
            all = all && is_permutation_within({i, i + 1});
        }
        return all;
    };
    if (input.segments == nullptr) {
        return is_permutation_within({0, count});
    }
    uint64_t next = 0;
    for (const Range& segment : input.segments->ranges) {
        if (!stay({next, segment.begin}) || !is_permutation_within(segment)) {
            return false;
        }
        next = segment.end;
    }
    return stay({next, count});
}
