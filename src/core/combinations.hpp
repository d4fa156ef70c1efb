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

#include "places.hpp"
#include "rows.hpp"
#include "streaming.hpp"

namespace rosenblatt {

/// Values that are worked out together, be they needed or not.
inline constexpr std::size_t together = 8;

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
        columns.clear();
        values.clear();
        dense = std::is_same_v<Rows, Dense<float>> || std::is_same_v<Rows, Dense<double>>;
        const bool all = zeros || !dense;
        rows.each(example, [&](auto, std::size_t column, double value) {
            if (!all && value == 0.0) return;
            columns.push_back(column);
            values.push_back(static_cast<Value>(value));
        });
        count = columns.size();
        columns.resize(count + together);
        values.resize(count + together);
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
template <class Value, class Places, class Run>
void combine(const Features<Value>& row, const Places& places, bool triples, Run run) {
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

/// As many neighbouring numbers as a vector register holds, wherever they begin.
template <class Number>
struct PartOf {
    typedef Number type __attribute__((vector_size(32), aligned(alignof(Number)), may_alias));
};

template <class Number>
auto& part(Number* first) {
    return *reinterpret_cast<typename PartOf<Number>::type*>(first);
}
template <class Number>
const auto& part(const Number* first) {
    return *reinterpret_cast<const typename PartOf<Number>::type*>(first);
}

/// step(j) for the first number j of each part of `together` ones.
template <class Number, class Step>
[[gnu::always_inline]] inline void each_part(Step step) {
    for (std::size_t j = 0; j < together; j += 32 / sizeof(Number)) step(j);
}

/// Compressed rows in the making, written some values at a time; large ones past the caches.
template <class Value, class Index>
class CsrEnd {
  public:
    using Place = std::make_unsigned_t<Index>;  // as wide, and may wrap around on its way

    CsrEnd(Value* values, Index* columns, std::size_t filled, bool large)
        : values(values),
          columns(reinterpret_cast<Place*>(columns)),
          filled(filled),
          large(large) {}
    CsrEnd(const CsrEnd&) = delete;
    CsrEnd& operator=(const CsrEnd&) = delete;

    std::size_t size() const { return filled + waiting; }

    void put(std::uint64_t column, Value value, bool wanted = true) {
        if (waiting == few) flush();
        next_columns[waiting] = static_cast<Place>(column);
        next_values[waiting] = value;
        waiting += wanted;
    }

    /// Values inner * x[k] * outer in columns base + x_columns[k], for k from 0 to n - 1.
    void put_run(std::uint64_t base, const Place* x_columns, Value inner, const Value* x,
                 Value outer, std::size_t n) {
        while (n > 0) {
            if (waiting == few) flush();
            const std::size_t some = std::min(n, few - waiting);
            for (std::size_t k = 0; k < some; k += together) {
                each_part<Place>([&](std::size_t j) {
                    part(&next_columns[waiting + k + j]) =
                        part(x_columns + k + j) + static_cast<Place>(base);
                });
                each_part<Value>([&](std::size_t j) {
                    part(&next_values[waiting + k + j]) = inner * part(x + k + j) * outer;
                });
            }
            waiting += some;
            n -= some;
            x_columns += some;
            x += some;
        }
    }

    /// To be called after the last value.
    void finish() {
        flush();
        finish_streaming();
    }

  private:
    static constexpr std::size_t few = 1024;

    void flush() {
        if (large) {
            stream(next_values.data(), waiting, values + filled);
            stream(next_columns.data(), waiting, columns + filled);
        } else {
            std::copy_n(next_values.data(), waiting, values + filled);
            std::copy_n(next_columns.data(), waiting, columns + filled);
        }
        filled += waiting;
        waiting = 0;
    }

    Value* values;
    Place* columns;
    std::size_t filled, waiting = 0;
    bool large;
    std::array<Value, few + together> next_values;
    std::array<Place, few + together> next_columns;
};

/// A value of a row and where it belongs.
template <class Value>
struct Placed {
    std::uint32_t place;
    Value value;
};

/// Sorts by place; what has the same place stays in the order in which it came. Places are hashes,
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
/// `original`, then what Places finds a place for.
template <class Value, class Places>
class Combiner {
  public:
    Combiner(const Places& places, std::size_t width, bool original, bool triples)
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
        if (original)
            for (std::size_t k = 0; k < row.count; ++k) end.put(row.columns[k], row.values[k]);
        if constexpr (Places::collide)
            write_sorted(end);
        else if constexpr (Places::complete)
            write_all(end);
        else
            each_few([&](std::uint64_t place, Value value) {
                end.put(offset + place, value, place != nowhere);
            });
    }

    /// The same into a dense row of as many columns as there are.
    void write(std::span<Value> all) {
        Value* const out = all.data();
        const bool covered = Places::complete && !Places::collide && row.count == width;
        if (!covered) std::fill(all.begin(), all.end(), Value(0));
        if (original)
            for (std::size_t k = 0; k < row.count; ++k) out[row.columns[k]] = row.values[k];
        Value* const beyond = out + offset;
        if constexpr (Places::collide)
            each_few([&](std::uint64_t place, Value value) { beyond[place] += value; });
        else if constexpr (Places::complete)
            write_all(beyond);
        else
            each_few([&](std::uint64_t place, Value value) {
                if (place != nowhere) beyond[place] = value;
            });
    }

  private:
    template <class Index>
    void write_all(CsrEnd<Value, Index>& end) {
        const std::size_t n = row.count;
        using Place = typename CsrEnd<Value, Index>::Place;
        std::vector<Place> columns(row.columns.size());
        std::transform(row.columns.begin(), row.columns.end(), columns.begin(),
                       [](std::uint64_t column) { return static_cast<Place>(column); });
        combine(row, places, triples,
                [&](std::size_t begin, std::uint64_t base, Value inner, Value outer) {
                    end.put_run(offset + base, columns.data() + begin, inner,
                                row.values.data() + begin, outer, n - begin);
                });
    }

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
            end.put(offset + place, sum);
        }
    }

    const Places& places;
    std::size_t width;
    std::uint64_t offset;
    bool original, triples;
    std::vector<Placed<Value>> items;
    ByPlace<Value> by_place;
};

}  // namespace rosenblatt
