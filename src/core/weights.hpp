// Weights as they are scored with, read one or four at a time.
#pragma once

#include <cstddef>

#include "lanes.hpp"

namespace rosenblatt {

/// The weights themselves.
struct Plain : Run<double> {
    void prefetch_at(std::size_t slot) const { __builtin_prefetch(first + slot); }
};

/// (T + 1) times the averaged weights: exact while features are whole numbers, and so are ties
/// (A6).
struct Totalled {
    Plain weights;
    Plain missed;
    double counted;

    double operator[](std::size_t slot) const { return counted * weights[slot] - missed[slot]; }
    Four at(std::size_t slot) const { return counted * weights.at(slot) - missed.at(slot); }
    void prefetch_at(std::size_t slot) const {
        weights.prefetch_at(slot);
        missed.prefetch_at(slot);
    }
};

}  // namespace rosenblatt
