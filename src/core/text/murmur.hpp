// MurmurHash3, 32 bits, of Austin Appleby, with seed zero: the hash of scikit-learn.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/avx2.hpp"
#include "base/hashes.hpp"
#include "base/unaligned.hpp"
#include "base/vectors.hpp"
#include "text/utf8.hpp"

namespace rosenblatt {

/// What the hash does with a word, or with a word of each of eight strings.
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

/// The first 16 bytes of eight pieces: the first four of each, the next, and so on.
struct FirstWords {
    Eight first, second, third, fourth;

    [[gnu::always_inline]] FirstWords(const char* bytes, const Piece* pieces) {
        const auto two = [&](std::size_t j) __attribute__((always_inline)) {
            return joined(load<FourWords>(bytes + pieces[j].begin),
                          load<FourWords>(bytes + pieces[j + 4].begin));
        };
        first = two(0);
        second = two(1);
        third = two(2);
        fourth = two(3);
        transpose_halves(first, second, third, fourth);
    }
};

/// The hashes of eight pieces. The lengths of words are hard to predict, so that up to 15 bytes
/// they are choices of a value, not of a way.
[[gnu::always_inline]] inline void murmur3_of_eight(const char* bytes, const Piece* pieces,
                                                    std::uint32_t* hashes) {
    using Each = Murmur<Eight>;
    constexpr std::uint32_t most = 15;
    const auto low = load<Eight>(pieces), high = load<Eight>(pieces + 4);
    const Eight size =
        picked<1, 3, 5, 7, 9, 11, 13, 15>(low, high) - picked<0, 2, 4, 6, 8, 10, 12, 14>(low, high);
    const FirstWords words(bytes, pieces);
    Eight hash{}, rest = words.first;
    const auto go_on = [&](std::uint32_t least, Eight word, Eight next)
                           __attribute__((always_inline)) {
                               hash = size >= least ? Each::after(hash, word) : hash;
                               rest = size >= least ? next : rest;
                           };
    go_on(4, words.first, words.second);
    go_on(8, words.second, words.third);
    go_on(12, words.third, words.fourth);
    hash = Each::finished(hash, rest & (((Eight{} + 1) << size % 4 * 8) - 1), size);
    store(hash, hashes);
    std::uint32_t sizes = 0;
    for (std::size_t k = 0; k < 8; ++k) sizes |= size[k];
    for (std::size_t k = 0; sizes > most && k < 8; ++k)
        if (size[k] > most) hashes[k] = murmur3(bytes + pieces[k].begin, size[k]);
}

[[gnu::always_inline]] inline void murmur3_in_eights(const char* bytes,
                                                     std::span<const Piece> pieces,
                                                     std::uint32_t* hashes) {
    const std::size_t n = pieces.size(), left = n % 8, whole = n - left;
    for (std::size_t k = 0; k < whole; k += 8)
        murmur3_of_eight(bytes, pieces.data() + k, hashes + k);
    if (left == 0) return;
    std::array<Piece, 8> last{};
    std::array<std::uint32_t, 8> found;
    std::copy_n(pieces.data() + whole, left, last.data());
    murmur3_of_eight(bytes, last.data(), found.data());
    std::copy_n(found.data(), left, hashes + whole);
}

inline void murmur3_each(const char* bytes, std::span<const Piece> pieces, std::uint32_t* hashes) {
    const auto work = [&]() __attribute__((always_inline)) {
        murmur3_in_eights(bytes, pieces, hashes);
    };
    has_avx2 ? with_avx2(work) : work();
}

}  // namespace rosenblatt
