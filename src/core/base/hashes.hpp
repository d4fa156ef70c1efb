// Hashes of short strings of bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/unaligned.hpp"

namespace rosenblatt {

/// How far the hashes and comparisons below may read, but not look, beyond the end of a string.
inline constexpr std::size_t read_ahead = 16;

/// What to keep of the second eight of 16 bytes that a string of n bytes is read as. A table, since
/// the lengths of words are hard to predict.
inline constexpr auto kept_of_second = [] {
    std::array<std::uint64_t, 17> kept{};
    for (std::size_t n = 9; n <= 16; ++n) kept[n] = ~std::uint64_t{0} >> (8 * (16 - n));
    return kept;
}();

/// The first bytes, at most eight, the rest zero.
inline std::uint64_t head_of(const char* at, std::size_t size) {
    return load<std::uint64_t>(at) & kept_of_second[std::min<std::size_t>(size + 8, 16)];
}

/// The bytes after those, again at most eight.
inline std::uint64_t rest_of(const char* at, std::size_t size) {
    return load<std::uint64_t>(at + 8) & kept_of_second[std::min<std::size_t>(size, 16)];
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
    const std::uint64_t rest = rest_of(at, size);
    hash = fold_product(hash ^ head_of(at, size), secret ^ rest ^ 0xA0761D6478BD642Fu);
    return fold_product(hash ^ rest, 0xE7037ED1A0B428DBu);
}

}  // namespace rosenblatt
