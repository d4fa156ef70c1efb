// The one loop: find the rival, measure the margin, ask the rule for a step, move the weights.
#pragma once

#include "learn/mover.hpp"
#include "learn/record.hpp"
#include "learn/verdict.hpp"
#include "learn/walk.hpp"

namespace rosenblatt {

/// Learns from the examples of a walk, up to one with which the numbers grow too large. All are
/// values of the call's own; what it leaves behind are the weights, the memory and the record.
/// A rule that asks for the length prepares the step: Confidence and Covariance then also note by
/// how much it will shrink their variances.
/// Never inlined: on its own, each combination is compiled into better code.
template <class Problem, class Rule, class Mover>
[[gnu::noinline]] Tally learn(Problem problem, Rule rule, Mover mover, Walk walk, Record record) {
    for (; !walk.over(); walk.go_on()) {
        const Verdict verdict = problem.judge(walk, rule, mover.weights);
        const auto squared_length = [&] { return mover.squared_length(problem, walk, verdict); };
        double step = rule.step(verdict, squared_length);
        if (step != 0.0) step *= problem.importance(walk.example(), verdict);
        if (!record.admits(walk, verdict, step, mover.move.largest_step)) break;
        if (step != 0.0) mover.move_by(step, problem, walk, verdict);
    }
    return record.tally;
}

}  // namespace rosenblatt
