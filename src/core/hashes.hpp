// Hashes of short strings of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rosenblatt {

/// How far the hashes and comparisons below may read, but not look, beyond the end of a string.
inline constexpr std::size_t read_ahead = 16;

template <class Word>
Word load(const char* at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// The first bytes, at most eight, the rest zero.
inline std::uint64_t head_of(const char* at, std::size_t size) {
    const auto word = load<std::uint64_t>(at);
    return size >= 8 ? word : word & ((std::uint64_t{1} << (8 * size)) - 1);
}

/// Multiplies to 128 bits and folds them: every bit of the product depends on all of both.
inline std::uint64_t fold_product(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// For tables in memory only: quick, and the secret keeps chosen words from all colliding.
inline std::uint64_t quick_hash(const char* at, std::size_t size, std::uint64_t secret) {
    std::uint64_t hash = secret ^ (size * 0x9E3779B97F4A7C15u);
    for (; size > 16; at += 8, size -= 8)
        hash = fold_product(hash ^ load<std::uint64_t>(at), 0xD1B54A32D192ED03u);
    const std::uint64_t rest = size > 8 ? head_of(at + 8, size - 8) : 0;
    hash = fold_product(hash ^ head_of(at, size), secret ^ rest ^ 0xA0761D6478BD642Fu);
    return fold_product(hash ^ rest, 0xE7037ED1A0B428DBu);
}

}  // namespace rosenblatt
