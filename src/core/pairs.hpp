// Weights and averaging sums side by side, while many examples are learned from: a step on
// scattered columns then finds both in one line of the cache.
#pragma once

#include <cstddef>
#include <cstdint>

#include "buffer.hpp"

namespace rosenblatt {

struct Pair {
    double weight, missed;
};

/// The weights of pairs, as the loop reads and moves them.
struct PairedWeights {
    Pair* pairs;

    double& operator[](std::size_t slot) const { return pairs[slot].weight; }
};

inline PairedWeights as_scored(PairedWeights weights) { return weights; }

/// The averaging sums beside them, found through the weights: so a compiler sees that both numbers
/// of a pair can be changed at once.
struct AveragedBeside {
    static void remember(PairedWeights weights, std::size_t slot, double change, double t) {
        weights.pairs[slot].missed += t * change;
    }
    static void scale(PairedWeights weights, std::size_t slot, double by) {
        weights.pairs[slot].missed *= by;
    }
};

/// Pairs of the caller's numbers, kept from one call to the next.
class KeptPairs {
  public:
    /// Calls learn(weights, memory) with pairs, and writes them back. Those of the last call still
    /// hold if they are of the same weights and, as `t` tells, nothing was learned since.
    template <class Learn>
    auto learn(double* weights, double* missed, std::size_t slots, std::int64_t t, Learn learn) {
        if (weights != of || slots != pairs.size() || t != at) {
            pairs.resize(slots);
            for (std::size_t slot = 0; slot < slots; ++slot)
                pairs[slot] = {weights[slot], missed[slot]};
        }
        const auto result = learn(PairedWeights{pairs.data()}, AveragedBeside{});
        for (std::size_t slot = 0; slot < slots; ++slot) {
            weights[slot] = pairs[slot].weight;
            missed[slot] = pairs[slot].missed;
        }
        of = weights;
        at = t + result.examples;
        return result;
    }

  private:
    Buffer<Pair> pairs;
    const double* of = nullptr;
    std::int64_t at = 0;
};

}  // namespace rosenblatt
