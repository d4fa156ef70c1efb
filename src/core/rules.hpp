// How far to step along the difference between the right answer and its rival.
#pragma once

#include <algorithm>

#include "verdict.hpp"

namespace rosenblatt {

/// What a step does to one weight: add to it.
struct Additive {
    static double change(double /*weight*/, double amount) { return amount; }
};

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
        return length > 0.0 ? std::min(cap, (1.0 - verdict.margin) / length) : 0.0;
    }
};

}  // namespace rosenblatt
