// Functions that the compiler makes twice: for processors with AVX2, and for all. Which one is
// called is settled when the program is loaded.
#pragma once

#include <cstddef>

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define ROSENBLATT_CLONES [[gnu::target_clones("avx2", "default")]]
#else
#define ROSENBLATT_CLONES
#endif
