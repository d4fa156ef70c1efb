// Products of two or three distinct features of a row, each in a column of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "places.hpp"
#include "rows.hpp"

namespace rosenblatt {

/// The features of one row, columns in rising order.
template <class Value>
struct Features {
    std::vector<std::uint64_t> columns;
    std::vector<Value> values;
    bool dense = false;

    /// Takes in a row: all that is stored of it, or of a dense row without `zeros` what is not
    /// zero.
    template <class Rows>
    void read(const Rows& rows, std::size_t example, bool zeros) {
        columns.clear();
        values.clear();
        dense = std::is_same_v<Rows, Dense<float>> || std::is_same_v<Rows, Dense<double>>;
        const bool all = zeros || !dense;
        rows.each(example, [&](auto, std::size_t column, double value) {
            if (!all && value == 0.0) return;
            columns.push_back(column);
            values.push_back(static_cast<Value>(value));
        });
    }
};

/// How many values a row of n features gives at most: itself if `original`, pairs, triples.
inline std::int64_t values_of(std::uint64_t n, bool original, bool triples) {
    constexpr std::int64_t too_many = std::numeric_limits<std::int64_t>::max();
    if (n > (triples ? most_for_triples : most_for_pairs)) return too_many;
    const std::uint64_t sum =
        (original ? n : 0) + pairs_among(n) + (triples ? triples_among(n) : 0);
    return static_cast<std::int64_t>(std::min<std::uint64_t>(sum, too_many));
}

/// take(places, values, n) for the products of a row, a few at a time; of Ranked places in rising
/// order, and so of Seen ones, where a place may be `nowhere`.
///
/// Products are rounded as scikit-learn's PolynomialFeatures rounds them, which multiplies the
/// first two of three features first if the row is sparse, and the last two if it is dense.
template <class Value, class Places, class Take>
void combine(const Features<Value>& row, const Places& places, bool triples, Take take) {
    constexpr std::size_t few = 64;
    const std::size_t n = row.columns.size();
    const std::uint64_t* const columns = row.columns.data();
    const Value* const x = row.values.data();
    std::array<std::uint64_t, few> found;
    std::array<Value, few> products;
    const auto with_each_after = [&](std::size_t last, std::uint64_t base, Value inner,
                                     Value outer) {
        for (std::size_t begin = last + 1; begin < n; begin += few) {
            const std::size_t some = std::min(few, n - begin);
            places.find(base, columns + begin, some, found.data());
            for (std::size_t k = 0; k < some; ++k) products[k] = inner * x[begin + k] * outer;
            take(found.data(), products.data(), some);
        }
    };
    for (std::size_t a = 0; a < n; ++a)
        with_each_after(a, places.pair_base(columns[a]), x[a], Value(1));
    if (!triples) return;
    for (std::size_t a = 0; a < n; ++a) {
        const std::uint64_t first = places.triple_base(columns[a]);
        for (std::size_t b = a + 1; b < n; ++b) {
            const std::uint64_t base = places.join(first, places.pair_base(columns[b]));
            if (row.dense)
                with_each_after(b, base, x[b], x[a]);
            else
                with_each_after(b, base, x[a] * x[b], Value(1));
        }
    }
}

/// Compressed rows in the making.
template <class Value, class Index>
struct CsrEnd {
    Value* values;
    Index* columns;
    std::size_t filled;

    void put(std::uint64_t column, Value value) {
        columns[filled] = static_cast<Index>(column);
        values[filled++] = value;
    }
};

/// A value of a row and where it belongs.
template <class Value>
struct Placed {
    std::uint32_t place;
    Value value;
};

/// Sorts by place; what has the same place stays in the order in which it came.
template <class Value>
void sort_by_place(std::vector<Placed<Value>>& items, std::vector<Placed<Value>>& spare, int bits) {
    constexpr int digit = 8;
    spare.resize(items.size());
    for (int shift = 0; shift < bits; shift += digit) {
        std::array<std::size_t, 1 << digit> ends{};
        for (const auto& item : items) ++ends[(item.place >> shift) & 0xFF];
        std::size_t sum = 0;
        for (std::size_t& end : ends) sum += std::exchange(end, sum);
        for (const auto& item : items) spare[ends[(item.place >> shift) & 0xFF]++] = item;
        items.swap(spare);
    }
}

/// Writes rows with their combinations: the features themselves in the first columns if
/// `original`, then what Places finds a place for.
template <class Value, class Places>
class Combiner {
  public:
    Combiner(const Places& places, std::size_t width, bool original, bool triples)
        : places(places), offset(original ? width : 0), original(original), triples(triples) {}

    Features<Value> row;

    /// At least as many as the next row gives.
    std::int64_t most() const { return values_of(row.columns.size(), original, triples); }

    template <class Index>
    void write(CsrEnd<Value, Index>& end) {
        if (original)
            for (std::size_t k = 0; k < row.columns.size(); ++k)
                end.put(row.columns[k], row.values[k]);
        if constexpr (Places::collide)
            write_sorted(end);
        else
            combine(row, places, triples, [&](const auto* found, const Value* x, std::size_t n) {
                Index* const columns = end.columns + end.filled;
                Value* const values = end.values + end.filled;
                std::size_t kept = 0;
                for (std::size_t k = 0; k < n; ++k) {
                    columns[kept] = static_cast<Index>(offset + found[k]);
                    values[kept] = x[k];
                    kept += Places::complete || found[k] != nowhere;
                }
                end.filled += kept;
            });
    }

    /// The same into a dense row, which is zero.
    void write(Value* out) {
        if (original)
            for (std::size_t k = 0; k < row.columns.size(); ++k)
                out[row.columns[k]] = row.values[k];
        Value* const beyond = out + offset;
        combine(row, places, triples, [&](const auto* found, const Value* x, std::size_t n) {
            for (std::size_t k = 0; k < n; ++k) {
                if (!Places::complete && found[k] == nowhere) continue;
                if (Places::collide)
                    beyond[found[k]] += x[k];
                else
                    beyond[found[k]] = x[k];
            }
        });
    }

  private:
    /// Several combinations may have the same place: their values are added in turn.
    template <class Index>
    void write_sorted(CsrEnd<Value, Index>& end) {
        items.clear();
        combine(row, places, triples, [&](const auto* found, const Value* x, std::size_t n) {
            for (std::size_t k = 0; k < n; ++k)
                items.push_back({static_cast<std::uint32_t>(found[k]), x[k]});
        });
        sort_by_place(items, spare, places.bits);
        for (std::size_t k = 0; k < items.size(); ++k) {
            if (k > 0 && items[k].place == items[k - 1].place)
                end.values[end.filled - 1] += items[k].value;
            else
                end.put(offset + items[k].place, items[k].value);
        }
    }

    const Places& places;
    std::uint64_t offset;
    bool original, triples;
    std::vector<Placed<Value>> items, spare;
};

}  // namespace rosenblatt
