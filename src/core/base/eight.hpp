// Eight whole numbers side by side. What handles them must always be inlined: processors do not
// agree on how they are handed to a function.
#pragma once

#include <cstdint>

#include "base/picked.hpp"

namespace rosenblatt {

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
