// Pairs and triples of features: finding those that occur, and writing rows of them.
#include "combine/combinations.hpp"

#include <nanobind/stl/string.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../signals.hpp"
#include "base/spare.hpp"
#include "base/threads.hpp"
#include "combine/frequent.hpp"
#include "combine/shares.hpp"
#include "held_rows.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

using Room = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using DenseRoom = nb::ndarray<nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::dlpack::dtype dtype_of(const std::string& name) {
    if (name == "float64") return nb::dtype<double>();
    if (name == "float32") return nb::dtype<float>();
    if (name == "int64") return nb::dtype<std::int64_t>();
    if (name == "uint8") return nb::dtype<std::uint8_t>();
    require(name == "int32", "there are arrays of float64, float32, int64, int32 and uint8");
    return nb::dtype<std::int32_t>();
}

/// An array of any contents, if it is large in memory that served before.
///
/// Whole numbers begin some lines into theirs: written in turn with values of the same size, they
/// would else have the same last bits in their addresses, by which processors tell them apart (4K
/// aliasing).
nb::ndarray<nb::numpy> spare_array(std::size_t count, const std::string& type) {
    const nb::dlpack::dtype dtype = dtype_of(type);
    require(count <= std::numeric_limits<std::size_t>::max() / 8 / 2, "count is too large");
    const bool whole = dtype.code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float);
    const std::size_t before = whole ? 17 * 64 : 0;
    auto block = std::make_unique<Block>(spare_blocks().acquire(before + count * dtype.bits / 8));
    void* const data = static_cast<std::byte*>(block->memory) + before;
    const nb::capsule owner(block.release(), [](void* given) noexcept {
        const std::unique_ptr<Block> mine(static_cast<Block*>(given));
        spare_blocks().release(*mine);
    });
    return {data, 1, &count, owner, nullptr, dtype};
}

/// The ranks seen, where groups of them start, and the arrays that both lie in.
struct SeenColumns {
    Seen places;
    nb::object owners;

    SeenColumns(std::size_t width, Int64s ranks, OrderArray starts, int shift)
        : places{{width}, span_of<std::int64_t>(ranks), span_of<std::uint32_t>(starts), shift},
          owners(nb::make_tuple(ranks, starts)) {
        require(0 <= shift && shift < 64, "shift must be a number of bits");
        require(ranks.size() <= std::numeric_limits<std::uint32_t>::max(), "too many ranks");
    }
};

/// Works out where groups of ranks start.
void index_combinations(Int64s ranks, int shift, OrderArray starts) {
    const SeenColumns seen(0, ranks, starts, shift);
    nb::gil_scoped_release release;
    seen.places.find_starts({starts.data(), starts.size()});
}

using AnyColumns = std::variant<const Ranked*, const SeenColumns*, const Hashed*>;

const Ranked& inside(const Ranked* places) { return *places; }
const Seen& inside(const SeenColumns* places) { return places->places; }
const Hashed& inside(const Hashed* places) { return *places; }

/// What is written of a row.
struct Shape {
    bool original, triples;
};

void require_fit(const Rows& rows, std::size_t degree, std::size_t begin, std::size_t end) {
    require(rows.in_order, "check the rows first");
    require(degree == 2 || degree == 3, "degree must be 2 or 3");
    require(begin <= end && end <= rows.count(), "begin and end must be rows");
    require_unchanged(rows, begin, end);
}

/// Sees to it that every rank of these rows is one that the places know.
void require_known(const Ranked& places, const Rows& rows, bool triples) {
    require(places.width == rows.width(), "places and rows must have the same width");
    require(rows.width() <= (triples ? most_for_triples : most_for_pairs), "too many columns");
}
void require_known(const Seen& places, const Rows& rows, bool triples) {
    require_known(static_cast<const Ranked&>(places), rows, triples);
    require(places.starts.size() > (combinations_among(rows.width(), triples) >> places.shift) + 1,
            "there must be a start for every group");
}
void require_known(const Hashed&, const Rows&, bool) {}

void require_known(const AnyColumns& places, const Rows& rows, bool triples) {
    std::visit([&](const auto* any) { require_known(inside(any), rows, triples); }, places);
}

