// Scores of several classes for the examples that come next in a walk.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "fast/prefetch.hpp"
#include "learn/walk.hpp"
#include "rows/class_scores.hpp"
#include "rows/rows.hpp"
#include "rows/scored_weights.hpp"

namespace rosenblatt {

/// Rows in one piece are scored two and then four at a time as long as no step makes their scores
/// useless, and fewer at a time after one that does.
template <class Rows>
struct ScoresAhead {
    Rows rows;
    std::size_t stride;
    double constant;
    std::vector<double> room = std::vector<double>(stride * most_together<Rows>);
    std::size_t from = 0, to = 0, together = 1;

    /// Those of this example, for the caller to change.
    double* scores(const Walk& walk, const double* weights) {
        if (walk.position >= to) {
            together = std::min({together, most_together<Rows>, walk.end - walk.position});
            score(walk, weights);
            from = walk.position;
            to = from + together;
            together *= 2;
        }
        return room.data() + (walk.position - from) * stride;
    }

    /// The same of a compressed row.
    template <class Weights>
    double* scores_alone(const Walk& walk, const Weights& weights) {
        const std::size_t example = walk.example();
        score_classes(rows, OneExample(&example, 1), weights, stride, constant, room.data(),
                      Next(walk.later(1)));
        return room.data();
    }

    /// After a step they are useless.
    void forget() {
        to = 0;
        together = std::max<std::size_t>(1, together / 4);  // half as many as were scored last
    }

  private:
    /// While as many rows that come later are prefetched.
    void score(const Walk& walk, const double* weights) {
        constexpr std::size_t distance = 2 * most_together<Rows>;
        std::array<std::size_t, most_together<Rows>> examples;
        std::array<decltype(rows.row(0)), most_together<Rows>> later;
        for (std::size_t k = 0; k < together; ++k) {
            examples[k] = walk.order[walk.position + k];
            later[k] = rows.row(walk.later(distance + k));
        }
        score_classes(rows, SomeExamples(examples.data(), together), Plain{{weights}}, stride,
                      constant, room.data(),
                      [&](std::size_t k, std::size_t column) __attribute__((always_inline)) {
                          prefetch_number<Cache::second>(later[k], column);
                      });
    }
};

}  // namespace rosenblatt
