// Sentences about the core, and the checks that they hold.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "learn/orders.hpp"

namespace core_tests {

using namespace rosenblatt;
using std::size_t;

inline int passed = 0, failed = 0;
inline std::atomic<bool> sound = true;  // threads check, too

#define CHECK(...) check(bool(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

inline void check(bool holds, const char* what, const char* file, int line) {
    if (holds) return;
    if (sound.exchange(false)) std::printf("    %s:%d: %s\n", file, line, what);
}

/// A sentence about the core, and the body that proves it.
template <class Body>
inline void test(const char* sentence, Body body) {
    sound = true;
    body();
    if (!sound) std::printf("FAILED: %s\n", sentence);
    ++(sound ? passed : failed);
}

inline bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * (1.0 + std::abs(b)); }

struct Dice {
    Generator generator;

    explicit Dice(std::uint64_t seed) : generator(seed, 0) {}
    int below(int bound) {
        return static_cast<int>(generator.below(static_cast<std::uint32_t>(bound)));
    }
    bool coin() { return below(2) == 1; }
    double real() { return static_cast<double>(generator.next() >> 11) * 0x1p-52 - 1.0; }
};

}  // namespace core_tests
