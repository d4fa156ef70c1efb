// How far apart right answer and rival are, and how much of a step each weight takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rosenblatt {

/// The plain length: all weights move alike.
struct Flat {
    template <class Problem, class Verdict>
    double squared_length(const Problem& problem, std::size_t example, const Verdict& verdict) {
        return problem.squared_difference(example, verdict);
    }

    template <class Problem, class Verdict, class Visit>
    [[gnu::always_inline]] static void along(const Problem& problem, std::size_t example,
                                             const Verdict& verdict, Visit visit) {
        problem.difference(example, verdict, visit);
    }
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

    template <class Problem, class Verdict, class Visit>
    [[gnu::always_inline]] void along(const Problem& problem, std::size_t example,
                                      const Verdict& verdict, Visit visit) {
        problem.difference(example, verdict, [&](std::size_t slot, double amount) {
            visit(slot, stretch(slot, amount));
        });
    }

    /// The variance falls by shrinkage (variance amount)^2, which leaves it above zero.
    double stretch(std::size_t slot, double amount) {
        const double stretched = variance(slot) * amount;
        const double left = 1.0 - shrinkage * stretched * amount;
        sureness[slot] = (1.0 + sureness[slot]) / left - 1.0;
        return stretched;
    }
};

/// The variances of all weights and the covariance of each two, a symmetric matrix with ones on its
/// diagonal at first: a step moves what goes with the features of an example, too. The weights of
/// the constant feature come first in it, so that new features come last.
struct Covariance {
    double* values;
    std::size_t room;  // numbers from row to row
    std::size_t slots, stride;
    double r;
    double shrinkage = 0.0;
    std::vector<double> stretched = std::vector<double>(slots);  // the difference, by the matrix

    template <class Problem, class Verdict>
    double squared_length(const Problem& problem, std::size_t example, const Verdict& verdict) {
        std::ranges::fill(stretched, 0.0);
        problem.difference(example, verdict, [&](std::size_t slot, double amount) {
            const double* row = values + place(slot) * room;
            for (std::size_t k = 0; k < slots; ++k) stretched[k] += amount * row[k];
        });
        double length = 0.0;
        problem.difference(example, verdict, [&](std::size_t slot, double amount) {
            length += amount * stretched[place(slot)];
        });
        length = std::max(length, 0.0);  // but for rounding it always is
        shrinkage = 1.0 / (length + r);
        return length;
    }

    template <class Problem, class Verdict, class Visit>
    void along(const Problem&, std::size_t, const Verdict&, Visit visit) {
        for (std::size_t slot = 0; slot < slots; ++slot) visit(slot, stretched[place(slot)]);
        for (std::size_t i = 0; i < slots; ++i) {
            const double by = shrinkage * stretched[i];
            if (by == 0.0) continue;
            double* row = values + i * room;
            for (std::size_t k = 0; k < slots; ++k) row[k] -= by * stretched[k];
        }
    }

  private:
    std::size_t place(std::size_t slot) const {
        return slot + stride < slots ? slot + stride : slot + stride - slots;
    }
};

}  // namespace rosenblatt
