// Eight whole numbers side by side. What handles them must always be inlined: processors do not
// agree on how they are handed to a function.
#pragma once

#include <cstdint>

namespace rosenblatt {

using Eight = std::uint32_t __attribute__((vector_size(32)));

/// Those of sixteen that stand at these places.
template <int... places>
[[gnu::always_inline]] inline Eight picked(Eight a, Eight b) {
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, places...);
#else
    return __builtin_shuffle(a, b, Eight{places...});
#endif
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
