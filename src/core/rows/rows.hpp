// The caller's examples, borrowed: dense rows or compressed sparse rows, never copied.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "fast/nonzero.hpp"
#include "fast/prefetch.hpp"
#include "rows/dot.hpp"

namespace rosenblatt {

/// step(lane, k) for k = 0 ... n-1, where lane is the constant k mod lanes; of an incomplete last
/// round all steps have lane zero.
template <std::size_t lanes, class Step>
[[gnu::always_inline]] inline void unrolled(std::size_t n, Step step) {
    const std::size_t whole = n - n % lanes;
    for (std::size_t k = 0; k < whole; k += lanes)
        [&]<std::size_t... T>(std::index_sequence<T...>) {
            (step(std::integral_constant<std::size_t, T>{}, k + T), ...);
        }(std::make_index_sequence<lanes>{});
    for (std::size_t k = whole; k < n; ++k) step(std::integral_constant<std::size_t, 0>{}, k);
}

struct Unneeded {
    void operator()(std::size_t) const {}
};

/// Rows of `width` neighbouring values, `stride` values apart.
template <class Value>
struct Dense {
    const Value* values;
    std::ptrdiff_t stride;
    std::size_t count;
    std::size_t width;
    bool mostly_zeros = false;  // and those are passed over one by one

    using Scored = Dense;                            // what the rows are when they are scored
    static constexpr bool norm_is_of_values = true;  // the sum of the squares of a row's values

    const Value* row(std::size_t example) const {
        return values + static_cast<std::ptrdiff_t>(example) * stride;
    }

    /// visit(lane, column, value) for every stored value, the lanes 0 ... lanes-1 again and again.
    /// If they are not next to each other, ahead(column) for what comes `distance` later, of the
    /// row `next` where this one has no more.
    template <std::size_t lanes = 1, class Visit, class Ahead = Unneeded>
    [[gnu::always_inline]] void each(std::size_t example, Visit visit, std::size_t = 0, Ahead = {},
                                     std::size_t = 0) const {
        const Value* x = row(example);
        unrolled<lanes>(
            width, [&](auto lane, std::size_t k) { visit(lane, k, static_cast<double>(x[k])); });
    }

    /// visit(lane, column, values) for the values of P examples in every column; calls
    /// aside(column) for every eighth. If most values are zero, columns that are so in all examples
    /// are passed over: they add nothing.
    template <std::size_t lanes, std::size_t P, class Visit, class Aside>
    [[gnu::always_inline]] void each_of(const std::array<std::size_t, P>& examples, Visit visit,
                                        const Aside& aside) const {
        std::array<const Value*, P> x;
        for (std::size_t p = 0; p < P; ++p) x[p] = row(examples[p]);
        const auto visit_at = [&](auto lane, std::size_t k) __attribute__((always_inline)) {
            std::array<double, P> values;
            for (std::size_t p = 0; p < P; ++p) values[p] = static_cast<double>(x[p][k]);
            visit(std::integral_constant<std::size_t, lane % lanes>{}, k, values);
        };
        if (mostly_zeros) return each_filled<lanes>(x, visit_at, aside);
        constexpr std::size_t together = 8;
        const std::size_t whole = width - width % together;
        for (std::size_t k = 0; k < whole; k += together) {
            aside(k);
            unrolled<together>(together, [&](auto lane, std::size_t j) { visit_at(lane, k + j); });
        }
        if (whole < width) aside(whole);
        unrolled<lanes>(width - whole,
                        [&](auto lane, std::size_t j) { visit_at(lane, whole + j); });
    }

    template <std::size_t lanes, std::size_t P, class Visit, class Aside>
    [[gnu::always_inline]] void each_filled(const std::array<const Value*, P>& x,
                                            const Visit& visit, const Aside& aside) const {
        FilledColumns<lanes> filled;
        std::size_t eighth = 0;
        const auto pace = [&]() __attribute__((always_inline)) {
            if (eighth < width) aside(eighth);
            eighth += 8;
        };
        for (std::size_t begin = 0; begin < width; begin += filled.most) {
            filled.find(x, begin, std::min(width, begin + filled.most));
            filled.each(visit, pace);
        }
        while (eighth < width) pace();
    }

    /// The same rows, with a note whether most of their values are zero, judged by some.
    Dense with_zeros_noticed() const {
        const std::size_t step = std::max<std::size_t>(1, count / 32);
        std::size_t looked_at = 0, zeros = 0;
        for (std::size_t example = 0; example < count; example += step, looked_at += width)
            zeros +=
                static_cast<std::size_t>(std::count(row(example), row(example) + width, Value(0)));
        Dense rows = *this;
        rows.mostly_zeros = 2 * zeros > looked_at && width <= FilledColumns<1>::highest;
        return rows;
    }

    /// visit(column, amount) for every weight that a step on this example moves. Where a visit is
    /// much work it pays to look out for zeros, where it is little it does not.
    template <class Visit>
    void moved(std::size_t example, Visit visit, bool much_work = false) const {
        if (!much_work)
            return each(example, [&](auto, std::size_t k, double value) { visit(k, value); });
        each_of<1>(
            std::array{example},
            [&](auto, std::size_t k, const auto& values) { visit(k, values[0]); }, Idle{});
    }

