// Two classes and one weight vector, whose last entry weighs the constant feature.
#pragma once

#include <cstddef>

#include "examples.hpp"
#include "rows.hpp"
#include "verdict.hpp"
#include "weights.hpp"

namespace rosenblatt {

struct NothingAhead {
    void forget() {}
};

template <class Rows>
struct Binary {
    Rows rows;
    Labels labels;
    Importance importance;
    Framing framing;
    Ties ties;

    std::size_t slots() const { return rows.width + 1; }

    double sign(std::size_t example) const { return labels[example] == 1 ? 1.0 : -1.0; }

    double squared_norm(std::size_t example) const {
        return rows.squared_norm(example) + framing.constant * framing.constant;
    }

    static NothingAhead scores_ahead() { return {}; }

    template <class Weights>
    [[gnu::always_inline]] Verdict judge(const Turn& turn, Weights weights, NothingAhead) const {
        const std::size_t example = turn.example();
        const double score = dot(turn, as_scored(weights)) + framing.constant * weights[rows.width];
        const double scale = framing.unit_length ? framing.scale(squared_norm(example)) : 1.0;
        const double margin = sign(example) * score * scale;
        const std::size_t right = labels[example], rival = 1 - right;
        return {margin, lost(ties, margin, right, rival), rival, scale};
    }

    /// While what comes later is fetched: shuffled, it is far away in memory.
    template <class Weights>
    [[gnu::always_inline]] double dot(const Turn& turn, const Weights& weights) const {
        if (turn.order.rows.empty()) return rows.dot(turn.now, weights, rows.fetch_on(turn.now));
        constexpr std::size_t soon = 2, late = 12;
        rows.fetch_bounds(turn.later(2 * late));
        labels.fetch(turn.later(late));
        FetchFarAndNear fetch{rows.template fetch<Cache::second>(turn.later(late)),
                              rows.template fetch<Cache::nearest>(turn.later(soon))};
        const double sum = rows.dot(turn.example(), weights, fetch);
        fetch.far.finish();
        return sum;
    }

    double squared_difference(std::size_t example, const Verdict& verdict) const {
        return verdict.scale * verdict.scale * squared_norm(example);
    }

    /// visit(slot, amount) for every coordinate in which right answer and rival differ.
    template <class Visit>
    void difference(std::size_t example, const Verdict& verdict, Visit visit) const {
        const double amount = sign(example) * verdict.scale;
        rows.moved(example,
                   [&](std::size_t column, double value) { visit(column, amount * value); });
        visit(rows.width, amount * framing.learned_constant());
    }
};

}  // namespace rosenblatt
