// Bytes that should be UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "base/unaligned.hpp"
#include "base/vectors.hpp"

namespace rosenblatt {

/// A piece of a document, in bytes.
struct Piece {
    std::uint32_t begin, end;
};

inline bool is_ascii(const char* bytes, std::size_t size) {
    unsigned char all = 0;
    for (std::size_t k = 0; k < size; ++k) all |= static_cast<unsigned char>(bytes[k]);
    return all < 0x80;
}

/// What stands at the beginning of some bytes: a character, or bytes that make none.
struct Utf8Character {
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    std::uint32_t value;
    std::size_t size;  // bytes; of what makes no character, as many as could have begun one
};

/// Reads one character, of `size` bytes at least one. Lone surrogates are characters if allowed.
inline Utf8Character read_utf8(const char* bytes, std::size_t size, bool surrogates) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(bytes[k]); };
    const std::uint32_t first = byte(0);
    if (first < 0x80) return {first, 1};
    if (first < 0xC2 || first > 0xF4) return {Utf8Character::none, 1};
    const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    // The second byte rules out what is too long, too high, or a surrogate.
    const std::uint32_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const std::uint32_t high = first == 0xED && !surrogates ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    std::uint32_t value = first & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if (k == size || byte(k) < (k == 1 ? low : 0x80) || byte(k) > (k == 1 ? high : 0xBF))
            return {Utf8Character::none, k};
        value = value << 6 | (byte(k) & 0x3F);
    }
    return {value, length};
}

/// Whether something is wrong with sixteen bytes that follow whole characters or parts of sound
/// ones in memory: one that stands where it must not, or the second byte of one character.
[[gnu::always_inline]] inline bool are_garbled(const char* bytes, bool surrogates) {
    const auto here = load<Sixteen>(bytes), before = load<Sixteen>(bytes - 1);
    const auto second = load<Sixteen>(bytes - 2), third = load<Sixteen>(bytes - 3);
    const auto goes_on = (here & 0xC0) == 0x80;
    const auto has_to = (before >= 0xC2) | (second >= 0xE0) | (third >= 0xF0);
    auto wrong = (goes_on != has_to) | (here == 0xC0) | (here == 0xC1) | (here > 0xF4);
    wrong |= (before == 0xE0) & (here < 0xA0);  // too long
    wrong |= (before == 0xF0) & (here < 0x90);
    wrong |= (before == 0xF4) & (here > 0x8F);  // too high
    if (!surrogates) wrong |= (before == 0xED) & (here > 0x9F);
    return bits_of(reinterpret_cast<Sixteen>(wrong)) != 0;
}

/// The first byte that is no part of a character; null if all are.
inline const char* not_utf8(const char* bytes, std::size_t size, bool surrogates) {
    for (std::size_t k = 0; k < size;) {
        if (k >= 3) {  // what lies before may be looked at
            std::size_t sound = k;
            while (size - sound >= sizeof(Sixteen) && !are_garbled(bytes + sound, surrogates))
                sound += sizeof(Sixteen);
            if (sound > k) {  // back to where the last character begins: there may be more of it
                for (k = sound - 1; (bytes[k] & 0xC0) == 0x80;) --k;
            }
        }
        const Utf8Character next = read_utf8(bytes + k, size - k, surrogates);
        if (next.value == Utf8Character::none) return bytes + k;
        k += next.size;
    }
    return nullptr;
}

inline bool is_utf8(const char* bytes, std::size_t size, bool surrogates) {
    return not_utf8(bytes, size, surrogates) == nullptr;
}

/// The same, but U+FFFD for each stretch of bytes that makes no character, as in Python's
/// bytes.decode("utf-8", "replace").
inline Utf8Character read_replaced(const char* bytes, std::size_t size) {
    constexpr std::uint32_t replacement = 0xFFFD;
    const Utf8Character next = read_utf8(bytes, size, false);
    return {next.value == Utf8Character::none ? replacement : next.value, next.size};
}

/// All characters of some bytes.
inline void decode_utf8(const char* bytes, std::size_t size, Buffer<std::uint32_t>& characters) {
    characters.clear();
    std::uint32_t* const to = characters.room(size);
    std::size_t count = 0;
    for (std::size_t k = 0; k < size; ++count) {
        const Utf8Character next = read_replaced(bytes + k, size - k);
        to[count] = next.value;
        k += next.size;
    }
    characters.commit(count);
}

}  // namespace rosenblatt
