// Words and vectors read and written wherever they begin in memory.
#pragma once

#include <cstring>

namespace rosenblatt {

// Through memcpy: compilers do not agree on how long a type remembers that it is less aligned.

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
