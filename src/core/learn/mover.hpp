// What a step does to the weights.
#pragma once

#include <cstddef>

#include "learn/metric.hpp"
#include "learn/moves.hpp"
#include "learn/verdict.hpp"
#include "learn/walk.hpp"

namespace rosenblatt {

/// Moves each weight in which right answer and rival differ, and remembers how.
template <class Move, class Metric, class Memory>
struct Mover {
    Move move;
    Metric metric;
    Memory memory;
    double* weights;

    template <class Problem>
    double squared_length(const Problem& problem, const Walk& walk, const Verdict& verdict) {
        return metric.squared_length(problem, walk.example(), verdict);
    }

    template <class Problem>
    [[gnu::always_inline]] void move_by(double step, Problem& problem, const Walk& walk,
                                        const Verdict& verdict) {
        metric.along(problem, walk.example(), verdict,
                     Step{move, memory, weights, step, before(walk.t)});
        move.settle(weights, problem.slots(), memory);
        problem.follow(walk.example(), verdict, weights);
    }

  private:
    /// How many weight vectors there were before example t, as the memory counts them.
    double before(std::int64_t t) const {
        if constexpr (requires { memory.before(t); })
            return memory.before(t);
        else
            return static_cast<double>(t);
    }

    /// A step of some size, taken at example t: what it does to each weight.
    struct Step {
        Move& move;
        Memory& memory;
        double* weights;
        double size, t;

        void operator()(std::size_t slot, double amount) const {
            const double change = move.apply(weights[slot], size * amount);
            memory.remember(weights, slot, change, t);
        }
    };
};

}  // namespace rosenblatt
