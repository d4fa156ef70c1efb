// What a step does to one weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace rosenblatt {

/// Adds to it.
struct Additive {
    static constexpr double largest_step = 1e150;

    /// Moves the weight and returns the change.
    static double apply(double& weight, double amount) {
        weight += amount;
        return amount;
    }

    /// After the last weight of a step.
    template <class Memory>
    static void settle(double*, std::size_t, Memory&) {}
};

/// Multiplies it by `factor` for a step of one, divides it for minus one; a step s multiplies by
/// 1 + s (factor - 1). Weights are positive and matter only beside each other and the threshold, so
/// all can be scaled together.
///
/// A weight below `least` is too small to matter in a sum. It counts its divisions instead, as
/// least / (1 + divisions), so that it is never zero and as many multiplications bring it back.
struct Multiplicative {
    static constexpr double least = 0x1p-900, large = 0x1p550;

    double factor;
    double bits = std::log2(factor);
    double largest_step = 0x1p400 / (factor - 1.0);
    double highest = 0.0;

    explicit Multiplicative(double factor) : factor(factor) {}

    double apply(double& weight, double amount) {
        if (amount == 0.0) return 0.0;
        const double before = weight;
        weight = raise(weight, amount);
        highest = std::max(highest, weight);
        return weight - before;
    }

    /// Scales all weights by a power of two when one has grown large.
    template <class Memory>
    void settle(double* weights, std::size_t slots, Memory& memory) {
        if (highest <= large) return;
        const double halvings = 100.0 * std::ceil(std::log2(highest / large) / 100.0);
        const double by = std::exp2(halvings);
        for (std::size_t slot = 0; slot < slots; ++slot) {
            weights[slot] = std::abs(weights[slot]) >= least * by || weights[slot] == 0.0
                                ? weights[slot] / by
                                : lower_small(weights[slot], halvings / bits);
            memory.scale(slot, 1.0 / by);
        }
        highest /= by;
    }

  private:
    double raise(double weight, double amount) const {
        const bool whole = std::abs(amount) == 1.0;
        const double by = whole ? factor : 1.0 + std::abs(amount) * (factor - 1.0);
        const double times = whole ? 1.0 : std::log2(by) / bits;
        if (amount < 0.0) return weight >= least * by ? weight / by : lower_small(weight, times);
        if (weight >= least) return weight * by;
        const double left = divisions(weight) - times;
        return left > 0.0 ? least / (1.0 + left) : least * std::pow(factor, -left);
    }

    /// Divides a weight so often that it ends below the least.
    double lower_small(double weight, double times) const {
        const double made = weight < least ? divisions(weight) : -std::log2(weight / least) / bits;
        return least / (1.0 + made + times);
    }

    /// How often a small weight has been divided: to the millionth, so that counting is exact.
    static double divisions(double weight) {
        return std::nearbyint((least / weight - 1.0) * 0x1p20) * 0x1p-20;
    }
};

}  // namespace rosenblatt
