// The core as Python sees it. Arrays are made and named in Python, borrowed here for one call.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <variant>

#include "binary.hpp"
#include "learn.hpp"
#include "memory.hpp"
#include "multiclass.hpp"
#include "rows.hpp"
#include "rules.hpp"
#include "shuffle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace rosenblatt;

namespace {

using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Vector = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FixedWeights = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OrderArray = nb::ndarray<std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnyRows =
    std::variant<Dense<float>, Dense<double>, Csr<float, std::int32_t>, Csr<float, std::int64_t>,
                 Csr<double, std::int32_t>, Csr<double, std::int64_t>>;
using AnyRule = std::variant<PerceptronRule, PassiveAggressiveRule>;
using FaultTuple = std::optional<std::tuple<const char*, std::int64_t, std::int64_t, double>>;

void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

template <class Value, class Array>
std::span<const Value> span_of(const Array& array) {
    return {static_cast<const Value*>(array.data()), array.size()};
}

template <class Value, class Array>
bool holds(const Array& array) {
    return array.dtype() == nb::dtype<Value>();
}

FaultTuple in_words(const std::optional<Fault>& fault) {
    constexpr const char* names[] = {"start", "decreasing", "end", "column", "value"};
    if (!fault) return std::nullopt;
    return std::tuple{names[static_cast<std::size_t>(fault->kind)], fault->row, fault->column,
                      fault->value};
}

/// The caller's rows: keeps the arrays alive, and remembers whether they were found sound.
struct Rows {
    AnyRows rows;
    nb::object owners;
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
};

template <class Value>
AnyRows dense(const Matrix& X) {
    return Dense<Value>{static_cast<const Value*>(X.data()), X.stride(0), X.shape(0), X.shape(1)};
}

Rows dense_rows(Matrix X) {
    require(X.shape(1) <= 1 || X.stride(1) == 1, "the values of a row must be neighbours");
    require(holds<float>(X) || holds<double>(X), "values must be float32 or float64");
    return {holds<float>(X) ? dense<float>(X) : dense<double>(X), nb::cast(X)};
}

template <class Value, class Index>
AnyRows csr(const Vector& values, const Vector& columns, const Vector& bounds, std::size_t width) {
    return Csr<Value, Index>{span_of<Value>(values), span_of<Index>(columns),
                             span_of<Index>(bounds), bounds.size() - 1, width};
}

Rows csr_rows(Vector values, Vector columns, Vector bounds, std::size_t width) {
    require(bounds.size() > 0, "bounds must not be empty");
    require(columns.dtype() == bounds.dtype(), "columns and bounds must share a type");
    require(holds<float>(values) || holds<double>(values), "values must be float32 or float64");
    require(holds<std::int32_t>(columns) || holds<std::int64_t>(columns),
            "columns must be int32 or int64");
    const auto make = [&]<class Value>() {
        return holds<std::int32_t>(columns)
                   ? csr<Value, std::int32_t>(values, columns, bounds, width)
                   : csr<Value, std::int64_t>(values, columns, bounds, width);
    };
    return {holds<float>(values) ? make.operator()<float>() : make.operator()<double>(),
            nb::make_tuple(values, columns, bounds)};
}

/// Visits the rows a few at a time, so that a second look finds them in the nearest cache; stops
/// at the first fault that batch(rows, begin, end) finds.
template <class Batch>
std::optional<Fault> in_batches(const AnyRows& any, Batch batch) {
    constexpr std::size_t values_per_batch = 1 << 11;
    nb::gil_scoped_release release;
    return std::visit(
        [&](const auto& rows) {
            auto fault = rows.bounds_fault();
            const std::size_t step =
                1 + values_per_batch * rows.count / (rows.stored() + rows.count + 1);
            for (std::size_t begin = 0; begin < rows.count && !fault; begin += step)
                fault = batch(rows, begin, std::min(rows.count, begin + step));
            return fault;
        },
        any);
}

/// Looks at bounds and columns, and with `values` at those too, before anything is done with them.
FaultTuple check(Rows& self, bool values) {
    bool in_order = true;
    const auto fault =
        in_batches(self.rows, [&](const auto& rows, std::size_t begin, std::size_t end) {
            auto wrong = rows.columns_fault(begin, end);
            if (!wrong && values) wrong = rows.values_fault(begin, end);
            in_order = in_order && (wrong || rows.in_order(begin, end));
            return wrong;
        });
    self.sound = !fault;
    self.in_order = in_order;
    return in_words(fault);
}

/// What is to be learned: rows, their labels, and how both are looked at.
struct Problem {
    Rows& rows;
    Labels labels;
    Importance importance;
    Framing framing;
    Ties ties;
    std::size_t classes;
    nb::object owners;

