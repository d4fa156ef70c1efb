// Writing past the caches.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rosenblatt {

#if defined(__AVX__)
using LinePart = __m256i;
inline void put_past(const LinePart* from, LinePart* to) {
    _mm256_stream_si256(to, _mm256_loadu_si256(from));
}
#elif defined(__SSE2__)
using LinePart = __m128i;
inline void put_past(const LinePart* from, LinePart* to) {
    _mm_stream_si128(to, _mm_loadu_si128(from));
}
#endif

/// Copies into memory that is too large to be read again soon: whole lines go straight there,
/// without being fetched first. Other threads may read them after `finish_streaming`.
template <class Value>
void stream(const Value* from, std::size_t n, Value* to) {
#if defined(__SSE2__)
    constexpr std::size_t line = 64;
    const std::size_t into = reinterpret_cast<std::uintptr_t>(to) % line / sizeof(Value);
    const std::size_t head = std::min(n, into ? line / sizeof(Value) - into : 0);
    const std::size_t lines = (n - head) * sizeof(Value) / line;
    to = std::copy_n(from, head, to);
    const auto* source = reinterpret_cast<const LinePart*>(from + head);
    auto* target = reinterpret_cast<LinePart*>(to);
    for (std::size_t k = 0; k < lines * line / sizeof(LinePart); ++k)
        put_past(source + k, target + k);
    const std::size_t done = head + lines * line / sizeof(Value);
    std::copy_n(from + done, n - done, to + (done - head));
#else
    std::copy_n(from, n, to);
#endif
}

inline void finish_streaming() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

}  // namespace rosenblatt
