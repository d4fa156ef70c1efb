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

/// One step taken: when, at which example, against which class, how far.
struct Entry {
    std::int64_t t;
    std::int64_t example;
    std::int64_t rival;
    double step;
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
    std::span<Entry> journal;  // room for an entry per example, or empty
    Tally tally{};

    /// Whether the walk can go on: the numbers are not too large to take this step.
    bool takes(const Walk& walk, const Verdict& verdict, double step, double largest_step) {
        const auto example = static_cast<std::int64_t>(walk.example());
        if (!(std::isfinite(verdict.margin) && step <= largest_step)) {
            tally.overflow = example;
            return false;
        }
        ++tally.examples;
        tally.mistakes += verdict.mistake;
        tally.smallest = std::min(tally.smallest, verdict.margin);
        if (step == 0.0) return true;
        if (!journal.empty())
            journal[static_cast<std::size_t>(tally.updates)] = {
                walk.t, example, static_cast<std::int64_t>(verdict.rival), step};
        ++tally.updates;
        tally.steps += step;
        return true;
    }
};

}  // namespace rosenblatt
