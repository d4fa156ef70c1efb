// Examples for the tests, in every form that the core reads. Arrays are just as long as they must
// be, so that the sanitizers see each read or write beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "learn/examples.hpp"
#include "learn/walk.hpp"
#include "rows/rows.hpp"

namespace core_tests {

using namespace rosenblatt;
using std::size_t;

/// Rows of whole numbers, about half of them zero, and their labels.
struct Table {
    size_t count, width;
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    std::vector<std::uint8_t> bytes;

    double at(size_t row, size_t column) const { return values[row * width + column]; }
};

inline Table random_table(Dice& dice, size_t count, size_t width, int classes) {
    Table table{
        count, width, std::vector<double>(count * width), std::vector<std::int32_t>(count), {}};
    for (double& value : table.values) value = dice.coin() ? dice.below(9) - 4 : 0;
    for (std::int32_t& label : table.labels) label = dice.below(classes);
    table.bytes.assign(table.labels.begin(), table.labels.end());
    return table;
}

inline Table table_of(std::vector<std::vector<double>> rows, std::vector<std::int32_t> labels) {
    Table table{rows.size(), rows.empty() ? 0 : rows[0].size(), {}, labels, {}};
    for (const auto& row : rows) table.values.insert(table.values.end(), row.begin(), row.end());
    table.bytes.assign(labels.begin(), labels.end());
    return table;
}

/// The table as dense rows `stride` values apart (forwards, backwards, with gaps), one value beside
/// where vector code would like them.
template <class Value>
struct DenseCopy {
    std::vector<Value> memory;
    Dense<Value> rows;

    DenseCopy(const Table& table, std::ptrdiff_t stride) {
        const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(table.count) - 1;
        const std::ptrdiff_t reach = table.count ? std::abs(stride) * last : 0;
        memory.assign(static_cast<size_t>(reach) + table.width + 1, Value(1e9));
        Value* first = memory.data() + 1 + (stride < 0 ? reach : 0);
        for (size_t row = 0; row < table.count; ++row)
            for (size_t column = 0; column < table.width; ++column)
                first[static_cast<std::ptrdiff_t>(row) * stride +
                      static_cast<std::ptrdiff_t>(column)] =
                    static_cast<Value>(table.at(row, column));
        rows = {first, stride, table.count, table.width};
    }
    explicit DenseCopy(const Table& table)
        : DenseCopy(table, static_cast<std::ptrdiff_t>(table.width)) {}
};

template <class Value, class Index>
struct CsrCopy {
    std::vector<Value> values;
    std::vector<Index> columns, indptr{0};
    size_t width;

    explicit CsrCopy(const Table& table) : width(table.width) {
        for (size_t row = 0; row < table.count; ++row) {
            for (size_t column = 0; column < width; ++column)
                if (table.at(row, column) != 0.0) {
                    values.push_back(static_cast<Value>(table.at(row, column)));
                    columns.push_back(static_cast<Index>(column));
                }
            indptr.push_back(static_cast<Index>(columns.size()));
        }
        values.shrink_to_fit();
        columns.shrink_to_fit();
        indptr.shrink_to_fit();
    }
    Csr<Value, Index> rows() const { return {values, columns, indptr, indptr.size() - 1, width}; }
};

/// body(rows) for the table in every form that the core reads.
template <class Body>
inline void in_every_form(const Table& table, Body body) {
    const auto width = static_cast<std::ptrdiff_t>(table.width);
    body(DenseCopy<double>(table).rows);
    body(DenseCopy<float>(table).rows);
    body(DenseCopy<double>(table, width + 3).rows);
    body(DenseCopy<float>(table, -width - 1).rows);
    body(CsrCopy<double, std::int32_t>(table).rows());
    body(CsrCopy<double, std::int64_t>(table).rows());
    body(CsrCopy<float, std::int32_t>(table).rows());
    body(CsrCopy<float, std::int64_t>(table).rows());
}

/// The same for a few forms that have every type of value and index among them.
template <class Body>
inline void in_some_forms(const Table& table, Body body) {
    body(DenseCopy<double>(table).rows);
    body(DenseCopy<float>(table, -static_cast<std::ptrdiff_t>(table.width) - 1).rows);
    body(CsrCopy<double, std::int32_t>(table).rows());
    body(CsrCopy<float, std::int64_t>(table).rows());
}

inline Labels wide(const Table& table) { return {nullptr, table.labels.data()}; }
inline Labels bytes(const Table& table) { return {table.bytes.data(), nullptr}; }
inline constexpr Order as_stored{};

/// The order 0, 1, 2 ...
inline std::vector<std::uint32_t> counted_up(size_t count) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

}  // namespace core_tests
