// Work done with wide vectors where the processor has them, in code that is compiled for all.
#pragma once

namespace rosenblatt {

#if defined(__x86_64__)

inline const bool has_avx2 = __builtin_cpu_supports("avx2");

/// Does the work in code for AVX2. All of it must be inline, always: what is not would be code for
/// all processors, which hands vectors over in another way.
template <class Work>
[[gnu::target("avx2")]] auto with_avx2(Work work) {
    return work();
}

#else

inline constexpr bool has_avx2 = false;

template <class Work>
auto with_avx2(Work work) {
    return work();
}

#endif

}  // namespace rosenblatt