    Problem(Rows& rows, Vector labels_, std::size_t classes, double constant, bool unit_length,
            bool ties_are_mistakes, std::optional<Doubles> class_weight,
            std::optional<Doubles> sample_weight)
        : rows(rows),
          labels{},
          importance{class_weight ? class_weight->data() : nullptr,
                     sample_weight ? sample_weight->data() : nullptr},
          framing{constant, unit_length},
          ties{ties_are_mistakes},
          classes(classes),
          owners(nb::make_tuple(labels_, class_weight, sample_weight)) {
        require(rows.sound, "check the rows first");
        require(labels_.size() == rows.count(), "there must be a label for each row");
        require(!class_weight || class_weight->size() == classes, "one weight for each class");
        require(!sample_weight || sample_weight->size() == rows.count(), "one weight for each row");
        require(holds<std::uint8_t>(labels_) || holds<std::int32_t>(labels_),
                "labels must be uint8 or int32");
        if (holds<std::uint8_t>(labels_))
            labels.narrow = static_cast<const std::uint8_t*>(labels_.data());
        else
            labels.wide = static_cast<const std::int32_t*>(labels_.data());
        bool inside = true;
        for (std::size_t i = 0; i < rows.count(); ++i) inside &= labels[i] < classes;
        require(inside, "labels must lie below the number of classes");
    }
};

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

template <class Visit>
auto with_memory(double* missed, Visit visit) {
    return missed ? visit(Averaged{missed}) : visit(Last{});
}

std::int64_t learn_examples(const Problem& problem, const AnyRule& rule, Weights weights,
                            std::optional<Weights> missed, Counts counts,
                            std::optional<OrderArray> order, std::size_t begin, std::size_t end,
                            bool look, std::optional<Bytes> journal) {
    const std::size_t stride = weights.shape(1);
    require_shapes(weights, missed, problem.rows.width(), problem.classes);
    require(begin <= end && end <= problem.rows.count(), "begin and end must be rows");
    require(!order || order->size() == problem.rows.count(), "order must name each row");
    require(!journal || journal->size() >= (end - begin) * sizeof(Entry),
            "the journal must have room for an entry per example");
    require(counts.size() == 3, "counts are examples, updates and mistakes");
    const std::int64_t t = counts.data()[0] + 1;
    const Order rows_in_turn{order ? std::span<const std::uint32_t>(order->data(), order->size())
                                   : std::span<const std::uint32_t>{}};
    const std::span<Entry> entries =
        journal ? std::span(reinterpret_cast<Entry*>(journal->data()), end - begin)
                : std::span<Entry>{};
    double* const w = weights.data();
    double* const u = missed ? missed->data() : nullptr;
    Tally tally;
    {
        nb::gil_scoped_release release;
        bool inside = true;
        for (std::size_t turn = begin; turn < end; ++turn)
            inside &= rows_in_turn[turn] < problem.rows.count();
        require(inside, "order must name rows");
        const auto run = [&](auto&& race) {
            return std::visit(
                [&](const auto& chosen) {
                    return with_memory(u, [&](auto memory) {
                        return learn(race, chosen, memory, w, rows_in_turn, begin, end, t, entries,
                                     look);
                    });
                },
                rule);
        };
        tally = std::visit(
            [&]<class R>(const R& rows) {
                return stride == 1 ? run(Binary<R>{rows, problem.labels, problem.importance,
                                                   problem.framing, problem.ties})
                                   : run(Multiclass<R>{rows, problem.labels, problem.importance,
                                                       problem.framing, problem.ties,
                                                       problem.classes, stride});
            },
            problem.rows.rows);
    }
    counts.data()[0] += tally.examples;
    counts.data()[1] += tally.updates;
    counts.data()[2] += tally.mistakes;
    return tally.overflow;
}

template <class Visit>
auto with_weights(const double* weights, const double* missed, double counted, Visit visit) {
    return missed ? visit(Totalled{{{weights}}, {{missed}}, counted}) : visit(Plain{{weights}});
}

struct Scorer {
    const double* weights;
    const double* missed;
    double counted;
    std::size_t stride;
    double constant;
    std::vector<double> scores;

    Scorer(const Rows& rows, const FixedWeights& weights, const std::optional<FixedWeights>& missed,
           double counted, double constant, std::size_t classes)
        : weights(weights.data()),
          missed(missed ? missed->data() : nullptr),
          counted(counted),
          stride(weights.shape(1)),
          constant(constant),
          scores(stride) {
        require_shapes(weights, missed, rows.width(), classes);
    }

