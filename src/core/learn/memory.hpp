// What is kept of the weights passed through.
#pragma once

#include <cstddef>

namespace rosenblatt {

/// Nothing: the last weights are the model.
struct Last {
    template <class Weights>
    void remember(Weights, std::size_t, double, double) {}
    template <class Weights>
    void scale(Weights, std::size_t, double) {}
};

/// Algorithm 7: the mean of the weights at the start and after every example. A change made at
/// example t missed the t weight vectors before it, so mean = weights - missed / (T + 1).
struct Averaged {
    double* missed;

    // Changes, not weights, are summed, so the same mean serves additive and multiplicative moves.
    template <class Weights>
    void remember(Weights, std::size_t slot, double change, double t) {
        missed[slot] += t * change;
    }
    template <class Weights>
    void scale(Weights, std::size_t slot, double by) {
        missed[slot] *= by;
    }
};

}  // namespace rosenblatt
