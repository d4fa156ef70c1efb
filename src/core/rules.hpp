// How far to step along the difference between the right answer and its rival.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "verdict.hpp"

namespace rosenblatt {

/// What a step does to one weight: add to it.
struct Additive {
    static double change(double /*weight*/, double amount) { return amount; }
};

/// From numbers too large to work with; the loop stops there.
inline constexpr double not_a_step = std::numeric_limits<double>::quiet_NaN();

/// Rosenblatt (1958): a whole step after a mistake, none otherwise.
struct PerceptronRule {
    using Move = Additive;

    template <class SquaredNorm>
    double step(const Verdict& verdict, SquaredNorm) const {
        return verdict.mistake ? 1.0 : 0.0;
    }
};

/// Crammer et al. (2006): the shortest step that restores a margin of one. PA-I caps it
/// at C, PA-II adds 1 / 2C to the squared norm, plain PA does neither.
struct PassiveAggressiveRule {
    using Move = Additive;
    double cap;
    double damping;

    template <class SquaredNorm>
    double step(const Verdict& verdict, SquaredNorm squared_norm) const {
        if (verdict.margin >= 1.0) return 0.0;
        const double length = squared_norm() + damping;
        if (length == 0.0) return 0.0;
        return std::isfinite(length) ? std::min(cap, (1.0 - verdict.margin) / length) : not_a_step;
    }
};

}  // namespace rosenblatt