    /// The product with the weights, and the squared norm if it is asked for.
    template <bool with_squares, class Weights, class Aside>
    [[gnu::always_inline]] Dots dots(std::size_t example, const Weights& weights,
                                     Aside&& aside) const {
        const Run<Value> x{row(example)};
        return rosenblatt::dots<with_squares>(width, width, x, weights, aside);
    }

    template <class Weights, class Aside = Idle>
    double dot(std::size_t example, const Weights& weights, Aside&& aside = {}) const {
        return dots<false>(example, weights, aside).dot;
    }

    double squared_norm(std::size_t example) const {
        const Run<Value> x{row(example)};
        return rosenblatt::dot(width, width, x, x);
    }

    std::size_t length(std::size_t) const { return width; }
    std::size_t stored() const { return count * width; }
    PrefetchDistance prefetch_distance() const {
        return PrefetchDistance::of(count, width * sizeof(Value), 4800, 19200);
    }
    void prefetch_indptr(std::size_t) const {}
    template <Cache to>
    [[gnu::always_inline]] Prefetch<to, Value> prefetch(std::size_t example,
                                                        std::size_t further = 0) const {
        return {row(example), further, width};
    }
    /// What comes a little later in memory.
    [[gnu::always_inline]] auto prefetch_on(std::size_t example) const {
        return PrefetchFarAndNear{prefetch<Cache::second>(example, 19200 / sizeof(Value)),
                                  prefetch<Cache::nearest>(example, 9600 / sizeof(Value))};
    }
};

/// Whether the values of a row are all there, side by side.
template <class Rows>
inline constexpr bool in_one_piece = requires(const Rows& rows) { rows.row(0); };

/// Compressed sparse rows: values[k] stands in columns[k] for indptr[i] <= k < indptr[i + 1].
template <class Value, class Index>
struct Csr {
    std::span<const Value> values;
    std::span<const Index> columns;
    std::span<const Index> indptr;
    std::size_t count;
    std::size_t width;

    using Scored = Csr;
    static constexpr bool norm_is_of_values = true;

    std::size_t first(std::size_t example) const {
        return static_cast<std::size_t>(indptr[example]);
    }
    std::size_t length(std::size_t example) const { return first(example + 1) - first(example); }
    Run<Value> values_of(std::size_t example) const { return {values.data() + first(example)}; }

    template <std::size_t lanes = 1, class Visit, class Ahead = Unneeded>
    [[gnu::always_inline]] void each(std::size_t example, Visit visit, std::size_t distance = 0,
                                     Ahead ahead = {}, std::size_t next = 0) const {
        const Value* x = values.data() + first(example);
        const Index* column = columns.data() + first(example);
        const std::size_t n = length(example), left = n + length(next), apart = first(next) - n;
        unrolled<lanes>(n, [&](auto lane, std::size_t k) {
            const std::size_t later = k + distance;
            if (later < left)
                ahead(static_cast<std::size_t>(
                    columns[later + (later < n ? first(example) : apart)]));
            visit(lane, static_cast<std::size_t>(column[k]), static_cast<double>(x[k]));
        });
    }

    /// As with dense rows.
    template <class Visit>
    [[gnu::always_inline]] void moved(std::size_t example, Visit visit, bool = false) const {
        each(example, [&](auto, std::size_t column, double value) { visit(column, value); });
    }

    template <bool with_squares, class Weights, class Aside>
    [[gnu::always_inline]] Dots dots(std::size_t example, const Weights& weights,
                                     Aside&& aside) const {
        const Picked<Weights, Index> picked{weights, columns.data() + first(example)};
        return rosenblatt::dots<with_squares>(length(example), columns.size() - first(example),
                                              values_of(example), picked, aside);
    }

    template <class Weights, class Aside = Idle>
    [[gnu::always_inline]] double dot(std::size_t example, const Weights& weights,
                                      Aside&& aside = {}) const {
        return dots<false>(example, weights, aside).dot;
    }

    [[gnu::always_inline]] double squared_norm(std::size_t example) const {
        return rosenblatt::dot(length(example), columns.size() - first(example), values_of(example),
                               values_of(example));
    }

    std::size_t stored() const { return columns.size(); }
    PrefetchDistance prefetch_distance() const {
        constexpr std::size_t bytes = sizeof(Value) + sizeof(Index);
        const std::size_t per_row = stored() / std::max<std::size_t>(1, count);
        return PrefetchDistance::of(count, per_row * bytes, 2000, 11000);
    }
    [[gnu::always_inline]] void prefetch_indptr(std::size_t example) const {
        prefetch_near(indptr.data(), example);
    }
    template <Cache to>
    [[gnu::always_inline]] PrefetchBoth<to, Value, Index> prefetch(
        std::size_t example, std::size_t values_further = 0,
        std::size_t columns_further = 0) const {
        const std::size_t from = first(example), n = length(example);
        return {{values.data(), from + values_further, n},
                {columns.data(), from + columns_further, n}};
    }
    [[gnu::always_inline]] auto prefetch_on(std::size_t example) const {
        return PrefetchFarAndNear{prefetch<Cache::second>(example, values_late, columns_late),
                                  prefetch<Cache::nearest>(example, values_soon, columns_soon)};
    }
};

}  // namespace rosenblatt
