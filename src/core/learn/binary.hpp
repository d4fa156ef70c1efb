// Two classes and one weight vector, whose last entry weighs the constant feature.
#pragma once

#include <cstddef>

#include "learn/examples.hpp"
#include "learn/verdict.hpp"
#include "learn/walk.hpp"
#include "rows/checks.hpp"
#include "rows/rows.hpp"
#include "rows/scored_weights.hpp"

namespace rosenblatt {

template <class Rows>
struct Binary {
    Rows rows;
    Terms terms;
    PrefetchDistance distance = rows.prefetch_distance();

    std::size_t slots() const { return rows.width + 1; }

    double importance(std::size_t example, const Verdict& verdict) const {
        return terms.importance(example, verdict.right);
    }

    template <class Rule>
    [[gnu::always_inline]] Verdict judge(const Walk& walk, const Rule&,
                                         const double* weights) const {
        const auto [score, squared_norm, scale, sound] = measure<Rule>(walk, weights);
        const std::size_t right = terms.labels[walk.example()], rival = 1 - right;
        const double margin = sound ? sign(right) * score : no_margin;
        return {margin, lost(terms.ties, margin, right, rival), right, rival, scale, squared_norm};
    }

    static double squared_difference(std::size_t, const Verdict& verdict) {
        return verdict.scale * verdict.scale * verdict.squared_norm;
    }

    /// visit(slot, amount) for every coordinate in which right answer and rival differ.
    template <class Visit>
    void difference(std::size_t example, const Verdict& verdict, Visit visit) const {
        const double amount = sign(verdict.right) * verdict.scale;
        rows.moved(example,
                   [&](std::size_t column, double value) { visit(column, amount * value); });
        visit(rows.width, amount * terms.framing.learned_constant());
    }

    /// A step changes nothing about the examples to come.
    template <class... Any>
    static void follow(const Any&...) {}

  protected:
    struct Measured {
        double score, squared_norm, scale;
        bool sound;  // whether the values can be learned from
    };

    /// Works out the squared norm as well if it is wanted: beside the product it is nearly free.
    template <class Rule>
    [[gnu::always_inline]] Measured measure(const Walk& walk, const double* weights) const {
        const Framing& framing = terms.framing;
        const auto found = Rule::needs_norm || terms.check_values || framing.unit_length
                               ? dots<true>(walk, Plain{{weights}})
                               : dots<false>(walk, Plain{{weights}});
        const double score = found.dot + framing.constant * weights[rows.width];
        const double squared_norm = found.squares + framing.constant * framing.constant;
        const double scale = framing.scale(rows, walk.example(), squared_norm);
        const bool sound = !terms.check_values || values_sound(rows, walk.example(), squared_norm);
        return {score * scale, squared_norm, scale, sound};
    }

  private:
    /// One or minus one, without a branch that would often be guessed wrong.
    static double sign(std::size_t right) { return 2.0 * static_cast<double>(right) - 1.0; }

    /// While what comes later is prefetched: shuffled, it is far away in memory.
    template <bool with_squares>
    [[gnu::always_inline]] Dots dots(const Walk& walk, const Plain& weights) const {
        if (walk.order.rows.empty())
            return rows.template dots<with_squares>(walk.position, weights,
                                                    rows.prefetch_on(walk.position));
        if (!in_one_piece<Rows> && !distance.from_afar)
            return rows.template dots<with_squares>(
                walk.example(), weights,
                rows.template prefetch<Cache::nearest>(walk.later(distance.soon)));
        rows.prefetch_indptr(walk.later(2 * distance.late));
        terms.labels.prefetch(walk.later(distance.late));
        PrefetchFarAndNear prefetch{
            rows.template prefetch<Cache::second>(walk.later(distance.late)),
            rows.template prefetch<Cache::nearest>(walk.later(distance.soon))};
        const auto found = rows.template dots<with_squares>(walk.example(), weights, prefetch);
        prefetch.far.finish();
        return found;
    }
};

}  // namespace rosenblatt
