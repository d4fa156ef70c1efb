// Scores of several classes: the weights of a feature for all classes lie side by side, so one walk
// over a row's features scores every class.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "rows/dot.hpp"
#include "rows/rows.hpp"

namespace rosenblatt {

/// The running sums of N times four classes. Few classes have two each, to which features are added
/// in lane, so that an addition need not wait for the last.
template <std::size_t N>
struct Sums {
    static constexpr std::size_t lanes = N <= 6 ? 2 : 1;
    Four of[lanes][N] = {};

    [[gnu::always_inline]] void add(std::size_t lane, std::size_t k, Four amount) {
        of[lane][k] += amount;
    }
    /// Four by four: copied as bytes they would leave the registers.
    [[gnu::always_inline]] void copy(const Sums& other) {
        for (std::size_t lane = 0; lane < lanes; ++lane)
            for (std::size_t k = 0; k < N; ++k) of[lane][k] = other.of[lane][k];
    }
    Four total(std::size_t k) const { return lanes == 2 ? of[0][k] + of[lanes - 1][k] : of[0][k]; }
};

/// How many rows to score together: four if their values lie side by side, so that a weight is
/// read once for all.
template <class Rows>
inline constexpr std::size_t most_together = in_one_piece<Rows> ? 4 : 1;

/// Rows to score: as many as there are, or one, for which less is to be compiled.
template <std::size_t count>
using Examples = std::span<const std::size_t, count>;
using OneExample = Examples<1>;
using SomeExamples = Examples<std::dynamic_extent>;

/// Registers that hold four numbers each.
#if defined(__AVX512F__)
inline constexpr std::size_t registers = 32;
#elif defined(__AVX__)
inline constexpr std::size_t registers = 16;
#else
inline constexpr std::size_t registers = 8;
#endif

/// Whether the sums of P rows and their values stay in registers, beside a weight.
template <std::size_t P, std::size_t N>
inline constexpr bool fit_registers = P * (N * Sums<N>::lanes + 1) + 1 <= registers;

/// Which row is scored after this one; nothing to do beside the sums.
struct Next : Idle {
    std::size_t row = 0;

