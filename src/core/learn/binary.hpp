// Two classes and one weight vector, whose last entry weighs the constant feature.
#pragma once

#include <cstddef>

#include "learn/examples.hpp"
#include "learn/verdict.hpp"
#include "rows/rows.hpp"
#include "rows/scored_weights.hpp"

namespace rosenblatt {

/// Rows soon to be scored, which are fetched; a step changes nothing about them.
struct RowsAhead : TurnsAhead {
    template <class... Any>
    void follow(const Any&...) {}
};

template <class Rows>
struct Binary {
    Rows rows;
    Labels labels;
    Importance importance;
    Framing framing;
    Ties ties;

    std::size_t slots() const { return rows.width + 1; }

    /// One or minus one, without a branch that would often be guessed wrong.
    double sign(std::size_t example) const {
        return 2.0 * static_cast<double>(labels[example]) - 1.0;
    }

    RowsAhead scores_ahead() const { return {rows.turns_ahead()}; }

    /// Works out the squared norm as well if it is wanted: beside the product it is nearly free.
    template <class Weights>
    [[gnu::always_inline]] Verdict judge(const Turn& turn, Weights weights, const RowsAhead& ahead,
                                         const Need& need) const {
        const auto found = need.norm || framing.unit_length
                               ? dots<true>(turn, as_scored(weights), ahead)
                               : dots<false>(turn, as_scored(weights), ahead);
        const double score = found.dot + framing.constant * weights[rows.width];
        const double squared_norm = found.squares + framing.constant * framing.constant;
        const double scale = framing.unit_length ? framing.scale(squared_norm) : 1.0;
        const std::size_t example = turn.example();
        const double margin = sign(example) * score * scale;
        const std::size_t right = labels[example], rival = 1 - right;
        return {margin, lost(ties, margin, right, rival), rival, scale, squared_norm};
    }

    /// While what comes later is fetched: shuffled, it is far away in memory.
    template <bool with_squares, class Weights>
    [[gnu::always_inline]] Dots dots(const Turn& turn, const Weights& weights,
                                     const RowsAhead& ahead) const {
        if (turn.order.rows.empty())
            return rows.template dots<with_squares>(turn.now, weights, rows.fetch_on(turn.now));
        if (!in_one_piece<Rows> && !ahead.from_afar)
            return rows.template dots<with_squares>(
                turn.example(), weights,
                rows.template fetch<Cache::nearest>(turn.later(ahead.soon)));
        rows.fetch_bounds(turn.later(2 * ahead.late));
        labels.fetch(turn.later(ahead.late));
        FetchFarAndNear fetch{rows.template fetch<Cache::second>(turn.later(ahead.late)),
                              rows.template fetch<Cache::nearest>(turn.later(ahead.soon))};
        const auto found = rows.template dots<with_squares>(turn.example(), weights, fetch);
        fetch.far.finish();
        return found;
    }

    bool sound(std::size_t example, const Verdict& verdict) const {
        return values_sound(rows, example, verdict.squared_norm);
    }

    static double squared_difference(std::size_t, const Verdict& verdict) {
        return verdict.scale * verdict.scale * verdict.squared_norm;
    }

    /// visit(slot, amount) for every coordinate in which right answer and rival differ.
    template <class Visit>
    void difference(std::size_t example, const Verdict& verdict, Visit visit) const {
        const double amount = sign(example) * verdict.scale;
        const auto visit_as = [&](auto column, auto value)
            requires requires { visit(column, value); }
        { visit(column, amount * value); };
        rows.moved(example, visit_as);
        visit(rows.width, amount * framing.learned_constant());
    }
};

}  // namespace rosenblatt
