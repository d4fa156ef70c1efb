// What is told of a walk: how many examples, how many steps, and each step if that is wanted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "learn/verdict.hpp"
#include "learn/walk.hpp"

namespace rosenblatt {

/// One step taken: at the t-th example, `amount` times its row was added to the weights of the
/// right class and taken from those of the rival.
struct Mistake {
    std::int64_t t;
    std::int64_t example;
    std::int32_t right, rival;
    double step;
    std::int64_t row;  // where the example is kept, -1 if it is not
    double amount;     // the step times the scale of the example
};

struct Tally {
    std::int64_t examples = 0;
    std::int64_t updates = 0;
    std::int64_t mistakes = 0;
    std::int64_t overflow = -1;  // the example at which the numbers grew too large to go on
    double steps = 0.0;          // the sum of all steps so far
    double smallest = std::numeric_limits<double>::infinity();  // of the margins, before the steps
};

/// The sum of steps goes on from that of the walks before, so that it is the same however a walk is
/// cut up.
struct Record {
    std::span<Mistake> mistakes;  // room for one per example, or empty
    Tally tally{};

    /// Whether the walk can go on: the numbers are not too large to take this step.
    bool admits(const Walk& walk, const Verdict& verdict, double step, double largest_step) {
        const auto example = static_cast<std::int64_t>(walk.example());
        if (!(std::isfinite(verdict.margin) && step <= largest_step)) {
            tally.overflow = example;
            return false;
        }
        ++tally.examples;
        tally.mistakes += verdict.mistake;
        tally.smallest = std::min(tally.smallest, verdict.margin);
        if (step == 0.0) return true;
        if (!mistakes.empty())
            mistakes[static_cast<std::size_t>(tally.updates)] = {
                walk.t,
                example,
                static_cast<std::int32_t>(verdict.right),
                static_cast<std::int32_t>(verdict.rival),
                step,
                -1,
                step * verdict.scale};
        ++tally.updates;
        tally.steps += step;
        return true;
    }
};

}  // namespace rosenblatt
