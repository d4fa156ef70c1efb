// Weights as they are scored with, read one or four at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lanes.hpp"

namespace rosenblatt {

/// Brings a number into the cache, which may lie anywhere: nothing is read.
template <class Number>
void prefetch_any(const Number* first, std::size_t slot) {
    const auto address = reinterpret_cast<std::uintptr_t>(first) + slot * sizeof(Number);
    __builtin_prefetch(reinterpret_cast<const void*>(address));
}

/// The weights themselves.
struct Plain : Run<double> {
    static constexpr std::size_t fours_per_line = 2;

    void prefetch_at(std::size_t slot) const { prefetch_any(first, slot); }
};

inline Plain as_scored(const double* weights) { return {{weights}}; }

/// (T + 1) times the averaged weights: exact while features are whole numbers, and so are ties
/// (A6).
struct Totalled {
    static constexpr std::size_t fours_per_line = 2;

    Plain weights;
    Plain missed;
    double counted;

    double operator[](std::size_t slot) const { return counted * weights[slot] - missed[slot]; }
    Four at(std::size_t slot) const { return counted * weights.at(slot) - missed.at(slot); }
    Four at_most(std::size_t slot, std::ptrdiff_t n) const {
        return counted * weights.at_most(slot, n) - missed.at_most(slot, n);
    }
    void prefetch_at(std::size_t slot) const {
        weights.prefetch_at(slot);
        missed.prefetch_at(slot);
    }
};

}  // namespace rosenblatt
