// Several classes in one race (K4).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "class_scores.hpp"
#include "examples.hpp"
#include "narrow.hpp"
#include "rows.hpp"
#include "verdict.hpp"
#include "weights.hpp"

namespace rosenblatt {

/// The first of the highest scores.
inline std::size_t strongest(std::span<const double> scores) {
    return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) -
                                    scores.begin());
}

/// Scores of the examples whose turn comes next, worked out two and then four at a time as long as
/// no step makes them useless, and fewer at a time after one that does.
template <class Rows>
struct ScoresAhead {
    Rows rows;
    std::size_t stride;
    double constant;
    std::vector<double> room;
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

    /// The same with narrow weights.
    double* narrow_scores(const Narrow& narrow, const Turn& turn) {
        const std::size_t example = turn.example();
        score_classes(rows, {&example, 1}, narrow.weights(), stride, constant, room.data(),
                      Next{turn.later(1)});
        return room.data();
    }

    /// Notes whether these were clear enough.
    bool clear(bool enough) {
        ++tried;
        undecided += !enough;
        return enough;
    }

    bool narrow_pays() const { return 2 * undecided <= tried + 128; }

    void forget() {
        to = 0;
        together = std::max<std::size_t>(1, together / 4);  // half as many as were scored last
    }

  private:
    /// While as many rows that come later are fetched.
    void score(const Turn& turn, const double* weights) {
        std::array<std::size_t, most_together<Rows>> examples;
        for (std::size_t k = 0; k < together; ++k) examples[k] = turn.order[turn.now + k];
        const auto score_and = [&](const auto& aside) {
            score_classes(rows, std::span(examples).first(together), Plain{{weights}}, stride,
                          constant, room.data(), aside);
        };
        if constexpr (in_one_piece<Rows>) {
            constexpr std::size_t distance = 2 * most_together<Rows>;
            std::array<decltype(rows.row(0)), most_together<Rows>> later;
            for (std::size_t k = 0; k < together; ++k)
                later[k] = rows.row(turn.later(distance + k));
            score_and([&](std::size_t k, std::size_t column) __attribute__((always_inline)) {
                fetch_number<Cache::second>(later[k], column);
            });
        } else {
            score_and(Next{turn.later(1)});
        }
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
    const Narrow* narrow = nullptr;  // of the same weights, if it pays

    std::size_t slots() const { return (rows.width + 1) * stride; }

    double squared_norm(std::size_t example) const {
        return rows.squared_norm(example) + framing.constant * framing.constant;
    }

    ScoresAhead<Rows> scores_ahead() const {
        return {rows, stride, framing.constant, std::vector<double>(stride * most_together<Rows>)};
    }

    Verdict judge(const Turn& turn, const double* weights, ScoresAhead<Rows>& ahead,
                  const Need& need) const {
        const std::size_t example = turn.example();
        const double scale = framing.unit_length ? framing.scale(squared_norm(example)) : 1.0;
        if constexpr (!in_one_piece<Rows>) {
            constexpr std::size_t distance = 4;
            rows.fetch_bounds(turn.later(2 * distance));
            rows.template fetch<Cache::second>(turn.later(distance)).finish();
            if (narrow && ahead.narrow_pays()) {
                double* const scores = ahead.narrow_scores(*narrow, turn);
                const double wrong =
                    narrow->wrong(rows, example, framing.constant, {scores, classes});
                const Verdict found = verdict(example, scores, scale);
                if (ahead.clear(found.margin - wrong * scale > need.margin)) return found;
            }
        }
        return verdict(example, ahead.scores(turn, weights), scale);
    }

    bool sound(std::size_t example, const Verdict&) const {
        return !rows.values_fault(example, example + 1);
    }

    /// The right class gains the example and the rival loses it.
    double squared_difference(std::size_t example, const Verdict& verdict) const {
        return 2.0 * verdict.scale * verdict.scale * squared_norm(example);
    }

    template <class Visit>
    void difference(std::size_t example, const Verdict& verdict, Visit visit) const {
        const std::size_t right = labels[example], rival = verdict.rival;
        const auto both = [&](std::size_t column, double value) {
            visit(column * stride + right, verdict.scale * value);
            visit(column * stride + rival, -verdict.scale * value);
        };
        rows.moved(example, both, true);
        both(rows.width, framing.learned_constant());
    }

  private:
    Verdict verdict(std::size_t example, double* scores, double scale) const {
        const std::size_t right = labels[example];
        const double own = scores[right];
        scores[right] = -std::numeric_limits<double>::infinity();
        const std::size_t rival = strongest({scores, classes});
        const double margin = (own - scores[rival]) * scale;
        return {margin, lost(ties, margin, right, rival), rival, scale};
    }
};

}  // namespace rosenblatt
