// Writing past the caches, by non-temporal stores.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <cstddef>

namespace rosenblatt {

/// Writes 32 bytes into memory that is too large to be read again soon: they go straight there,
/// without their line being read first. They must begin at a multiple of 32 bytes, and soon be
/// followed by the rest of their line. Other threads may read them after `finish_streaming`.
struct PutPast {
    template <class Part, class Number>
    [[gnu::always_inline]] void operator()(const Part& part, Number* to) const {
        static_assert(sizeof(Part) == 32);
#if defined(__AVX__)
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<const __m256i&>(part));
#elif defined(__SSE2__)
        const auto* const halves = reinterpret_cast<const __m128i*>(&part);
        _mm_stream_si128(reinterpret_cast<__m128i*>(to), halves[0]);
        _mm_stream_si128(reinterpret_cast<__m128i*>(to) + 1, halves[1]);
#else
        __builtin_memcpy(to, &part, sizeof(Part));
#endif
    }
};
inline constexpr PutPast put_past;

inline void finish_streaming() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

}  // namespace rosenblatt
