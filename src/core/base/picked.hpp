// Numbers picked from two vectors side by side, by their places.
#pragma once

namespace rosenblatt {

/// Places count on from those of a to those of b. Always inlined: processors do not agree on how
/// vectors are handed to a function.
template <int... places, class Vector>
[[gnu::always_inline]] inline Vector picked(Vector a, Vector b) {
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, places...);
#else
    return __builtin_shuffle(a, b, decltype(a == b){places...});
#endif
}

}  // namespace rosenblatt
