// SPDX-License-Identifier: MIT
//
// Key types as the host compares them: every key has an unsigned form that grows as the key does.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "vksort/vksort.h"

namespace vksort::bench {

enum class Kind { unsigned_integer, signed_integer, floating };

template <typename WordType, Kind kKind> struct Key {
    using Word = WordType;
    static constexpr uint32_t kBits = 8 * sizeof(Word);
    static constexpr Word kSign = static_cast<Word>(Word{1} << (kBits - 1));

    static Word load(const std::byte* keys, uint64_t i) {
        Word word;
        std::memcpy(&word, keys + i * sizeof(Word), sizeof word);
        return word;
    }
    static void store(std::byte* keys, uint64_t i, Word word) { std::memcpy(keys + i * sizeof(Word), &word, sizeof word); }

    // Floats in IEEE 754 total order.
    static Word ordered(Word word) {
        if constexpr (kKind == Kind::floating) {
            return static_cast<Word>((word & kSign) != 0 ? ~word : word ^ kSign);
        }
        return static_cast<Word>(kKind == Kind::signed_integer ? word ^ kSign : word);
    }
    static Word from_ordered(Word word) {
        if constexpr (kKind == Kind::floating) {
            return static_cast<Word>((word & kSign) == 0 ? ~word : word ^ kSign);
        }
        return static_cast<Word>(kKind == Kind::signed_integer ? word ^ kSign : word);
    }
};

// What a sort compares of a key: its unsigned form, turned round for a descending order, and of it the bits that count.
template <typename K> class Rank {
public:
    using Word = typename K::Word;
    Rank(bool descending, uint64_t bits)
        : inverted_(static_cast<Word>(descending ? ~uint64_t{0} : 0)), bits_(static_cast<Word>(bits)) {}
    Word operator()(Word word) const { return static_cast<Word>((K::ordered(word) ^ inverted_) & bits_); }

private:
    Word inverted_, bits_;
};

// Calls `work` with a Key<...> of the type.
template <typename Work> decltype(auto) with_key(VksortKeyType type, const Work& work) {
    switch (type) {
    case VKSORT_KEY_I32: return work(Key<uint32_t, Kind::signed_integer>{});
    case VKSORT_KEY_F32: return work(Key<uint32_t, Kind::floating>{});
    case VKSORT_KEY_U64: return work(Key<uint64_t, Kind::unsigned_integer>{});
    case VKSORT_KEY_I64: return work(Key<uint64_t, Kind::signed_integer>{});
    case VKSORT_KEY_F64: return work(Key<uint64_t, Kind::floating>{});
    case VKSORT_KEY_U16: return work(Key<uint16_t, Kind::unsigned_integer>{});
    case VKSORT_KEY_I16: return work(Key<uint16_t, Kind::signed_integer>{});
    case VKSORT_KEY_F16: return work(Key<uint16_t, Kind::floating>{});
    case VKSORT_KEY_U8: return work(Key<uint8_t, Kind::unsigned_integer>{});
    case VKSORT_KEY_I8: return work(Key<uint8_t, Kind::signed_integer>{});
    default: return work(Key<uint32_t, Kind::unsigned_integer>{});
    }
}

} // namespace vksort::bench