    explicit Next(std::size_t row = 0) : row(row) {}
};

/// Adds up P rows; calls aside(column) before every eight columns.
template <std::size_t P, std::size_t N, class Rows, class Weights, class Aside>
void add_side_by_side(const Rows& rows, const std::size_t* examples, const Weights& weights,
                      std::size_t stride, Sums<N>* sums, const Aside& aside) {
    std::array<std::size_t, P> which;
    std::copy_n(examples, P, which.begin());
    std::array<Sums<N>, P> held;
    rows.template each_of<Sums<N>::lanes>(
        which,
        [&](auto lane, std::size_t column, const std::array<double, P>& values)
            __attribute__((always_inline)) {
                for (std::size_t k = 0; k < N; ++k) {
                    const Four weight = weights.at(column * stride + k * four);
                    for (std::size_t p = 0; p < P; ++p) held[p].add(lane, k, values[p] * weight);
                }
            },
        aside);
    for (std::size_t p = 0; p < P; ++p) sums[p].copy(held[p]);
}

/// Rows whose values lie side by side, as many of them as registers hold the sums of. Calls
/// aside(k, column) before every eight columns of the k-th.
template <std::size_t N, class Rows, std::size_t count, class Weights, class Aside>
    requires in_one_piece<Rows>
void add_rows(const Rows& rows, Examples<count> examples, const Weights& weights,
              std::size_t stride, Sums<N>* sums, const Aside& aside) {
    std::size_t k = 0;
    const auto add = [&]<std::size_t P>(std::integral_constant<std::size_t, P>) {
        for (; k + P <= examples.size(); k += P) {
            const auto beside = [&](std::size_t column) __attribute__((always_inline)) {
                for (std::size_t p = 0; p < P; ++p) aside(k + p, column);
            };
            add_side_by_side<P>(rows, &examples[k], weights, stride, sums + k, beside);
        }
    };
    if constexpr (count >= 4 && fit_registers<4, N>) add(std::integral_constant<std::size_t, 4>{});
    if constexpr (count >= 2 && fit_registers<2, N>) add(std::integral_constant<std::size_t, 2>{});
    add(std::integral_constant<std::size_t, 1>{});
}

/// Writes the scores of N times four classes; these weights are those of the constant feature.
template <std::size_t N, class Weights>
[[gnu::always_inline]] inline void store_scores(const Sums<N>& sums, const Weights& weights,
                                                double constant, double* scores) {
    for (std::size_t k = 0; k < N; ++k)
        store(sums.total(k) + constant * weights.at(k * four), scores + k * four);
}

/// Scores of some rows, at most most_together, for N times four neighbouring classes.
template <std::size_t N, class Rows, std::size_t count, class Weights, class Aside>
    requires in_one_piece<Rows>
void score_fours(const Rows& rows, Examples<count> examples, const Weights& weights,
                 std::size_t stride, double constant, double* scores, const Aside& aside) {
    Sums<N> sums[most_together<Rows>];
    add_rows<N>(rows, examples, weights, stride, sums, aside);
    for (std::size_t row = 0; row < examples.size(); ++row)
        store_scores(sums[row], weights.from(rows.width * stride), constant, scores + row * stride);
}

/// Those of a compressed row: weights soon to be used are prefetched, unless all are in the
/// second cache, or nearly so, where it takes longer to ask for them than to wait.
template <std::size_t N, class Rows, class Weights>
    requires(!in_one_piece<Rows>)
void score_fours(const Rows& rows, OneExample examples, const Weights& weights, std::size_t stride,
                 double constant, double* scores, const Next& next) {
    constexpr std::size_t per_line = Weights::fours_per_line, lines = (N + per_line - 1) / per_line;
    const std::size_t bytes = rows.width * (stride / four) * (line_bytes / per_line);
    const std::size_t example = examples[0];
    Sums<N> sums;
    const auto add = [&](auto lane, std::size_t column, double value) {
        for (std::size_t k = 0; k < N; ++k)
            sums.add(lane, k, value * weights.at(column * stride + k * four));
    };
    const auto prefetch = [&](std::size_t column) {
        for (std::size_t k = 0; k < N; k += per_line)
            weights.prefetch_at(column * stride + k * four);
    };
    if (bytes > bytes_near) {
        rows.template each<Sums<N>::lanes>(example, add, 48 / lines, prefetch, next.row);
    } else {
        rows.template each<Sums<N>::lanes>(example, add);
    }
    store_scores(sums, weights.from(rows.width * stride), constant, scores);
}

/// Scores of some rows, at most most_together, for all classes; `stride` is the number of classes
/// rounded up to fours.
template <class Rows, std::size_t count, class Weights, class Aside = Next>
void score_classes(const Rows& rows, Examples<count> examples, const Weights& weights,
                   std::size_t stride, double constant, double* scores,
                   const Aside& aside = Aside()) {
    constexpr std::size_t most = 13;
    const auto score = [&]<std::size_t... N>(std::size_t at, std::size_t fours,
                                             std::index_sequence<N...>) {
        (... || (fours == N + 1 && (score_fours<N + 1>(rows, examples, weights.from(at), stride,
                                                       constant, scores + at, aside),
                                    true)));
    };
    const std::size_t fours = stride / four;
    std::size_t from = 0;
    for (std::size_t walks = (fours + most - 1) / most; walks > 0; --walks) {
        const std::size_t some = walks == 1 ? fours - from : (fours - from) / walks;
        score(from * four, some, std::make_index_sequence<most>{});
        from += some;
    }
}

/// The first of the highest scores.
inline std::size_t strongest(std::span<const double> scores) {
    return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}

}  // namespace rosenblatt
