// The one loop: find the rival, measure the margin, ask the rule for a step, move the weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "learn/examples.hpp"
#include "learn/metric.hpp"
#include "learn/moves.hpp"
#include "learn/verdict.hpp"
#include "rows/dot.hpp"

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

/// A step of some size along the difference, taken at example t: what it does to each weight.
template <class Move, class Metric, class Memory, class Weights>
struct Step {
    Move& move;
    Metric& metric;
    Memory& memory;
    Weights weights;
    double size, t;

    void operator()(std::size_t slot, double amount) const {
        const double change = move.apply(weights[slot], size * metric.stretch(slot, amount));
        memory.remember(weights, slot, change, t);
    }

    /// The same for four columns of a compressed row, where it is as simple as adding.
    template <class Index>
    void operator()(const Index* columns, Four amounts) const
        requires(std::is_same_v<Move, Additive> && std::is_same_v<Metric, Flat> &&
                 requires { weights.add(columns, amounts, t); })
    {
        weights.add(columns, size * amounts, t);
    }
};

/// Visits order[begin] ... order[end - 1]; `t` counts examples from one over the model's whole
/// life. `journal`, when not empty, has room for an entry per example. With `look` the values of an
/// example are looked at before it is learned from, when scoring has brought them into the cache.
/// `steps` is the sum of all steps before: it goes on from there, so that it is the same however a
/// walk is cut up.
/// Never inlined: on its own, each combination is compiled into better code.
template <class Problem, class Rule, class Metric, class Memory, class Weights>
[[gnu::noinline]] Tally learn(const Problem& problem, const Rule& rule, Metric metric,
                              Memory memory, Weights weights, Order order, std::size_t begin,
                              std::size_t end, std::int64_t t, std::span<Entry> journal, bool look,
                              double steps = 0.0) {
    auto move = rule.move;
    auto ahead = problem.scores_ahead();
    Tally tally{.steps = steps};
    for (std::size_t turn = begin; turn < end; ++turn, ++t) {
        const std::size_t example = order[turn];
        const Need need{look || Rule::needs_norm, std::max(Rule::enough, tally.smallest)};
        const Verdict verdict = problem.judge({order, turn, end}, weights, ahead, need);
        if (look && !problem.sound(example, verdict)) {
            tally.overflow = static_cast<std::int64_t>(example);
            return tally;
        }
        double step =
            rule.step(verdict, [&] { return metric.squared_length(problem, example, verdict); });
        if (step != 0.0) step *= problem.importance(example, problem.labels[example]);
        if (!(std::isfinite(verdict.margin) && step <= move.largest_step)) {
            tally.overflow = static_cast<std::int64_t>(example);
            return tally;
        }
        ++tally.examples;
        tally.mistakes += verdict.mistake;
        tally.smallest = std::min(tally.smallest, verdict.margin);
        if (step == 0.0) continue;
        problem.difference(example, verdict,
                           Step{move, metric, memory, weights, step, static_cast<double>(t)});
        const bool all_moved = move.settle(weights, problem.slots(), memory);
        ahead.follow(problem, example, verdict, weights, all_moved);
        if (!journal.empty())
            journal[static_cast<std::size_t>(tally.updates)] = {
                t, static_cast<std::int64_t>(example), static_cast<std::int64_t>(verdict.rival),
                step};
        ++tally.updates;
        tally.steps += step;
    }
    return tally;
}

}  // namespace rosenblatt
