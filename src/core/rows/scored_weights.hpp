// Weights as they are scored with, read one or four at a time.
#pragma once

#include <cstddef>

#include "fast/prefetch.hpp"
#include "rows/dot.hpp"

namespace rosenblatt {

/// The weights themselves.
struct Plain : Run<double> {
    static constexpr std::size_t fours_per_line = 2;

    Plain from(std::size_t slot) const { return {{first + slot}}; }
    [[gnu::always_inline]] void prefetch_at(std::size_t slot) const { prefetch_near(first, slot); }
};

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
    Totalled from(std::size_t slot) const {
        return {weights.from(slot), missed.from(slot), counted};
    }
    [[gnu::always_inline]] void prefetch_at(std::size_t slot) const {
        weights.prefetch_at(slot);
        missed.prefetch_at(slot);
    }
};

}  // namespace rosenblatt
