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

/// MurmurHash3, 32 bits, of Austin Appleby, with seed zero: the hash of scikit-learn.
inline std::uint32_t murmur3(const char* at, std::size_t size) {
    const auto rotated = [](std::uint32_t x, int by) { return (x << by) | (x >> (32 - by)); };
    const auto mixed = [&](std::uint32_t k) { return rotated(k * 0xCC9E2D51u, 15) * 0x1B873593u; };
    const auto after = [&](std::uint32_t hash, const char* word) {
        return rotated(hash ^ mixed(load<std::uint32_t>(word)), 13) * 5 + 0xE6546B64u;
    };
    std::uint32_t hash = 0;
    const char* const rest = at + size / 4 * 4;
    for (; rest - at > 12; at += 4) hash = after(hash, at);
    // The lengths of words are hard to predict: these are choices of a value, not of a way.
    const auto words = (rest - at) / 4;
    std::uint32_t next = after(hash, at);
    hash = words > 0 ? next : hash;
    next = after(hash, at + 4);
    hash = words > 1 ? next : hash;
    next = after(hash, at + 8);
    hash = words > 2 ? next : hash;
    hash ^= mixed(static_cast<std::uint32_t>(head_of(rest, size % 4)));
    hash ^= static_cast<std::uint32_t>(size);
    hash = (hash ^ (hash >> 16)) * 0x85EBCA6Bu;
    hash = (hash ^ (hash >> 13)) * 0xC2B2AE35u;
    return hash ^ (hash >> 16);
}

}  // namespace rosenblatt
