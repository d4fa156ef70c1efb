// Weights of half the size, which tell the winner of most races: where the weights of many classes
// do not fit into the cache, waiting for them is what predicting costs, and most of learning.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "base/buffer.hpp"
#include "base/vectors.hpp"
#include "fast/prefetch.hpp"

namespace rosenblatt {

/// Weights rounded to single precision; scores are still added up in double precision.
struct SinglePrecisionWeights : Run<float> {
    static constexpr std::size_t fours_per_line = 4;

    SinglePrecisionWeights from(std::size_t slot) const { return {{first + slot}}; }
    [[gnu::always_inline]] void prefetch_at(std::size_t slot) const { prefetch_near(first, slot); }
};

class SinglePrecision {
  public:
    template <class From>
    SinglePrecision(const From& from, std::size_t slots) {
        weights_.resize(slots);
        for (std::size_t slot = 0; slot < slots; ++slot) set(slot, from[slot]);
    }

    void set(std::size_t slot, double weight) {
        largest_ = std::max(largest_, std::abs(weight));
        weights_[slot] = static_cast<float>(weight);
    }

    std::size_t slots() const { return weights_.size(); }
    SinglePrecisionWeights weights() const { return {{weights_.data()}}; }

    /// Whether the best of these scores of an example would also be the best with the weights
    /// themselves.
    template <class Rows>
    bool decides(const Rows& rows, std::size_t example, double constant,
                 std::span<const double> scores) const {
        double best = -std::numeric_limits<double>::infinity(), second = best;
        for (const double score : scores) {
            second = std::max(second, std::min(best, score));
            best = std::max(best, score);
        }
        return best - second > wrong(rows, example, constant, scores);
    }

    /// How far the difference of two of these scores of an example may be from that with the
    /// weights themselves. A score is wrong by at most the sum of |value| times the rounding of a
    /// weight, 2^-24 of it or 2^-150, and by less for rounding of the sums; the bound is four times
    /// that. The sum of n |values| is at most the root of n times that of their squares.
    template <class Rows>
    double wrong(const Rows& rows, std::size_t example, double constant,
                 std::span<const double> scores) const {
        const std::size_t n = rows.length(example);
        const double squared_norm = rows.squared_norm(example);
        double finite = 0.0;
        for (const double score : scores) finite += score - score;
        if (n > longest || squared_norm < smallest || finite != 0.0)
            return std::numeric_limits<double>::infinity();
        const double sum = std::sqrt(static_cast<double>(n) * squared_norm) + std::abs(constant);
        return 0x1p-21 * sum * (largest_ + std::numeric_limits<float>::min());
    }

  private:
    static constexpr std::size_t longest = std::size_t{1} << 26;  // values whose sum is so exact
    static constexpr double smallest = 1e-250;  // of sums in which no square that counts was lost

    Buffer<float> weights_;
    double largest_ = 0.0;
};

/// Whether they seem to pay in learning: how often they were clear enough.
struct SinglePrecisionTrial {
    std::size_t tried = 0, undecided = 0;

    bool pays() const { return 4 * undecided <= tried + 256; }
    bool note(bool clear) {
        ++tried;
        undecided += !clear;
        return clear;
    }
};

}  // namespace rosenblatt
