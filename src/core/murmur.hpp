// MurmurHash3, 32 bits, of Austin Appleby, with seed zero: the hash of scikit-learn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "avx2.hpp"
#include "folding.hpp"
#include "hashes.hpp"

namespace rosenblatt {

/// A word of each of eight strings.
using EightWords = std::uint32_t __attribute__((vector_size(32)));

/// What the hash does with a word, or with a word of each of eight strings. Always inline:
/// processors do not agree on how eight words are handed to a function.
template <class Word>
struct Murmur {
    [[gnu::always_inline]] static Word rotated(Word x, int by) {
        return (x << by) | (x >> (32 - by));
    }
    [[gnu::always_inline]] static Word mixed(Word word) {
        return rotated(word * 0xCC9E2D51u, 15) * 0x1B873593u;
    }
    [[gnu::always_inline]] static Word after(Word hash, Word word) {
        return rotated(hash ^ mixed(word), 13) * 5 + 0xE6546B64u;
    }
    /// With the last bytes, fewer than four, and the size.
    [[gnu::always_inline]] static Word finished(Word hash, Word rest, Word size) {
        hash ^= mixed(rest) ^ size;
        hash = (hash ^ (hash >> 16)) * 0x85EBCA6Bu;
        hash = (hash ^ (hash >> 13)) * 0xC2B2AE35u;
        return hash ^ (hash >> 16);
    }
};

inline std::uint32_t murmur3(const char* at, std::size_t size) {
    using One = Murmur<std::uint32_t>;
    std::uint32_t hash = 0;
    const char* const rest = at + size / 4 * 4;
    for (; at < rest; at += 4) hash = One::after(hash, load<std::uint32_t>(at));
    return One::finished(hash, static_cast<std::uint32_t>(head_of(rest, size % 4)),
                         static_cast<std::uint32_t>(size));
}

/// The hashes of all pieces, eight at a time. The lengths of words are hard to predict, so that up
/// to 15 bytes they are choices of a value, not of a way.
[[gnu::always_inline]] inline void murmur3_in_eights(const char* bytes,
                                                     std::span<const Piece> pieces,
                                                     std::uint32_t* hashes) {
    using Each = Murmur<EightWords>;
    constexpr std::size_t eight = 8, most = 15;
    std::size_t k = 0;
    for (; k + eight <= pieces.size(); k += eight) {
        EightWords first, second, third, rest, size;
        bool longer = false;
        for (std::size_t j = 0; j < eight; ++j) {
            const char* const at = bytes + pieces[k + j].begin;
            size[j] = pieces[k + j].end - pieces[k + j].begin;
            longer |= size[j] > most;
            const auto both = load<std::uint64_t>(at);
            first[j] = static_cast<std::uint32_t>(both);
            second[j] = static_cast<std::uint32_t>(both >> 32);
            third[j] = load<std::uint32_t>(at + 8);
            rest[j] = load<std::uint32_t>(at + size[j] / 4 * 4);
        }
        EightWords hash{};
        hash = size >= 4 ? Each::after(hash, first) : hash;
        hash = size >= 8 ? Each::after(hash, second) : hash;
        hash = size >= 12 ? Each::after(hash, third) : hash;
        hash = Each::finished(hash, rest & (((EightWords{} + 1) << size % 4 * 8) - 1), size);
        std::memcpy(hashes + k, &hash, sizeof hash);
        for (std::size_t j = 0; longer && j < eight; ++j)
            if (size[j] > most) hashes[k + j] = murmur3(bytes + pieces[k + j].begin, size[j]);
    }
    for (; k < pieces.size(); ++k)
        hashes[k] = murmur3(bytes + pieces[k].begin, pieces[k].end - pieces[k].begin);
}

inline void murmur3_each(const char* bytes, std::span<const Piece> pieces, std::uint32_t* hashes) {
    const auto work = [&]() __attribute__((always_inline)) {
        murmur3_in_eights(bytes, pieces, hashes);
    };
    has_avx2 ? with_avx2(work) : work();
}

}  // namespace rosenblatt
