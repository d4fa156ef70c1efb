// Products of two or three distinct features of a row, each in a column of its own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "combine/columns.hpp"
#include "combine/csr_writer.hpp"
#include "rows/rows.hpp"

namespace rosenblatt {

template <class Rows>
inline constexpr bool is_dense =
    std::is_same_v<Rows, Dense<float>> || std::is_same_v<Rows, Dense<double>>;

/// How many features a row has: all that are stored, or of a dense row those that are not zero.
template <class Rows>
std::size_t features_in(const Rows& rows, std::size_t example) {
    const std::size_t n = rows.length(example);
    if constexpr (is_dense<Rows>) {
        const auto* const x = rows.row(example);
        return n - static_cast<std::size_t>(std::count(x, x + n, 0));
    }
    return n;
}

/// The features of one row, columns in rising order; zeros fill the last of them up to `together`.
template <class Value>
struct Features {
    std::vector<std::uint64_t> columns;
    std::vector<Value> values;
    std::size_t count = 0;
    bool dense = false;

    /// Takes in a row: all that is stored of it, or of a dense row without `zeros` what is not
    /// zero.
    template <class Rows>
    void read(const Rows& rows, std::size_t example, bool zeros) {
        const std::size_t n = rows.length(example);
        columns.resize(n + together);
        values.resize(n + together);
        dense = is_dense<Rows>;
        const bool all = zeros || !dense;
        count = 0;
        rows.each(example, [&](auto, std::size_t column, double value) {
            columns[count] = column;
            values[count] = static_cast<Value>(value);
            count += all || value != 0.0;
        });
        columns.resize(count + together);
        values.resize(count + together);
        std::fill(columns.end() - together, columns.end(), 0);
        std::fill(values.end() - together, values.end(), Value(0));
    }
};

/// How many values a row of n features gives at most: itself if `original`, pairs, triples.
inline std::int64_t values_of(std::uint64_t n, bool original, bool triples) {
    constexpr std::int64_t too_many = std::numeric_limits<std::int64_t>::max();
    if (n > (triples ? most_for_triples : most_for_pairs)) return too_many;
    const std::uint64_t sum = (original ? n : 0) + combinations_among(n, triples);
    return static_cast<std::int64_t>(std::min<std::uint64_t>(sum, too_many));
}

/// run(begin, base, inner, outer) for the products of a row that differ in their last feature only:
/// it is one of features begin, begin + 1 ..., whose value x stands in inner * x * outer, and the
/// place of the product follows from base and the feature's column.
///
/// Products are rounded as scikit-learn's PolynomialFeatures rounds them, which multiplies the
/// first two of three features first if the row is sparse, and the last two if it is dense.
template <class Value, class Columns, class Run>
void combine(const Features<Value>& row, const Columns& places, bool triples, Run run) {
    const std::size_t n = row.count;
    const std::uint64_t* const columns = row.columns.data();
    const Value* const x = row.values.data();
    for (std::size_t a = 0; a + 1 < n; ++a)
        run(a + 1, places.pair_base(columns[a]), x[a], Value(1));
    if (!triples) return;
    for (std::size_t a = 0; a + 2 < n; ++a) {
        const std::uint64_t first = places.triple_base(columns[a]);
        for (std::size_t b = a + 1; b + 1 < n; ++b) {
            const std::uint64_t base = places.join(first, places.pair_base(columns[b]));
            if (row.dense)
                run(b + 1, base, x[b], x[a]);
            else
                run(b + 1, base, x[a] * x[b], Value(1));
        }
    }
}

/// A value of a row and where it belongs.
template <class Value>
struct Placed {
    std::uint32_t place;
    Value value;
};

/// Sorts by place; what has the same place stays in the order in which it came. Columns are hashes,
/// so once they are grouped by their first bits there is next to nothing left to do.
template <class Value>
class ByPlace {
  public:
    void sort(std::vector<Placed<Value>>& items, int bits) {
        const int shift = std::max(0, bits - static_cast<int>(std::bit_width(items.size())));
        ends.assign((std::size_t{1} << (bits - shift)) + 1, 0);
        for (const auto& item : items) ++ends[(item.place >> shift) + 1];
        std::partial_sum(ends.begin(), ends.end(), ends.begin());
        grouped.resize(items.size());
        for (const auto& item : items) grouped[ends[item.place >> shift]++] = item;
        for (std::size_t k = 1; k < grouped.size(); ++k) {
            const Placed<Value> item = grouped[k];
            std::size_t to = k;
            for (; to > 0 && grouped[to - 1].place > item.place; --to)
                grouped[to] = grouped[to - 1];
            grouped[to] = item;
        }
        items.swap(grouped);
    }

