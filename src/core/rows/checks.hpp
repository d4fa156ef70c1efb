// Every look at the caller's arrays that must come before they are used, at the speed of memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "rows/rows.hpp"

namespace rosenblatt {

/// Larger values are refused: squares, sums and averages of smaller ones stay finite.
inline constexpr double largest_value = 1e75;

/// What is wrong with the caller's arrays, and where.
struct Fault {
    enum class Kind { start, decreasing, end, column, value };
    Kind kind;
    std::int64_t row;
    std::int64_t column;
    double value;
};

/// Values that can be learned from.
struct Moderate {
    template <class Value>
    bool operator()(Value value) const {
        constexpr auto largest =
            static_cast<Value>(std::min<double>(largest_value, std::numeric_limits<Value>::max()));
        return std::abs(value) <= largest;
    }
};

struct ZeroOrOne {
    template <class Value>
    bool operator()(Value value) const {
        return value == Value(0) || value == Value(1);
    }
};

struct Zero {
    template <class Value>
    bool operator()(Value value) const {
        return value == Value(0);
    }
};

/// Whether all are fit: counts the others in numbers as wide as the values, as vector code likes
/// it.
template <class Value, class Fit>
bool all_fit(const Value* values, std::size_t n, Fit fit) {
    using Count = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
    Count unfit = 0;
    for (std::size_t k = 0; k < n; ++k) unfit += !fit(values[k]);
    return unfit == 0;
}

/// Whether every row names its columns once, in rising order.
template <class Value>
bool in_order(const Dense<Value>&, std::size_t, std::size_t) {
    return true;
}

template <class Value, class Index>
bool in_order(const Csr<Value, Index>& rows, std::size_t begin, std::size_t end) {
    std::make_unsigned_t<Index> falls = 0, between_rows = 0;
    const Index* column = rows.columns.data();
    const std::size_t from = rows.first(begin), to = rows.first(end);
    for (std::size_t k = from + 1; k < to; ++k) falls += column[k] <= column[k - 1];
    for (std::size_t example = begin; example < end; ++example) {
        const std::size_t k = rows.first(example);
        if (k > from && rows.length(example) > 0) between_rows += column[k] <= column[k - 1];
    }
    return falls == between_rows;
}

/// Looks at where all rows begin and end; to be called before any column is read.
template <class Value>
std::optional<Fault> indptr_fault(const Dense<Value>&) {
    return std::nullopt;
}

template <class Value, class Index>
std::optional<Fault> indptr_fault(const Csr<Value, Index>& rows) {
    const auto& indptr = rows.indptr;
    const std::size_t count = rows.count;
    if (indptr[0] != 0) return Fault{Fault::Kind::start, 0, indptr[0], 0};
    for (std::size_t example = 0; example < count; ++example)
        if (indptr[example + 1] < indptr[example])
            return Fault{Fault::Kind::decreasing, static_cast<std::int64_t>(example), 0, 0};
    if (rows.first(count) > rows.columns.size() || rows.first(count) > rows.values.size())
        return Fault{Fault::Kind::end, static_cast<std::int64_t>(count), indptr[count], 0};
    return std::nullopt;
}

/// The fault at the first stored value, number k of all, for which wrong(k) holds.
template <class Value, class Index, class Wrong>
std::optional<Fault> first_fault(const Csr<Value, Index>& rows, std::size_t begin, std::size_t end,
                                 Fault::Kind kind, Wrong wrong) {
    for (std::size_t example = begin; example < end; ++example)
        for (std::size_t k = rows.first(example); k < rows.first(example + 1); ++k)
            if (wrong(k))
                return Fault{kind, static_cast<std::int64_t>(example), rows.columns[k],
                             kind == Fault::Kind::value ? static_cast<double>(rows.values[k]) : 0};
    return std::nullopt;
}

template <class Value>
std::optional<Fault> columns_fault(const Dense<Value>&, std::size_t, std::size_t) {
    return std::nullopt;
}

template <class Value, class Index>
std::optional<Fault> columns_fault(const Csr<Value, Index>& rows, std::size_t begin,
                                   std::size_t end) {
    using Unsigned = std::make_unsigned_t<Index>;
    // At most half of all numbers: the other half are negative columns.
    const auto limit = static_cast<Unsigned>(
        std::min<std::uint64_t>(rows.width, std::numeric_limits<Unsigned>::max() / 2 + 1));
    const Index* column = rows.columns.data();
    const auto is_outside = [&](std::size_t k) {
        return static_cast<Unsigned>(column[k]) >= limit;
    };
    Unsigned outside = 0;
    for (std::size_t k = rows.first(begin); k < rows.first(end); ++k) outside += is_outside(k);
    if (outside == 0) return std::nullopt;
    return first_fault(rows, begin, end, Fault::Kind::column, is_outside);
}

template <class Value, class Fit = Moderate>
std::optional<Fault> values_fault(const Dense<Value>& rows, std::size_t begin, std::size_t end,
                                  Fit fit = {}) {
    for (std::size_t example = begin; example < end; ++example) {
        const Value* x = rows.row(example);
        if (all_fit(x, rows.width, fit)) continue;
        const Value* bad = std::find_if_not(x, x + rows.width, fit);
        return Fault{Fault::Kind::value, static_cast<std::int64_t>(example), bad - x,
                     static_cast<double>(*bad)};
    }
    return std::nullopt;
}

template <class Value, class Index, class Fit = Moderate>
std::optional<Fault> values_fault(const Csr<Value, Index>& rows, std::size_t begin, std::size_t end,
                                  Fit fit = {}) {
    const Value* x = rows.values.data();
    const std::size_t from = rows.first(begin);
    if (all_fit(x + from, rows.first(end) - from, fit)) return std::nullopt;
    return first_fault(rows, begin, end, Fault::Kind::value,
                       [&](std::size_t k) { return !fit(x[k]); });
}

/// Whether the values of a row can be learned from. Its squared norm, zero if it is not known,
/// tells that at a glance as a rule.
template <class Rows>
bool values_sound(const Rows& rows, std::size_t example, double squared_norm) {
    constexpr double largest_square = largest_value * largest_value;
    return (Rows::norm_is_of_values && squared_norm > 0.0 && squared_norm <= largest_square) ||
           !values_fault(rows, example, example + 1);
}

/// Whether a row is so short, though not zero, that squares of its values vanish or lose digits.
template <class Rows>
bool too_short(const Rows& rows, std::size_t example, double squared_norm) {
    constexpr double smallest_square = 1e-290;
    return Rows::norm_is_of_values && squared_norm < smallest_square &&
           values_fault(rows, example, example + 1, Zero{});
}

}  // namespace rosenblatt
