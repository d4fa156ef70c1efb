// The loop and the scores for one kind of rows; what each combination needs is chosen once per
// call.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "../kinds.hpp"
#include "learn/binary.hpp"
#include "learn/learn.hpp"
#include "learn/memory.hpp"
#include "learn/multiclass.hpp"
#include "learn/regression.hpp"
#include "rows/class_scores.hpp"
#include "rows/scored_weights.hpp"

namespace rosenblatt {

template <class R>
inline constexpr bool is_dual = std::is_same_v<R, DualRows>;

/// Calls learn(memory). Only rows of kernel values have supports to forget.
template <class Problem, class Learn>
Tally with_memory(const Problem& problem, const Borrowed& from, std::int64_t t, Learn learn) {
    if constexpr (is_dual<std::decay_t<decltype(problem.rows)>>)
        if (from.budget)
            return learn(Budgeted{from.budget, problem.rows.width, from.stride,
                                  problem.terms.framing.constant});
    if (!from.missed) return learn(Last{});
    return learn(Averaged{from.missed, from.forgetting, from.forgetting.epoch(t - 1)});
}

/// Calls learn(walk, record) for the part of a walk in each epoch of an average that forgets, and
/// lets the averaging sums follow.
template <class Learn>
Tally with_epochs(const Borrowed& from, std::size_t slots, Walk walk, Record record, Learn learn) {
    const Forgetting& forgetting = from.forgetting;
    if (!from.missed || !forgetting.forgets()) return learn(walk, record);
    const std::size_t end = walk.end;
    while (true) {
        const std::int64_t seen = walk.t - 1, left = static_cast<std::int64_t>(end - walk.position);
        const std::int64_t some = forgetting.until_next(seen, left), before = record.tally.examples;
        walk.end = walk.position + static_cast<std::size_t>(some);
        record.tally = learn(walk, record);
        const std::int64_t learned = record.tally.examples - before;
        if (const double by = forgetting.fading(seen, seen + learned); by != 1.0)
            for (std::size_t slot = 0; slot < slots; ++slot) from.missed[slot] *= by;
        if (record.tally.overflow >= 0 || walk.end == end) return record.tally;
        walk.position = walk.end;
        walk.t += some;
    }
}

template <class Rule>
typename Rule::Metric metric_of(const Rule& rule, const Borrowed& from, std::size_t slots) {
    using Metric = typename Rule::Metric;
    if constexpr (std::is_same_v<Metric, Confidence>)
        return Confidence{from.sureness, rule.r};
    else if constexpr (std::is_same_v<Metric, Covariance>)
        return Covariance{from.covariance, from.room, slots, from.stride, rule.r};
    else
        return {};
}

template <class R>
Tally Kind<R>::learn(const R& rows, const Terms& terms, const AnyRule& any_rule,
                     const Borrowed& weights, const Walk& walk, const Record& record) {
    const auto run = [&]<class Rule>(const auto& problem, const Rule& rule) -> Tally {
        if constexpr (is_dual<R> && !std::is_same_v<Rule, PerceptronRule>)
            throw std::invalid_argument("rows of kernel values are for the perceptron's rule");
        else
            return with_epochs(weights, problem.slots(), walk, record, [&](Walk part, Record made) {
                return with_memory(problem, weights, part.t, [&](auto memory) {
                    const Mover mover{rule.move, metric_of(rule, weights, problem.slots()), memory,
                                      weights.weights};
                    return rosenblatt::learn(problem, rule, mover, part, made);
                });
            });
    };
    if (terms.targets)
        return run(Regression<R>{{rows, terms}}, std::get<PassiveAggressiveRule>(any_rule));
    return std::visit(
        [&](const auto& rule) {
            return weights.stride == 1
                       ? run(Binary<R>{rows, terms}, rule)
                       : run(Multiclass<R>{rows, terms, weights.stride, weights.float32}, rule);
        },
        any_rule);
}

template <class Visit>
auto with_weights(const double* weights, const double* missed, double counted, Visit visit) {
    return missed ? visit(Totalled{{{weights}}, {{missed}}, counted}) : visit(Plain{{weights}});
}

/// One score for two classes, else one for each of `stride` classes.
template <class R, class From>
[[gnu::always_inline]] inline void score_row(const R& rows, std::size_t example, const From& from,
                                             std::size_t stride, double constant, double* scores) {
    if (stride == 1)
        scores[0] =
            rows.dot(example, from, rows.prefetch_on(example)) + constant * from[rows.width];
    else
        score_classes(rows, OneExample(&example, 1), from, stride, constant, scores,
                      Next(std::min(example + 1, rows.count - 1)));
}

/// Whether the single-precision weights tell the winner. They are given up where they seldom do.
template <class R>
bool decided(const R& rows, std::size_t example, Scorer& scorer) {
    constexpr std::size_t some = 64, most = 8;
    const auto& float32 = scorer.float32;
    if (scorer.undecided > some + example / most) return false;
    double* const scores = scorer.scores.data();
    score_row(rows, example, float32->weights(), scorer.stride, scorer.constant, scores);
    const bool known = float32->decides(rows, example, scorer.constant, {scores, scorer.classes});
    scorer.undecided += !known;
    return known;
}

/// write(example, scores) for each row.
template <class R, class Write>
bool score_each(const R& rows, std::size_t begin, std::size_t end, Scorer& scorer, Write write) {
    double sum = 0.0;
    with_weights(scorer.weights, scorer.missed, scorer.counted, [&](const auto& from) {
        const std::span<double> scores(scorer.scores);
        for (std::size_t example = begin; example < end; ++example) {
            if (!scorer.float32 || !decided(rows, example, scorer))
                score_row(rows, example, from, scorer.stride, scorer.constant, scores.data());
            for (const double score : scores) sum += score - score;
            write(example, scores);
        }
    });
    return sum == 0.0;
}

template <class R>
bool Kind<R>::score(const R& rows, std::size_t begin, std::size_t end, Scorer& scorer,
                    std::size_t columns, double* out) {
    return score_each(rows, begin, end, scorer,
                      [&](std::size_t example, std::span<const double> scores) {
                          for (std::size_t k = 0; k < columns; ++k)
                              out[example * columns + k] = scores[k] / scorer.counted;
                      });
}

template <class R>
bool Kind<R>::predict(const R& rows, std::size_t begin, std::size_t end, Scorer& scorer, Ties ties,
                      std::int64_t* winners) {
    const bool last = ties == Ties::last;
    return score_each(
        rows, begin, end, scorer, [&](std::size_t example, std::span<const double> scores) {
            const double score = scores[0];
            winners[example] =
                scores.size() == 1
                    ? (score > 0.0) | ((score == 0.0) & last)  // not to be guessed
                    : static_cast<std::int64_t>(strongest(scores.first(scorer.classes)));
        });
}

template <class R>
void Kind<R>::score_one(const R& rows, std::size_t example, const Scorer& scorer, double* scores) {
    with_weights(scorer.weights, scorer.missed, scorer.counted, [&](const auto& from) {
        score_row(rows, example, from, scorer.stride, scorer.constant, scores);
    });
}

}  // namespace rosenblatt
