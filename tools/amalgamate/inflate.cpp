// SPDX-License-Identifier: MIT
//
// inflate_code() of src/inflate.h without zlib, for vksort.cpp, the source file that amalgamate.cmake writes. It reads gzip
// files (RFC 1952) without optional fields, whose data is deflated (RFC 1951).
#include "inflate.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace vksort {

namespace {

static_assert(std::endian::native == std::endian::little, "compressed kernels are stored in 64-bit little-endian words");

// A prefix code: the number of codes of each length, and the symbols in the order of their codes.
struct PrefixCode {
    static constexpr uint32_t kLongest = 15;
    static constexpr uint32_t kMostSymbols = 288;

    uint16_t counts[kLongest + 1] = {};
    uint16_t symbols[kMostSymbols] = {};

    // Returns false if there are more codes of one length than possible. A symbol of length 0 has no code.
    bool build(const uint8_t* lengths, uint32_t symbolCount) {
        for (uint16_t& count : counts) {
            count = 0;
        }
        for (uint32_t symbol = 0; symbol < symbolCount; ++symbol) {
            ++counts[lengths[symbol]];
        }
        counts[0] = 0;
        uint16_t offsets[kLongest + 1] = {};
        uint32_t unused = 1;
        for (uint32_t length = 1; length <= kLongest; ++length) {
            unused *= 2;
            if (counts[length] > unused) {
                return false;
            }
            unused -= counts[length];
            offsets[length] = static_cast<uint16_t>(offsets[length - 1] + counts[length - 1]);
        }
        for (uint32_t symbol = 0; symbol < symbolCount; ++symbol) {
            if (lengths[symbol] != 0) {
                symbols[offsets[lengths[symbol]]++] = static_cast<uint16_t>(symbol);
            }
        }
        return true;
    }
};

// After an error in the input, failed() is true and all bits that are read are 0.
class Inflater {
public:
    Inflater(const unsigned char* input, size_t inputSize, unsigned char* output, size_t outputSize)
        : input_(input), inputSize_(inputSize), output_(output), outputSize_(outputSize) {}

    bool failed() const { return failed_; }
    bool fills_output() const { return written_ == outputSize_; }

    // Reads up to 16 bits, the least significant bit first.
    uint32_t bits(uint32_t count) {
        while (bitCount_ < count) {
            if (read_ == inputSize_) {
                failed_ = true;
            }
            bits_ |= (failed_ ? 0u : input_[read_++]) << bitCount_;
            bitCount_ += 8;
        }
        const uint32_t result = failed_ ? 0 : bits_ & ((1u << count) - 1);
        bits_ >>= count;
        bitCount_ -= count;
        return result;
    }

    void skip_to_byte() { bits(bitCount_ % 8); }

    // Inflates all blocks.
    void blocks() {
        bool isLast = false;
        while (!isLast && !failed_) {
            isLast = bits(1) != 0;
            switch (bits(2)) {
            case 0: stored(); break;
            case 1: fixed(); break;
            case 2: dynamic(); break;
            default: failed_ = true;
            }
        }
    }

private:
    void put(uint32_t byte) {
        if (written_ == outputSize_) {
            failed_ = true;
            return;
        }
        output_[written_++] = static_cast<unsigned char>(byte);
    }

    uint32_t symbol(const PrefixCode& code) {
        uint32_t value = 0;
        uint32_t first = 0; // the first code of this length
        uint32_t index = 0; // the index of the first code's symbol
        for (uint32_t length = 1; length <= PrefixCode::kLongest; ++length) {
            value = value * 2 + bits(1);
            const uint32_t count = code.counts[length];
            if (value - first < count) {
                return code.symbols[index + value - first];
            }
            first = (first + count) * 2;
            index += count;
        }
        failed_ = true;
        return 0;
    }

    // Reads the extra bits of a length or distance. Each group of 2^groupBits symbols has one extra bit more than the group
    // before.
    uint32_t number(uint32_t symbol, uint32_t groupBits) {
        const uint32_t group = 1u << groupBits;
        if (symbol < group) {
            return symbol;
        }
        const uint32_t extraBits = (symbol >> groupBits) - 1;
        return ((group + symbol % group) << extraBits) + bits(extraBits);
    }

    void stored() {
        skip_to_byte();
        const uint32_t size = bits(16);
        if ((size ^ bits(16)) != 0xFFFF) {
            failed_ = true;
        }
        for (uint32_t i = 0; i < size && !failed_; ++i) {
            put(bits(8));
        }
    }

