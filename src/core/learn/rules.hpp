// How far to step along the difference between the right answer and its rival.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/metric.hpp"
#include "learn/moves.hpp"
#include "learn/verdict.hpp"

namespace rosenblatt {

/// From numbers too large to work with; the loop stops there.
inline constexpr double not_a_step = std::numeric_limits<double>::quiet_NaN();

/// Rosenblatt (1958): a whole step after a mistake, none otherwise.
struct PerceptronRule {
    using Metric = Flat;
    static constexpr bool needs_norm = false;
    static constexpr double enough = 0.0;  // a margin above it leaves the weights as they are
    Additive move{};

    template <class SquaredNorm>
    double step(const Verdict& verdict, SquaredNorm) const {
        return verdict.mistake ? 1.0 : 0.0;
    }
};

/// Crammer et al. (2006): the shortest step that restores the margin aimed at. PA-I caps it
/// at C, PA-II adds 1 / 2C to the squared norm, plain PA does neither.
struct PassiveAggressiveRule {
    using Metric = Flat;
    static constexpr bool needs_norm = true;
    double cap;
    double damping;
    Additive move{};
    double aim = 1.0;

    template <class SquaredNorm>
    double step(const Verdict& verdict, SquaredNorm squared_norm) const {
        if (verdict.margin >= aim) return 0.0;
        const double length = squared_norm() + damping;
        if (length == 0.0) return 0.0;
        return std::isfinite(length) ? std::min(cap, (aim - verdict.margin) / length) : not_a_step;
    }
};

/// Littlestone (1988), Winnow: a whole step after a mistake, which multiplies.
struct WinnowRule {
    using Metric = Flat;
    static constexpr bool needs_norm = false;
    Multiplicative move;

    template <class SquaredNorm>
    double step(const Verdict& verdict, SquaredNorm) const {
        return verdict.mistake ? 1.0 : 0.0;
    }
};

/// Crammer, Kulesza, Dredze (2009), AROW: the step of PA-II, with r in the place of 1 / 2C, where
/// sure weights count for little and hardly move. The metric is Confidence, which keeps a variance
/// for each weight, or Covariance.
template <class ArowMetric>
struct Arow {
    using Metric = ArowMetric;
    static constexpr bool needs_norm = false;  // its metric has a norm of its own
    double r;
    Additive move{};

    template <class SquaredNorm>
    double step(const Verdict& verdict, SquaredNorm squared_norm) const {
        if (verdict.margin >= 1.0) return 0.0;
        const double length = squared_norm() + r;
        return std::isfinite(length) ? (1.0 - verdict.margin) / length : not_a_step;
    }
};

using ArowRule = Arow<Confidence>;
using FullArowRule = Arow<Covariance>;

}  // namespace rosenblatt
