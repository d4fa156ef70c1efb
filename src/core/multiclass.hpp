// Several classes in one race (K4): the weights of a feature for all classes lie side by side,
// so one walk over a row's features scores every class.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "examples.hpp"
#include "lanes.hpp"
#include "rows.hpp"
#include "verdict.hpp"
#include "weights.hpp"

namespace rosenblatt {

/// Scores of N times four neighbouring classes. Few classes have two running sums each, to which
/// features are added in turn, so that an addition need not wait for the last.
template <std::size_t N, class Rows, class Weights>
void score_fours(const Rows& rows, std::size_t example, const Weights& weights, std::size_t stride,
                 double constant, double* scores) {
    constexpr std::size_t per_line = Weights::fours_per_line, lines = (N + per_line - 1) / per_line;
    constexpr std::size_t turns = N <= 6 ? 2 : 1, distance = 24 / lines;
    Four sum[turns][N] = {};
    rows.template each<turns>(
        example,
        [&](auto turn, std::size_t column, double value) {
            for (std::size_t k = 0; k < N; ++k)
                sum[turn][k] += value * weights.at(column * stride + k * four);
        },
        distance,
        [&](std::size_t column) {
            for (std::size_t k = 0; k < N; k += per_line)
                weights.prefetch_at(column * stride + k * four);
        });
    for (std::size_t k = 0; k < N; ++k) {
        const Four both = turns == 2 ? sum[0][k] + sum[turns - 1][k] : sum[0][k];
        const Four score = both + constant * weights.at(rows.width * stride + k * four);
        *reinterpret_cast<Four*>(scores + k * four) = score;
    }
}

template <class Weights>
struct Shifted {
    static constexpr std::size_t fours_per_line = Weights::fours_per_line;

    Weights weights;
    std::size_t by;

    Four at(std::size_t slot) const { return weights.at(slot + by); }
    void prefetch_at(std::size_t slot) const { weights.prefetch_at(slot + by); }
};

/// Scores of one row for all classes; `stride` is the number of classes rounded up to fours.
template <class Rows, class Weights>
void score_classes(const Rows& rows, std::size_t example, const Weights& weights,
                   std::size_t stride, double constant, double* scores) {
    constexpr std::size_t most = 13;
    const auto score = [&]<std::size_t... N>(std::size_t at, std::size_t fours,
                                             std::index_sequence<N...>) {
        const Shifted<Weights> here{weights, at};
        ((fours == N + 1 &&
          (score_fours<N + 1>(rows, example, here, stride, constant, scores + at), true)) ||
         ...);
    };
    const std::size_t fours = stride / four, walks = (fours + most - 1) / most;
    for (std::size_t walk = 0; walk < walks; ++walk) {
        const std::size_t from = fours * walk / walks, to = fours * (walk + 1) / walks;
        score(from * four, to - from, std::make_index_sequence<most>{});
    }
}

/// The first of the highest scores.
inline std::size_t strongest(std::span<const double> scores) {
    return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) -
                                    scores.begin());
}

template <class Rows>
struct Multiclass {
    Rows rows;
    Labels labels;
    Importance importance;
    Framing framing;
    Ties ties;
    std::size_t classes;
    std::size_t stride;
    std::vector<double> scores = std::vector<double>(stride);

    std::size_t slots() const { return (rows.width + 1) * stride; }

    double squared_norm(std::size_t example) const {
        return rows.squared_norm(example) + framing.constant * framing.constant;
    }

    template <class Aside>
    Verdict judge(std::size_t example, const double* weights, Aside&) {
        score_classes(rows, example, Plain{{weights}}, stride, framing.constant, scores.data());
        const std::size_t right = labels[example];
        const double own = scores[right];
        scores[right] = -std::numeric_limits<double>::infinity();
        const std::size_t rival = strongest({scores.data(), classes});
        const double scale = framing.unit_length ? framing.scale(squared_norm(example)) : 1.0;
        const double margin = (own - scores[rival]) * scale;
        return {margin, lost(ties, margin, right, rival), rival, scale};
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
        rows.moved(example, both);
        both(rows.width, framing.learned_constant());
    }
};

}  // namespace rosenblatt
