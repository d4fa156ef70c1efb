// Weights and averaging sums side by side, while many examples are learned from: a step on
// scattered columns then finds both in one line of the cache.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/buffer.hpp"
#include "base/vectors.hpp"

namespace rosenblatt {

struct Pair {
    double weight, missed;
};

using Two = double __attribute__((vector_size(sizeof(Pair)), may_alias));

inline constexpr std::uint32_t most_paired = 1u << 28;

/// The weights of pairs, at most most_paired, as the loop reads and moves them.
struct PairedWeights {
    Pair* pairs;

    double& operator[](std::size_t slot) const { return pairs[slot].weight; }

    /// The pair of a column. It lies sixteen times as many bytes further; of so few columns a
    /// rotation makes that, too, in the instruction that reads the column.
    template <class Index>
    [[gnu::always_inline]] Pair& of(Index column) const {
        static_assert(sizeof(Pair) == 16 && std::rotl(most_paired - 1, 4) >> 4 == most_paired - 1);
        const auto further = std::rotl(static_cast<std::make_unsigned_t<Index>>(column), 4);
        return *reinterpret_cast<Pair*>(reinterpret_cast<char*>(pairs) + further);
    }

    /// Adds changes made at example t to the weights of four columns, of which some may be the
    /// same.
    template <class Index>
    [[gnu::always_inline]] void add(const Index* columns, Four changes, double t) const {
        const Four missed = t * changes;
        const Four even = picked<0, 4, 2, 6>(changes, missed);
        const Four odd = picked<1, 5, 3, 7>(changes, missed);
        const auto add_to = [&](Index column, Two both) {
            reinterpret_cast<Two&>(of(column)) += both;
        };
        add_to(columns[0], Two{even[0], even[1]});
        add_to(columns[1], Two{odd[0], odd[1]});
        add_to(columns[2], Two{even[2], even[3]});
        add_to(columns[3], Two{odd[2], odd[3]});
    }
};

template <class Index>
[[gnu::always_inline]] inline double number_at(const PairedWeights& weights, Index column) {
    return weights.of(column).weight;
}

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