    void fixed() {
        uint8_t lengths[288];
        for (uint32_t symbol = 0; symbol < 288; ++symbol) {
            lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
        }
        uint8_t distances[30];
        for (uint8_t& length : distances) {
            length = 5;
        }
        compressed(lengths, 288, distances, 30);
    }

    void dynamic() {
        constexpr uint8_t kOrder[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        const uint32_t literalCount = 257 + bits(5);
        const uint32_t distanceCount = 1 + bits(5);
        const uint32_t codeCount = 4 + bits(4);
        uint8_t codeLengths[19] = {};
        for (uint32_t i = 0; i < codeCount; ++i) {
            codeLengths[kOrder[i]] = static_cast<uint8_t>(bits(3));
        }
        if (!literals_.build(codeLengths, 19)) {
            failed_ = true;
        }
        uint8_t lengths[288 + 32] = {};
        for (uint32_t i = 0; i < literalCount + distanceCount && !failed_;) {
            const uint32_t code = symbol(literals_);
            uint32_t repeats = 1;
            uint32_t length = code;
            if (code >= 16) {
                if (code == 16 && i == 0) {
                    failed_ = true;
                    return;
                }
                length = code == 16 ? lengths[i - 1] : 0;
                repeats = code == 16 ? 3 + bits(2) : code == 17 ? 3 + bits(3) : 11 + bits(7);
            }
            if (repeats > literalCount + distanceCount - i) {
                failed_ = true;
                return;
            }
            while (repeats-- != 0) {
                lengths[i++] = static_cast<uint8_t>(length);
            }
        }
        compressed(lengths, literalCount, lengths + literalCount, distanceCount);
    }

    void compressed(const uint8_t* lengths, uint32_t literalCount, const uint8_t* distances, uint32_t distanceCount) {
        constexpr uint32_t kEnd = 256;
        constexpr uint32_t kLongestMatch = 285;
        if (literalCount > PrefixCode::kMostSymbols || !literals_.build(lengths, literalCount) ||
            !distances_.build(distances, distanceCount)) {
            failed_ = true;
        }
        while (!failed_) {
            const uint32_t literal = symbol(literals_);
            if (literal == kEnd) {
                return;
            }
            if (literal < kEnd) {
                put(literal);
                continue;
            }
            uint32_t length = literal == kLongestMatch ? 258 : 3 + number(literal - 257, 2);
            const uint32_t distanceSymbol = symbol(distances_);
            if (literal > kLongestMatch || distanceSymbol >= 30) {
                failed_ = true;
                return;
            }
            const uint32_t distance = 1 + number(distanceSymbol, 1);
            if (distance > written_) {
                failed_ = true;
            }
            while (length-- != 0 && !failed_) {
                put(output_[written_ - distance]);
            }
        }
    }

    const unsigned char* input_;
    size_t inputSize_;
    size_t read_ = 0;
    uint32_t bits_ = 0; // bits of the input that are read but not used yet
    uint32_t bitCount_ = 0;
    unsigned char* output_;
    size_t outputSize_;
    size_t written_ = 0;
    bool failed_ = false;
    PrefixCode literals_; // literals and lengths of matches
    PrefixCode distances_;
};

uint32_t crc_of(const unsigned char* bytes, size_t size) {
    uint32_t table[16] = {}; // for four bits at a time
    for (uint32_t i = 0; i < 16; ++i) {
        table[i] = i;
        for (uint32_t bit = 0; bit < 4; ++bit) {
            table[i] = table[i] >> 1 ^ ((table[i] & 1) != 0 ? 0xEDB88320 : 0);
        }
    }
    uint32_t crc = ~0u;
    for (size_t i = 0; i < size; ++i) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

} // namespace

VkResult inflate_code(const ShaderModule& shader, const HostAllocator&, uint32_t* words) {
    const size_t size = shader.wordCount * sizeof(uint32_t);
    auto* bytes = reinterpret_cast<unsigned char*>(words);
    Inflater inflater(shader.compressed, shader.compressedSize, bytes, size);
    // The header: the magic number, the method, and flags for optional fields, all 0; then 6 bytes of time, hints and file
    // system.
    const bool isGzip = inflater.bits(16) == 0x8B1F && inflater.bits(16) == 8;
    for (uint32_t i = 0; i < 3; ++i) {
        inflater.bits(16);
    }
    if (isGzip) {
        inflater.blocks();
        inflater.skip_to_byte();
        const uint32_t crc = inflater.bits(16);
        if (!inflater.failed() && inflater.fills_output() && (inflater.bits(16) << 16 | crc) == crc_of(bytes, size)) {
            return VK_SUCCESS;
        }
    }
    return VK_ERROR_INITIALIZATION_FAILED;
}

} // namespace vksort