/// How many values the rows up to each give at most; the largest number if that is too large.
void count_combinations(const Rows& rows, std::size_t degree, bool original, Counts ends) {
    require_fit(rows, degree, 0, rows.count());
    require(ends.size() == rows.count(), "an end for each row");
    std::int64_t* const out = ends.data();
    nb::gil_scoped_release release;
    std::visit(
        [&](const auto& typed) {
            std::int64_t end = 0;
            for (std::size_t example = 0; example < typed.count; ++example) {
                const std::size_t n = features_in(typed, example);
                if (__builtin_add_overflow(end, values_of(n, original, degree == 3), &end))
                    end = std::numeric_limits<std::int64_t>::max();
                out[example] = end;
            }
        },
        rows.rows);
}

template <class Value, class Write>
void each_row(const Rows& rows, Features<Value>& row, bool zeros, std::size_t begin,
              std::size_t end, Write write) {
    std::visit(
        [&](const auto& typed) {
            for (std::size_t example = begin; example < end; ++example) {
                row.read(typed, example, zeros);
                write(example);
            }
        },
        rows.rows);
}

/// Bytes of values, too many to find them in a cache later.
constexpr std::size_t large = std::size_t{1} << 22;

template <class Value, class Index>
std::size_t fill(const Rows& rows, const AnyColumns& places, Shape shape, std::vector<Share> shares,
                 Room& values, Room& columns, Room& indptr, std::size_t filled,
                 std::size_t threads) {
    auto* const value = static_cast<Value*>(values.data());
    auto* const column = static_cast<Index*>(columns.data());
    auto* const start = static_cast<Index*>(indptr.data());
    const bool past_caches = values.size() * sizeof(Value) >= large;
    nb::gil_scoped_release release;
    std::visit(
        [&](const auto* any) {
            by_ticket(shares.size(), threads, [&](std::size_t k) {
                Share& share = shares[k];
                CsrEnd<Value, Index> out(value, column, share.from, past_caches);
                Combiner<Value, std::remove_cvref_t<decltype(inside(any))>> combiner(
                    inside(any), rows.width(), shape.original, shape.triples);
                each_row(
                    rows, combiner.row, false, share.begin, share.end, [&](std::size_t example) {
                        require(
                            static_cast<std::uint64_t>(combiner.most()) <= share.to - out.size(),
                            "there must be room for every combination");
                        combiner.write(out);
                        start[example + 1] = static_cast<Index>(out.size());
                    });
                out.finish();
                share.written = out.size();
            });
        },
        places);
    return close_gaps<Value, Index>(shares, filled, value, column, start);
}

/// Shares for each thread: several, lest all wait for the one that is slowest.
constexpr std::size_t shares_per_thread = 4;

std::size_t shares_for(std::size_t threads) {
    require(1 <= threads && threads <= 1024, "threads must lie between 1 and 1024");
    return threads == 1 ? 1 : shares_per_thread * threads;
}

/// Writes rows begin ... end-1 into compressed rows of which `filled` values are there; returns how
/// many there are then. The ends are those of count_combinations.
std::size_t combine_rows(const Rows& rows, const AnyColumns& places, std::size_t degree,
                         bool original, std::size_t begin, std::size_t end, Int64s ends,
                         Room values, Room columns, Room indptr, std::size_t filled,
                         std::size_t threads) {
    require_fit(rows, degree, begin, end);
    require_known(places, rows, degree == 3);
    require(columns.size() == values.size(), "columns and values must have the same room");
    require(indptr.size() == rows.count() + 1,
            "indptr must say where each row starts, and where the last ends");
    require(ends.size() == rows.count(), "there must be an end for each row");
    const auto shares =
        share_out(span_of<std::int64_t>(ends), begin, end, filled, shares_for(threads));
    std::size_t reached = filled;
    for (const Share& share : shares) {
        require(share.from == reached && share.from <= share.to, "ends must rise");
        reached = share.to;
    }
    require(reached <= values.size(), "there must be room for every combination");
    const Shape shape{original, degree == 3};
    return with_types(values, columns, indptr, [&]<class Value, class Index>(Value, Index) {
        return fill<Value, Index>(rows, places, shape, shares, values, columns, indptr, filled,
                                  threads);
    });
}

