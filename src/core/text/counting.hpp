// From the columns of a document's grams to a row of a sparse matrix.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/buffer.hpp"
#include "text/ordering.hpp"

namespace rosenblatt {

enum class Norm { none, l1, l2 };

/// How counts become values: in this order, each if asked for.
struct Weighing {
    bool binary;        // one for every count
    bool sublinear_tf;  // 1 + log count
    const double* idf;  // times the column's weight
    Norm norm;          // over the length of the row

    template <class Value>
    void weigh(std::span<const std::int32_t> columns, std::span<Value> values) const {
        if (sublinear_tf)
            for (Value& value : values)
                value = static_cast<Value>(1.0 + std::log(static_cast<double>(value)));
        if (idf)
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = static_cast<Value>(values[k] * idf[columns[k]]);
        if (norm == Norm::none) return;
        double sum = 0.0;
        for (const double value : values) sum += norm == Norm::l1 ? std::abs(value) : value * value;
        if (sum == 0.0) return;
        const double length = norm == Norm::l1 ? sum : std::sqrt(sum);
        for (Value& value : values) value = static_cast<Value>(value / length);
    }

    template <class Value>
    void weigh(std::span<const std::int32_t> columns, std::span<const std::int32_t> counts,
               std::span<Value> values) const {
        for (std::size_t k = 0; k < counts.size(); ++k)
            values[k] = binary ? Value{1} : static_cast<Value>(counts[k]);
        weigh(columns, values);
    }
};

/// A sparse matrix in the making, a row at a time.
template <class Value>
class CountedRows {
  public:
    Buffer<std::int64_t> indptr;
    Buffer<std::int32_t> columns;
    Buffer<Value> values;

    explicit CountedRows(std::size_t likely_size = 0) {
        indptr.push(0);
        columns.room(likely_size);
        values.room(likely_size);
    }

    /// Where the keys of the next row, n at most, are to be written.
    std::uint32_t* keys(std::size_t n) { return counter.room_for(n); }

    /// Adds the row of the first n keys.
    void add_row(std::size_t n, const Weighing& weighing) {
        std::int32_t* const column = columns.room(n);
        Value* const value = values.room(n);
        totals.resize(n);
        const std::size_t count = counter.count(n, column, totals.data());
        weighing.weigh(std::span<const std::int32_t>(column, count),
                       std::span<const std::int32_t>(totals.data(), count),
                       std::span(value, count));
        columns.commit(count);
        values.commit(count);
        indptr.push(static_cast<std::int64_t>(columns.size()));
    }

  private:
    Counter counter;
    Buffer<std::int32_t> totals;
};

}  // namespace rosenblatt
