// How far apart right answer and rival are, and how much of a step each weight takes.
#pragma once

#include <cstddef>

namespace rosenblatt {

/// The plain length: all weights move alike.
struct Flat {
    template <class Problem, class Verdict>
    double squared_length(const Problem& problem, std::size_t example, const Verdict& verdict) {
        return problem.squared_difference(example, verdict);
    }

    static double stretch(std::size_t, double amount) { return amount; }
};

/// Each weight has a variance, 1 / (1 + sureness), which starts at one and shrinks whenever the
/// weight is moved: the surer a weight, the less it counts and moves. Sureness starts at zero, so
/// that weights never touched take no memory.
struct Confidence {
    double* sureness;
    double r;
    double shrinkage = 0.0;

    double variance(std::size_t slot) const { return 1.0 / (1.0 + sureness[slot]); }

    template <class Problem, class Verdict>
    double squared_length(const Problem& problem, std::size_t example, const Verdict& verdict) {
        double length = 0.0;
        problem.difference(example, verdict, [&](std::size_t slot, double amount) {
            length += variance(slot) * amount * amount;
        });
        shrinkage = 1.0 / (length + r);
        return length;
    }

    /// The variance falls by shrinkage (variance amount)^2, which leaves it above zero.
    double stretch(std::size_t slot, double amount) {
        const double stretched = variance(slot) * amount;
        const double left = 1.0 - shrinkage * stretched * amount;
        sureness[slot] = (1.0 + sureness[slot]) / left - 1.0;
        return stretched;
    }
};

}  // namespace rosenblatt
