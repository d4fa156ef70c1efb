// The caller's rows, of any kind, as the parts that learn and predict hold them.
#pragma once

#include <nanobind/stl/variant.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <variant>

#include "../arrays.hpp"
#include "kinds.hpp"
#include "learn/recheck.hpp"
#include "rows/checks.hpp"

namespace rosenblatt {

using FaultTuple = std::optional<std::tuple<const char*, std::int64_t, std::int64_t, double>>;

inline FaultTuple in_words(const std::optional<Fault>& fault) {
    constexpr const char* names[] = {"start", "decreasing", "end", "column", "value"};
    if (!fault) return std::nullopt;
    return std::tuple{names[static_cast<std::size_t>(fault->kind)], fault->row, fault->column,
                      fault->value};
}

/// The caller's rows: keeps the arrays alive, and remembers whether they were found sound.
struct Rows {
    AnyRows rows;
    nb::object owners;
    nb::object let_go = nb::none();  // of pages that were read, where the rows lie in mapped files
    bool sound = false;
    bool in_order = false;

    std::size_t count() const {
        return std::visit([](const auto& r) { return r.count; }, rows);
    }
    std::size_t width() const {
        return std::visit([](const auto& r) { return r.width; }, rows);
    }
    std::size_t stored() const {
        return std::visit([](const auto& r) { return r.stored(); }, rows);
    }
    bool compressed() const {
        return std::visit([]<class R>(const R&) { return !in_one_piece<R>; }, rows);
    }
    /// How many rows to read before letting go of their pages; all if they lie in memory.
    std::size_t stretch() const {
        constexpr std::size_t values_per_stretch = 1 << 17;  // one or two megabytes
        if (let_go.is_none()) return std::max<std::size_t>(1, count());
        return 1 + values_per_stretch * count() / (stored() + count() + 1);
    }
};

/// Visits the rows a few at a time, so that who reads them again finds them in the nearest cache;
/// stops at the first fault that batch(rows, begin, end) finds.
template <class Batch>
std::optional<Fault> in_batches(const Rows& self, Batch batch) {
    constexpr std::size_t values_per_batch = 512;
    const std::size_t stretch = self.stretch();
    const auto let_go = [&] {
        if (self.let_go.is_none()) return;
        nb::gil_scoped_acquire acquire;
        self.let_go();
    };
    nb::gil_scoped_release release;
    return std::visit(
        [&](const auto& rows) {
            auto fault = indptr_fault(rows);
            const std::size_t step =
                1 + values_per_batch * rows.count / (rows.stored() + rows.count + 1);
            for (std::size_t begin = 0; begin < rows.count && !fault; begin += step) {
                const std::size_t end = std::min(rows.count, begin + step);
                fault = batch(rows, begin, end);
                if (begin / stretch != end / stretch) let_go();
            }
            return fault;
        },
        self.rows);
}

/// Refuses rows that have been changed since they were checked, before any is used.
inline void require_unchanged(const Rows& self, std::size_t begin, std::size_t end) {
    require(self.sound, "check the rows first");
    const bool same = std::visit(
        [&](const auto& rows) {
            return first_unfit(rows, {}, begin, end) == end &&
                   (!self.in_order || in_order(rows, begin, end));
        },
        self.rows);
    require(same, "X must not change while it is in use.");
}

inline Forgetting forgetting_of(double half_life) {
    require(half_life >= Forgetting::shortest, "the half life must not be too short");
    return Forgetting(half_life);
}

/// Whether an example cannot be brought to length one, as it should be.
inline bool too_short(const AnyRows& any, std::size_t example, const Framing& framing) {
    return framing.unit_length && std::visit(
                                      [&](const auto& rows) {
                                          const double constant = framing.constant;
                                          const double squares =
                                              rows.squared_norm(example) + constant * constant;
                                          return too_short(rows, example, squares);
                                      },
                                      any);
}

/// Rows in the order of an array; none means as stored.
inline Order order_of(const std::optional<OrderArray>& order) {
    if (!order) return {};
    return {{order->data(), order->size()}};
}

inline void require_rows(const Order& order, std::size_t begin, std::size_t end,
                         std::size_t count) {
    bool inside = true;
    for (std::size_t position = begin; position < end; ++position)
        inside &= order[position] < count;
    require(inside, "order must name rows");
}

template <class Array>
auto* data_of(const std::optional<Array>& array) {
    return array ? array->data() : nullptr;
}

inline Borrowed borrowed_of(const Weights& weights, const std::optional<Weights>& missed,
                            const std::optional<Weights>& sureness,
                            const std::optional<Weights>& covariance, double half_life) {
    return {.weights = weights.data(),
            .missed = data_of(missed),
            .sureness = data_of(sureness),
            .stride = weights.shape(1),
            .covariance = data_of(covariance),
            .room = covariance ? covariance->shape(1) : 0,
            .forgetting = forgetting_of(half_life)};
}

/// Counts what a walk came to, whose sum of steps went on from the one that is measured so far.
inline void add(const Tally& tally, const Counts& counts, const std::optional<Measures>& measures) {
    counts.data()[0] += tally.examples;
    counts.data()[1] += tally.updates;
    counts.data()[2] += tally.mistakes;
    if (!measures) return;
    measures->data()[0] = tally.steps;
    measures->data()[1] = std::min(measures->data()[1], tally.smallest);
}

template <class Array>
void require_shapes(const Array& weights, const std::optional<Array>& missed, std::size_t width,
                    std::size_t classes) {
    const std::size_t stride = weights.shape(1);
    require(weights.shape(0) == width + 1, "a weight row for each column and one");
    require(stride == 1 ? classes == 2 : stride % four == 0 && classes <= stride,
            "a weight column for each class, in fours");
    require(!missed || (missed->shape(0) == weights.shape(0) && missed->shape(1) == stride),
            "missed must have the shape of the weights");
}

/// What AROW keeps beside the weights, and nobody else does.
inline void require_surer(const AnyRule& rule, const Weights& weights,
                          const std::optional<Weights>& sureness,
                          const std::optional<Weights>& covariance) {
    require(sureness.has_value() == std::holds_alternative<ArowRule>(rule), "sureness is for AROW");
    require(covariance.has_value() == std::holds_alternative<FullArowRule>(rule),
            "a covariance is for AROW with all of them");
    require(!covariance ||
                (covariance->shape(0) >= weights.size() && covariance->shape(1) >= weights.size()),
            "a covariance of each two weights");
}

}  // namespace rosenblatt