  private:
    std::vector<std::uint32_t> ends;
    std::vector<Placed<Value>> grouped;
};

/// Writes rows with their combinations: the features themselves in the first columns if
/// `original`, then what Columns finds a place for.
template <class Value, class Columns>
class Combiner {
  public:
    Combiner(const Columns& places, std::size_t width, bool original, bool triples)
        : places(places),
          width(width),
          offset(original ? width : 0),
          original(original),
          triples(triples) {}

    Features<Value> row;

    /// At least as many as the next row gives.
    std::int64_t most() const { return values_of(row.count, original, triples); }

    template <class Index>
    void write(CsrEnd<Value, Index>& end) {
        end.take_row(row);
        if (original) end.put_run(0, 0, Value(1), Value(1));
        if constexpr (Columns::collide)
            write_sorted(end);
        else if constexpr (Columns::complete)
            combine(row, places, triples,
                    [&](std::size_t begin, std::uint64_t base, Value inner, Value outer) {
                        end.put_run(begin, offset + base, inner, outer);
                    });
        else
            each_few([&](std::uint64_t place, Value value) {
                end.put_one(offset + place, value, place != nowhere);
            });
    }

    /// The same into a dense row of as many columns as there are.
    void write(std::span<Value> all) {
        Value* const out = all.data();
        const bool covered = Columns::complete && !Columns::collide && row.count == width;
        if (!covered) std::fill(all.begin(), all.end(), Value(0));
        if (original)
            for (std::size_t k = 0; k < row.count; ++k) out[row.columns[k]] = row.values[k];
        Value* const beyond = out + offset;
        if constexpr (Columns::collide)
            each_few([&](std::uint64_t place, Value value) { beyond[place] += value; });
        else if constexpr (Columns::complete)
            write_all(beyond);
        else
            each_few([&](std::uint64_t place, Value value) {
                if (place != nowhere) beyond[place] = value;
            });
    }

  private:
    void write_all(Value* beyond) {
        const std::size_t n = row.count;
        combine(row, places, triples,
                [&](std::size_t begin, std::uint64_t base, Value inner, Value outer) {
                    const std::uint64_t* const columns = row.columns.data() + begin;
                    const Value* const x = row.values.data() + begin;
                    const bool neighbours = columns[n - begin - 1] - columns[0] == n - begin - 1;
                    if (neighbours) {
                        Value* __restrict const out = beyond + (base + columns[0]);
                        for (std::size_t k = 0; k < n - begin; ++k) out[k] = inner * x[k] * outer;
                    } else {
                        for (std::size_t k = 0; k < n - begin; ++k)
                            beyond[base + columns[k]] = inner * x[k] * outer;
                    }
                });
    }

    /// take(place, product) for every product, in the order of their ranks; places are
    /// looked for a few at a time.
    template <class Take>
    void each_few(Take take) {
        constexpr std::size_t few = 64;
        std::array<std::uint64_t, few> found;
        const std::size_t n = row.count;
        combine(row, places, triples,
                [&](std::size_t begin, std::uint64_t base, Value inner, Value outer) {
                    for (; begin < n; begin += few) {
                        const std::size_t some = std::min(few, n - begin);
                        places.find(base, row.columns.data() + begin, some, found.data());
                        for (std::size_t k = 0; k < some; ++k)
                            take(found[k], inner * row.values[begin + k] * outer);
                    }
                });
    }

    /// Several combinations may have the same place: their values are added in turn.
    template <class Index>
    void write_sorted(CsrEnd<Value, Index>& end) {
        items.clear();
        each_few([&](std::uint64_t place, Value value) {
            items.push_back({static_cast<std::uint32_t>(place), value});
        });
        by_place.sort(items, places.bits);
        for (std::size_t k = 0; k < items.size();) {
            auto [place, sum] = items[k];
            while (++k < items.size() && items[k].place == place) sum += items[k].value;
            end.put_one(offset + place, sum);
        }
    }

    const Columns& places;
    std::size_t width;
    std::uint64_t offset;
    bool original, triples;
    std::vector<Placed<Value>> items;
    ByPlace<Value> by_place;
};

}  // namespace rosenblatt
