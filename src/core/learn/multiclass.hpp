// Several classes in one race (K4). Of an example that is of several, the weakest meets the
// strongest other (Crammer and Singer 2003; Crammer et al. 2006).
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "fast/single_precision.hpp"
#include "learn/examples.hpp"
#include "learn/scores_ahead.hpp"
#include "learn/verdict.hpp"
#include "learn/walk.hpp"
#include "rows/checks.hpp"
#include "rows/class_scores.hpp"
#include "rows/rows.hpp"
#include "rows/scored_weights.hpp"

namespace rosenblatt {

template <class Rows>
struct Multiclass {
    Rows rows;
    Terms terms;
    std::size_t stride;  // of the weights: the number of classes rounded up to fours
    SinglePrecision* float32 = nullptr;  // of the same weights, to try for rules of enough
    SinglePrecisionTrial trial{};
    double smallest = std::numeric_limits<double>::infinity();  // of the margins so far
    ScoresAhead<typename Rows::Scored> scores_ahead{rows, stride, terms.framing.constant};
    bool from_afar = rows.prefetch_distance().from_afar;

    std::size_t slots() const { return (rows.width + 1) * stride; }

    double importance(std::size_t example, const Verdict& verdict) const {
        return terms.importance(example, verdict.right);
    }

    template <class Rule>
    [[gnu::always_inline]] Verdict judge(const Walk& walk, const Rule&, const double* weights) {
        const std::size_t example = walk.example();
        if constexpr (in_one_piece<Rows>) {
            return verdict(example, scores_ahead.scores(walk, weights), false);
        } else {
            constexpr std::size_t distance = 4;
            if (from_afar) {
                rows.prefetch_indptr(walk.later(2 * distance));
                rows.template prefetch<Cache::second>(walk.later(distance)).finish();
            }
            double* scores = nullptr;
            if constexpr (requires { Rule::enough; })
                if (float32 && trial.pays()) scores = clear_scores(walk, Rule::enough);
            if (!scores) scores = scores_ahead.scores_alone(walk, Plain{{weights}});
            return verdict(example, scores, Rule::needs_norm || terms.check_values);
        }
    }

    /// The right class gains the example and the rival loses it.
    double squared_difference(std::size_t example, const Verdict& verdict) const {
        const bool known = verdict.squared_norm > 0.0;
        return 2.0 * verdict.scale * verdict.scale *
               (known ? verdict.squared_norm : squared_norm(example));
    }

    template <class Visit>
    void difference(std::size_t example, const Verdict& verdict, Visit visit) const {
        const auto both = [&](std::size_t column, double value) {
            const double amount = verdict.scale * value;
            visit(column * stride + verdict.right, amount);
            visit(column * stride + verdict.rival, -amount);
        };
        rows.moved(example, both, true);
        both(rows.width, terms.framing.learned_constant());
    }

    /// After a step single-precision weights are moved as the others were.
    void follow(std::size_t example, const Verdict& verdict, const double* weights) {
        scores_ahead.forget();
        if (!float32) return;
        difference(example, verdict,
                   [&](std::size_t slot, double) { float32->set(slot, weights[slot]); });
    }

  private:
    [[gnu::always_inline]] double squared_norm(std::size_t example) const {
        return rows.squared_norm(example) + terms.framing.constant * terms.framing.constant;
    }

    struct Race {
        std::size_t right, rival;
        double lead;  // of the right class over the rival
    };

    [[gnu::always_inline]] Race race(std::size_t example, double* scores) const {
        if (terms.labels.several()) return race_of_several(terms.labels.of(example), scores);
        const std::size_t right = terms.labels[example];
        const double own = std::exchange(scores[right], -infinity);
        const std::size_t rival = strongest({scores, terms.classes});
        const double lead = own - scores[rival];
        scores[right] = own;
        return {right, rival, lead};
    }

    /// Between the weakest of the right classes and the strongest of the others.
    [[gnu::noinline]] Race race_of_several(std::span<const std::int32_t> classes,
                                           const double* scores) const {
        if (classes.empty() || classes.size() == terms.classes) return {0, 0, unopposed};
        Race found{};
        double weakest = infinity, strongest = -infinity;
        auto next = classes.begin();
        for (std::size_t k = 0; k < terms.classes; ++k) {
            if (next != classes.end() && static_cast<std::size_t>(*next) == k) {
                ++next;
                if (scores[k] < weakest) weakest = scores[found.right = k];
            } else if (scores[k] > strongest) {
                strongest = scores[found.rival = k];
            }
        }
        found.lead = weakest - strongest;
        return found;
    }

    static constexpr double infinity = std::numeric_limits<double>::infinity();

    /// Scores with single-precision weights, if they will do: a margin need not be exact if it is
    /// larger than the rule asks for and than the smallest so far.
    double* clear_scores(const Walk& walk, double enough) {
        const std::size_t example = walk.example();
        double* const scores = scores_ahead.scores_alone(walk, float32->weights());
        const double wrong =
            float32->wrong(rows, example, terms.framing.constant, {scores, terms.classes});
        const Framing& framing = terms.framing;
        const double scale =
            framing.unit_length ? framing.scale(rows, example, squared_norm(example)) : 1.0;
        const double least = (race(example, scores).lead - wrong) * scale;
        return trial.note(least > std::max(enough, smallest)) ? scores : nullptr;
    }

    /// Works out the squared norm as well if it is wanted: while scattered weights are on their way
    /// it is nearly free.
    [[gnu::always_inline]] Verdict verdict(std::size_t example, double* scores, bool norm) {
        const double squares = norm || terms.framing.unit_length ? squared_norm(example) : 0.0;
        const double scale = terms.framing.scale(rows, example, squares);
        const auto [right, rival, lead] = race(example, scores);
        const bool sound = !terms.check_values || values_sound(rows, example, squares);
        const double margin = !sound ? no_margin : lead == unopposed ? lead : lead * scale;
        smallest = std::min(smallest, margin);
        return {margin, lost(terms.ties, margin, right, rival), right, rival, scale, squares};
    }
};

}  // namespace rosenblatt
