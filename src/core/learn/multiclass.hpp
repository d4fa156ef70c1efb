// Several classes in one race (K4).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "fast/single_precision.hpp"
#include "learn/examples.hpp"
#include "learn/verdict.hpp"
#include "rows/class_scores.hpp"
#include "rows/rows.hpp"
#include "rows/scored_weights.hpp"

namespace rosenblatt {

/// The first of the highest scores, without branches, which would often be guessed wrong.
inline std::size_t strongest(std::span<const double> scores) {
    std::size_t first = 0;
    double highest = scores[0];
    for (std::size_t k = 1; k < scores.size(); ++k) {
        const bool higher = scores[k] > highest;
        first = higher ? k : first;
        highest = higher ? scores[k] : highest;
    }
    return first;
}

/// Scores of the examples whose turn comes next. Rows in one piece are scored two and then four at
/// a time as long as no step makes their scores useless, and fewer at a time after one that does.
template <class Rows>
struct ScoresAhead {
    Rows rows;
    std::size_t stride;
    double constant;
    std::vector<double> room;
    bool from_afar = rows.turns_ahead().from_afar;
    std::size_t from = 0, to = 0, together = 1;
    std::size_t tried = 0, undecided = 0;  // with narrow weights

    /// Scores of this turn's example, for the caller to change.
    double* scores(const Turn& turn, const double* weights) {
        if (turn.now >= to) {
            together = std::min({together, most_together<Rows>, turn.end - turn.now});
            score(turn, weights);
            from = turn.now;
            to = turn.now + together;
            together *= 2;
        }
        return room.data() + (turn.now - from) * stride;
    }

    /// The same of a compressed row.
    template <class Weights>
    double* scores_alone(const Turn& turn, const Weights& weights) {
        const std::size_t example = turn.example();
        score_classes(rows, {&example, 1}, weights, stride, constant, room.data(),
                      Next{turn.later(1)});
        return room.data();
    }

    /// Notes whether those with narrow weights were clear enough.
    bool clear(bool enough) {
        ++tried;
        undecided += !enough;
        return enough;
    }

    bool narrow_pays() const { return 2 * undecided <= tried + 128; }

    /// After a step scores are useless, and narrow weights are moved as the others were.
    template <class Problem>
    void follow(const Problem& problem, std::size_t example, const Verdict& verdict,
                const double* weights, bool all_moved) {
        to = 0;
        together = std::max<std::size_t>(1, together / 4);  // half as many as were scored last
        if (!problem.narrow) return;
        if (all_moved) return problem.narrow->set_all(weights);
        problem.difference(example, verdict, [&](std::size_t slot, double) {
            problem.narrow->set(slot, weights[slot]);
        });
    }

  private:
    /// While as many rows that come later are fetched.
    void score(const Turn& turn, const double* weights) {
        constexpr std::size_t distance = 2 * most_together<Rows>;
        std::array<std::size_t, most_together<Rows>> examples;
        std::array<decltype(rows.row(0)), most_together<Rows>> later;
        for (std::size_t k = 0; k < together; ++k) {
            examples[k] = turn.order[turn.now + k];
            later[k] = rows.row(turn.later(distance + k));
        }
        score_classes(rows, std::span(examples).first(together), Plain{{weights}}, stride, constant,
                      room.data(),
                      [&](std::size_t k, std::size_t column) __attribute__((always_inline)) {
                          fetch_number<Cache::second>(later[k], column);
                      });
    }
};

template <class Rows>
struct Multiclass {
    Rows rows;
    Labels labels;
    Importance importance;
    Framing framing;
    Ties ties;
    std::size_t classes;
    std::size_t stride;
    Narrow* narrow = nullptr;  // of the same weights, if it pays

    std::size_t slots() const { return (rows.width + 1) * stride; }

    [[gnu::always_inline]] double squared_norm(std::size_t example) const {
        return rows.squared_norm(example) + framing.constant * framing.constant;
    }

    ScoresAhead<Rows> scores_ahead() const {
        return {rows, stride, framing.constant, std::vector<double>(stride * most_together<Rows>)};
    }

    [[gnu::always_inline]] Verdict judge(const Turn& turn, const double* weights,
                                         ScoresAhead<Rows>& ahead, const Need& need) const {
        const std::size_t example = turn.example();
        if constexpr (in_one_piece<Rows>) {
            return verdict(example, ahead.scores(turn, weights), need);
        } else {
            constexpr std::size_t distance = 4;
            if (ahead.from_afar) {
                rows.fetch_bounds(turn.later(2 * distance));
                rows.template fetch<Cache::second>(turn.later(distance)).finish();
            }
            if (narrow && ahead.narrow_pays()) {
                double* const scores = ahead.scores_alone(turn, narrow->weights());
                const double wrong =
                    narrow->wrong(rows, example, framing.constant, {scores, classes});
                const Verdict found = verdict(example, scores, need);
                if (ahead.clear(found.margin - wrong * found.scale > need.margin)) return found;
            }
            return verdict(example, ahead.scores_alone(turn, Plain{{weights}}), need);
        }
    }

    bool sound(std::size_t example, const Verdict& verdict) const {
        return values_sound(rows, example, verdict.squared_norm);
    }

    /// The right class gains the example and the rival loses it.
    double squared_difference(std::size_t example, const Verdict& verdict) const {
        const bool known = verdict.squared_norm > 0.0;
        return 2.0 * verdict.scale * verdict.scale *
               (known ? verdict.squared_norm : squared_norm(example));
    }

    template <class Visit>
    void difference(std::size_t example, const Verdict& verdict, Visit visit) const {
        const std::size_t right = labels[example], rival = verdict.rival;
        const auto both = [&](std::size_t column, double value) {
            const double amount = verdict.scale * value;
            visit(column * stride + right, amount);
            visit(column * stride + rival, -amount);
        };
        rows.moved(example, both, true);
        both(rows.width, framing.learned_constant());
    }

  private:
    /// Works out the squared norm as well if it is wanted: while scattered weights are on their way
    /// it is nearly free.
    [[gnu::always_inline]] Verdict verdict(std::size_t example, double* scores,
                                           const Need& need) const {
        const bool with_norm = framing.unit_length || (need.norm && !in_one_piece<Rows>);
        const double squares = with_norm ? squared_norm(example) : 0.0;
        const double scale = framing.unit_length ? framing.scale(squares) : 1.0;
        const std::size_t right = labels[example];
        const double own = scores[right];
        scores[right] = -std::numeric_limits<double>::infinity();
        const std::size_t rival = strongest({scores, classes});
        const double margin = (own - scores[rival]) * scale;
        return {margin, lost(ties, margin, right, rival), rival, scale, squares};
    }
};

}  // namespace rosenblatt
