// What is kept of the weights passed through.
#pragma once

#include <cstddef>
#include <cstdint>

#include "learn/forgetting.hpp"

namespace rosenblatt {

/// Nothing: the last weights are the model.
struct Last {
    void remember(double*, std::size_t, double, double) {}
    void scale(std::size_t, double) {}
};

/// Algorithm 7: the mean of the weights at the start and after every example. A change made at
/// example t missed the t weight vectors before it, so mean = weights - missed / (T + 1).
/// Where the mean forgets, it is their mass that counts, in the units of an epoch.
struct Averaged {
    double* missed;
    Forgetting forgetting{};
    std::int64_t epoch = 0;

    double before(std::int64_t t) const { return forgetting.before(t, epoch); }

    // Changes, not weights, are summed, so the same mean serves additive and multiplicative moves.
    void remember(double*, std::size_t slot, double change, double t) {
        missed[slot] += t * change;
    }
    void scale(std::size_t slot, double by) { missed[slot] *= by; }
};

}  // namespace rosenblatt