/// How many columns the places need.
std::uint64_t width_of(const Ranked& places, bool triples) {
    return combinations_among(places.width, triples);
}
std::uint64_t width_of(const Seen& places, bool) { return places.ranks.size(); }
std::uint64_t width_of(const Hashed& places, bool) { return std::uint64_t{1} << places.bits; }

template <class Value>
void fill_dense(const Rows& rows, const AnyColumns& places, Shape shape, std::size_t begin,
                std::size_t end, DenseRoom& out, std::size_t threads) {
    Value* const first = static_cast<Value*>(out.data());
    const std::size_t width = out.shape(1);
    const std::size_t step = (end - begin) / shares_for(threads) + 1;
    std::visit(
        [&](const auto* any) {
            require(
                width == (shape.original ? rows.width() : 0) + width_of(inside(any), shape.triples),
                "a column for each place");
            nb::gil_scoped_release release;
            by_ticket((end - begin + step - 1) / step, threads, [&](std::size_t k) {
                const std::size_t from = begin + k * step, to = std::min(from + step, end);
                Combiner<Value, std::remove_cvref_t<decltype(inside(any))>> combiner(
                    inside(any), rows.width(), shape.original, shape.triples);
                each_row(rows, combiner.row, true, from, to, [&](std::size_t example) {
                    combiner.write({first + example * width, width});
                });
            });
        },
        places);
}

/// Writes rows begin ... end-1 into dense rows.
void combine_dense(const Rows& rows, const AnyColumns& places, std::size_t degree, bool original,
                   std::size_t begin, std::size_t end, DenseRoom out, std::size_t threads) {
    require_fit(rows, degree, begin, end);
    require_known(places, rows, degree == 3);
    require(out.shape(0) == rows.count(), "a row for each row");
    with_value(out, [&]<class Value>(Value) {
        fill_dense<Value>(rows, places, {original, degree == 3}, begin, end, out, threads);
    });
}

/// The ranks of the combinations that occur in `least` rows or more, rising. Ctrl-C is heard.
Array<std::int64_t> frequent_combinations(const Rows& rows, std::size_t degree, std::size_t least) {
    require_fit(rows, degree, 0, rows.count());
    require(rows.width() <= (degree == 3 ? most_for_triples : most_for_pairs), "too many columns");
    return array_of([&] {
        nb::gil_scoped_release release;
        FrequentCombinations search(rows.width(), degree, least);
        std::visit(
            [&](const auto& typed) {
                for (std::size_t example = 0; example < typed.count; ++example)
                    search.add(typed, example);
            },
            rows.rows);
        return search.find(look_for_signals);
    }());
}

}  // namespace

void bind_combinations(nb::module_& m) {
    nb::class_<Ranked>(m, "AllCombinations").def(nb::init<std::size_t>(), "width"_a);
    nb::class_<SeenColumns>(m, "SeenCombinations")
        .def(nb::init<std::size_t, Int64s, OrderArray, int>(), "width"_a, "ranks"_a.noconvert(),
             "starts"_a.noconvert(), "shift"_a);
    nb::class_<Hashed>(m, "HashedCombinations")
        .def(
            "__init__",
            [](Hashed* self, int bits) {
                require(1 <= bits && bits <= 32, "bits must lie between 1 and 32");
                new (self) Hashed{bits};
            },
            "bits"_a);
    m.def("count_combinations", &count_combinations, "rows"_a, "degree"_a, "original"_a,
          "ends"_a.noconvert());
    m.def("frequent_combinations", &frequent_combinations, "rows"_a, "degree"_a, "least"_a);
    m.def("index_combinations", &index_combinations, "ranks"_a.noconvert(), "shift"_a,
          "starts"_a.noconvert());
    m.def("combine", &combine_rows, "rows"_a, "places"_a, "degree"_a, "original"_a, "begin"_a,
          "end"_a, "ends"_a.noconvert(), "values"_a.noconvert(), "columns"_a.noconvert(),
          "indptr"_a.noconvert(), "filled"_a, "threads"_a = 1);
    m.def("spare_array", &spare_array, "count"_a, "type"_a);
    m.def("combine_dense", &combine_dense, "rows"_a, "places"_a, "degree"_a, "original"_a,
          "begin"_a, "end"_a, "out"_a.noconvert(), "threads"_a = 1);
}

}  // namespace rosenblatt