    /// take(example, scores) for each row; one score for two classes, else one for each class.
    template <class R, class Take>
    void each(const R& rows, std::size_t begin, std::size_t end, Take take) {
        with_weights(weights, missed, counted, [&](const auto& from) {
            for (std::size_t example = begin; example < end; ++example) {
                if (stride == 1)
                    scores[0] = rows.dot(example, from) + constant * from[rows.width];
                else
                    score_classes(rows, example, from, stride, constant, scores.data());
                take(example, std::span<const double>(scores));
            }
        });
    }
};

/// Scores every row; take(example, scores) for each. Columns are looked at before they are used,
/// values only if a score is not finite.
template <class Take>
FaultTuple score_rows(const Rows& self, Scorer& scorer, Take take) {
    return in_words(
        in_batches(self.rows, [&](const auto& rows, std::size_t begin, std::size_t end) {
            auto fault = rows.columns_fault(begin, end);
            if (fault) return fault;
            double sum = 0.0;
            scorer.each(rows, begin, end, [&](std::size_t example, std::span<const double> scores) {
                for (const double score : scores) sum += score - score;
                take(example, scores);
            });
            return sum == 0.0 ? fault : rows.values_fault(begin, end);
        }));
}

FaultTuple score(const Rows& rows, FixedWeights weights, std::optional<FixedWeights> missed,
                 double counted, double constant, Weights out) {
    const std::size_t columns = out.shape(1);
    require(out.shape(0) == rows.count(), "a row of scores for each row");
    Scorer scorer(rows, weights, missed, counted, constant, columns == 1 ? 2 : columns);
    double* const results = out.data();
    return score_rows(rows, scorer, [&](std::size_t example, std::span<const double> scores) {
        for (std::size_t k = 0; k < columns; ++k)
            results[example * columns + k] = scores[k] / counted;
    });
}

FaultTuple predict(const Rows& rows, FixedWeights weights, std::optional<FixedWeights> missed,
                   double counted, double constant, std::size_t classes,
                   nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out) {
    require(out.size() == rows.count(), "a prediction for each row");
    Scorer scorer(rows, weights, missed, counted, constant, classes);
    std::int64_t* const winners = out.data();
    return score_rows(rows, scorer, [&](std::size_t example, std::span<const double> scores) {
        winners[example] = scores.size() == 1
                               ? scores[0] > 0.0
                               : static_cast<std::int64_t>(strongest(scores.first(classes)));
    });
}

void shuffle(OrderArray order, std::uint64_t seed, std::uint64_t pass) {
    nb::gil_scoped_release release;
    draw_order({order.data(), order.size()}, seed, pass);
}

void shuffle_blocks(OrderArray order, std::uint64_t seed, std::uint64_t pass) {
    nb::gil_scoped_release release;
    draw_blocks({order.data(), order.size()}, seed, pass);
}

int cpu_level() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4")) return 4;
    if (__builtin_cpu_supports("x86-64-v3")) return 3;
#endif
    return 1;
}

}  // namespace

NB_MODULE(ROSENBLATT_MODULE, m) {
    m.doc() = "The learning loop of rosenblatt, compiled for one level of vector instructions.";
    nb::class_<Rows>(m, "Rows")
        .def_prop_ro("count", &Rows::count)
        .def_prop_ro("width", &Rows::width)
        .def_prop_ro("stored", &Rows::stored)
        .def("check", &check, "values"_a)
        .def_ro("in_order", &Rows::in_order);
    m.def("dense", &dense_rows, "X"_a.noconvert());
    m.def("csr", &csr_rows, "values"_a.noconvert(), "columns"_a.noconvert(), "bounds"_a.noconvert(),
          "width"_a);
    nb::class_<Problem>(m, "Problem")
        .def(nb::init<Rows&, Vector, std::size_t, double, bool, bool, std::optional<Doubles>,
                      std::optional<Doubles>>(),
             "rows"_a, "labels"_a.noconvert(), "classes"_a, "constant"_a, "unit_length"_a,
             "ties_are_mistakes"_a, "class_weight"_a.noconvert().none(),
             "sample_weight"_a.noconvert().none(), nb::keep_alive<1, 2>());
    nb::class_<PerceptronRule>(m, "PerceptronRule").def(nb::init<>());
    nb::class_<PassiveAggressiveRule>(m, "PassiveAggressiveRule")
        .def(nb::init<double, double>(), "cap"_a, "damping"_a);
    m.def("learn", &learn_examples, "problem"_a, "rule"_a, "weights"_a.noconvert(),
          "missed"_a.noconvert().none(), "counts"_a.noconvert(), "order"_a.noconvert().none(),
          "begin"_a, "end"_a, "look"_a, "journal"_a.noconvert().none());
    m.def("score", &score, "rows"_a, "weights"_a.noconvert(), "missed"_a.noconvert().none(),
          "counted"_a, "constant"_a, "out"_a.noconvert());
    m.def("predict", &predict, "rows"_a, "weights"_a.noconvert(), "missed"_a.noconvert().none(),
          "counted"_a, "constant"_a, "classes"_a, "out"_a.noconvert());
    m.def("shuffle", &shuffle, "order"_a.noconvert(), "seed"_a, "pass_"_a);
    m.def("shuffle_blocks", &shuffle_blocks, "order"_a.noconvert(), "seed"_a, "pass_"_a);
    m.def("cpu_level", &cpu_level);
}
