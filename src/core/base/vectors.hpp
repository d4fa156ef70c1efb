// Numbers side by side. What handles them must always be inlined: processors do not agree on how
// they are handed to a function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/unaligned.hpp"

namespace rosenblatt {

/// Bytes side by side; what compares them gives bytes of ones or of zeros.
using Sixteen = std::uint8_t __attribute__((vector_size(16), may_alias));

/// The highest bit of each byte, that of the first lowest.
[[gnu::always_inline]] inline std::uint64_t bits_of(Sixteen set) {
#if defined(__SSE2__)
    return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(set)));
#else
    std::uint64_t bits = 0;
    for (int k = 0; k < 16; ++k) bits |= static_cast<std::uint64_t>(set[k] >> 7) << k;
    return bits;
#endif
}

/// Numbers of two vectors, by their places, which count on from those of a to those of b.
template <int... places, class Vector>
[[gnu::always_inline]] inline Vector picked(Vector a, Vector b) {
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, places...);
#else
    return __builtin_shuffle(a, b, decltype(a == b){places...});
#endif
}

/// Four numbers side by side; one operation at a time on each, whatever the processor's width.
using Four = double __attribute__((vector_size(32)));
inline constexpr std::size_t four = 4;

using FourInts = std::int64_t __attribute__((vector_size(32)));

/// All ones for the first n of four, zeros for the rest.
inline FourInts first_of_four(std::ptrdiff_t n) { return FourInts{0, 1, 2, 3} < n; }

/// Numbers next to each other in memory, read one or four at a time.
template <class Value>
struct Run {
    const Value* first;

    double operator[](std::size_t k) const { return static_cast<double>(first[k]); }
    [[gnu::always_inline]] Four at(std::size_t k) const {
        if constexpr (std::is_same_v<Value, double>) {
            return load<Four>(first + k);
        } else {
            return Four{(*this)[k], (*this)[k + 1], (*this)[k + 2], (*this)[k + 3]};
        }
    }
    /// Four of which the first n count and the others are zero.
    [[gnu::always_inline]] Four at_most(std::size_t k, std::ptrdiff_t n) const {
        return reinterpret_cast<Four>(reinterpret_cast<FourInts>(at(k)) & first_of_four(n));
    }
};

/// Eight whole numbers.
using Eight = std::uint32_t __attribute__((vector_size(32)));

/// Columns become rows, in the first four of each row and in the last four by themselves.
[[gnu::always_inline]] inline void transpose_halves(Eight& a, Eight& b, Eight& c, Eight& d) {
    const Eight ab = picked<0, 8, 1, 9, 4, 12, 5, 13>(a, b);
    const Eight cd = picked<0, 8, 1, 9, 4, 12, 5, 13>(c, d);
    const Eight ab_later = picked<2, 10, 3, 11, 6, 14, 7, 15>(a, b);
    const Eight cd_later = picked<2, 10, 3, 11, 6, 14, 7, 15>(c, d);
    a = picked<0, 1, 8, 9, 4, 5, 12, 13>(ab, cd);
    b = picked<2, 3, 10, 11, 6, 7, 14, 15>(ab, cd);
    c = picked<0, 1, 8, 9, 4, 5, 12, 13>(ab_later, cd_later);
    d = picked<2, 3, 10, 11, 6, 7, 14, 15>(ab_later, cd_later);
}

/// And four, two of which make eight.
using FourWords = std::uint32_t __attribute__((vector_size(16)));

[[gnu::always_inline]] inline Eight joined(FourWords a, FourWords b) {
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    return Eight{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
#endif
}

}  // namespace rosenblatt
