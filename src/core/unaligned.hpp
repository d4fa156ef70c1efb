// Vectors read and written wherever they begin in memory.
#pragma once

#include <cstring>

namespace rosenblatt {

// Through memcpy, since compilers do not agree on where a reference to a vector of lesser alignment
// remembers it.

template <class Vector, class Number>
[[gnu::always_inline]] inline Vector load(const Number* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
}

template <class Vector, class Number>
[[gnu::always_inline]] inline void store(const Vector& vector, Number* to) {
    std::memcpy(to, &vector, sizeof vector);
}

}  // namespace rosenblatt
