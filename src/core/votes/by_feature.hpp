// The rows of the mistakes, sorted by feature: a row of few features meets few of their values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rosenblatt {

/// Columns that occur, numbered in rising order: by a table of all columns if that is no longer
/// than the list of values, else by search.
class Numbering {
  public:
    Numbering(std::span<const std::int32_t> columns, std::size_t width) {
        if (width <= columns.size()) {
            table.assign(width, 0);
            for (const std::int32_t column : columns) table[static_cast<std::size_t>(column)] = 1;
            for (std::int32_t& number : table) number = number ? count++ : -1;
        } else {
            sorted.assign(columns.begin(), columns.end());
            std::sort(sorted.begin(), sorted.end());
            sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
            count = static_cast<std::int32_t>(sorted.size());
        }
    }

    std::size_t size() const { return static_cast<std::size_t>(count); }

    /// The number of a column, or the number of them all if it does not occur.
    std::size_t operator()(std::size_t column) const {
        if (!table.empty())
            return table[column] < 0 ? size() : static_cast<std::size_t>(table[column]);
        const auto here = std::lower_bound(
            sorted.begin(), sorted.end(), column,
            [](std::int32_t a, std::size_t b) { return static_cast<std::size_t>(a) < b; });
        const bool known = here != sorted.end() && static_cast<std::size_t>(*here) == column;
        return known ? static_cast<std::size_t>(here - sorted.begin()) : size();
    }

  private:
    std::vector<std::int32_t> table, sorted;
    std::int32_t count = 0;
};

/// The rows of the mistakes, compressed.
struct KeptRows {
    std::span<const std::int64_t> indptr;
    std::span<const std::int32_t> columns;
    std::span<const double> values;
    std::size_t width;

    bool sound() const {
        if (indptr.empty() || indptr[0] != 0 || columns.size() != values.size()) return false;
        if (static_cast<std::size_t>(indptr.back()) != columns.size()) return false;
        const auto inside = [&](std::int32_t column) {
            return column >= 0 && static_cast<std::size_t>(column) < width;
        };
        return std::is_sorted(indptr.begin(), indptr.end()) &&
               std::all_of(columns.begin(), columns.end(), inside);
    }
    std::size_t count() const { return indptr.size() - 1; }
    bool has(std::int64_t row) const { return row >= 0 && static_cast<std::size_t>(row) < count(); }
};

/// The kept rows by feature: which rows have it, and its value there.
struct ByFeature {
    Numbering number;
    std::vector<std::size_t> indptr;
    std::vector<std::uint32_t> rows;
    std::vector<double> values;

    explicit ByFeature(const KeptRows& kept)
        : number(kept.columns, kept.width),
          indptr(number.size() + 2),
          rows(kept.columns.size()),
          values(kept.columns.size()) {
        const auto feature = [&](std::size_t k) {
            return number(static_cast<std::size_t>(kept.columns[k]));
        };
        for (std::size_t k = 0; k < rows.size(); ++k) ++indptr[feature(k) + 2];
        for (std::size_t f = 2; f < indptr.size(); ++f) indptr[f] += indptr[f - 1];
        std::size_t k = 0;
        for (std::size_t row = 0; row < kept.count(); ++row)
            for (const auto end = static_cast<std::size_t>(kept.indptr[row + 1]); k < end; ++k) {
                const std::size_t place = indptr[feature(k) + 1]++;
                rows[place] = static_cast<std::uint32_t>(row);
                values[place] = kept.values[k];
            }
    }
};

}  // namespace rosenblatt
