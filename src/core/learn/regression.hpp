// A number for each example, which its score is to come close to (Crammer et al. 2006).
#pragma once

#include <cmath>
#include <cstddef>

#include "learn/binary.hpp"

namespace rosenblatt {

/// The margin is the distance from the target, below zero; the difference points towards it, as if
/// the right answer were above or below the score. Further away than a rule aims at is a mistake.
template <class Rows>
struct Regression : Binary<Rows> {
    template <class Rule>
    [[gnu::always_inline]] Verdict judge(const Walk& walk, const Rule& rule,
                                         const double* weights) const {
        const auto [score, squared_norm, scale, sound] =
            this->template measure<Rule>(walk, weights);
        const double missing = this->terms.targets[walk.example()] - score;
        const double margin = sound ? -std::abs(missing) : no_margin;
        const std::size_t right = missing > 0.0;
        return {margin, margin < rule.aim, right, 1 - right, scale, squared_norm};
    }
};

}  // namespace rosenblatt
