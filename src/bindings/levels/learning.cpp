// Problems, rules, and walks of the loop.
#include <nanobind/stl/vector.h>

#include "held_rows.hpp"
#include "learn/recheck.hpp"
#include "parts.hpp"
#include "votes/mistakes.hpp"

namespace rosenblatt {

namespace {

/// What is to be learned: rows, their labels, and how both are taken.
struct Problem {
    Rows& rows;
    Terms terms;
    nb::object owners;

    Problem(Rows& rows, Vector labels_, std::size_t classes, double constant, bool threshold,
            bool unit_length, Ties ties, std::optional<Doubles> class_weight,
            std::optional<Doubles> sample_weight, std::optional<Int64s> indptr)
        : rows(rows),
          terms{.importance = {data_of(class_weight), data_of(sample_weight)},
                .framing = {constant, threshold, unit_length},
                .ties = ties,
                .classes = classes},
          owners(nb::make_tuple(labels_, class_weight, sample_weight, indptr)) {
        require(!class_weight || class_weight->size() == classes, "one weight for each class");
        check(sample_weight);
        require(labels_.size() == rows.count() || indptr, "there must be a label for each row");
        require(holds<std::uint8_t>(labels_) || holds<std::int32_t>(labels_),
                "labels must be uint8 or int32");
        Labels& labels = terms.labels;
        if (holds<std::uint8_t>(labels_))
            labels.bytes = static_cast<const std::uint8_t*>(labels_.data());
        else
            labels.ints = static_cast<const std::int32_t*>(labels_.data());
        bool inside = true;
        for (std::size_t i = 0; i < labels_.size(); ++i) inside &= labels[i] < classes;
        require(inside, "labels must lie below the number of classes");
        if (indptr) take_sets(span_of<std::int64_t>(*indptr), labels_.size());
    }

    /// Numbers to come close to, in the place of labels.
    Problem(Rows& rows, Doubles targets, double constant, bool unit_length,
            std::optional<Doubles> sample_weight)
        : rows(rows),
          terms{.importance = {nullptr, data_of(sample_weight)},
                .framing = {constant, false, unit_length},
                .targets = targets.data()},
          owners(nb::make_tuple(targets, sample_weight)) {
        check(sample_weight);
        require(targets.size() == rows.count(), "there must be a target for each row");
    }

    /// The same of other rows.
    Problem(const Problem& other, Rows& rows)
        : rows(rows), terms(other.terms), owners(other.owners) {
        require(rows.sound, "check the rows first");
        require(rows.count() == other.rows.count(), "there must be as many rows");
    }

    bool too_short(std::size_t example) const {
        require(example < rows.count(), "an example is one of the rows");
        return rosenblatt::too_short(rows.rows, example, terms.framing);
    }

  private:
    void check(const std::optional<Doubles>& sample_weight) const {
        require(rows.sound, "check the rows first");
        require(!sample_weight || sample_weight->size() == rows.count(), "one weight for each row");
    }

    /// Labels of which an example may have several.
    void take_sets(std::span<const std::int64_t> indptr, std::size_t labels) {
        require(terms.labels.ints && indptr.size() == rows.count() + 1 && indptr.front() == 0 &&
                    indptr.back() == static_cast<std::int64_t>(labels) &&
                    std::ranges::is_sorted(indptr),
                "indptr must cut int32 labels into a set for each row");
        terms.labels.indptr = indptr.data();
        for (std::size_t i = 0; i < rows.count(); ++i)
            require(std::ranges::adjacent_find(terms.labels.of(i), std::ranges::greater_equal{}) ==
                        terms.labels.of(i).end(),
                    "the labels of a row must rise");
    }
};

template <class Value>
void prefetch_columns(const Dense<Value>&, std::size_t) {}

/// Nothing that is said of the row is believed as yet.
template <class Value, class Index>
void prefetch_columns(const Csr<Value, Index>& rows, std::size_t example) {
    const std::size_t to = std::min(rows.first(example + 1), rows.columns.size());
    for (std::size_t k = rows.first(example); k < to; k += 64 / sizeof(Index))
        prefetch_number<Cache::second>(rows.columns.data(), k);
}

/// The end of the part of a walk whose rows fit. In a random order they are prefetched.
template <class R>
std::size_t end_of_fit(const R& rows, const Walk& walk) {
    constexpr std::size_t distance = 8;
    if (walk.order.rows.empty()) return first_unfit(rows, {}, walk.position, walk.end);
    std::size_t position = walk.position;
    for (; position < walk.end && still_fits(rows, walk.order[position]); ++position) {
        rows.prefetch_indptr(walk.order[std::min(position + 2 * distance, walk.end - 1)]);
        prefetch_columns(rows, walk.order[std::min(position + distance, walk.end - 1)]);
    }
    return position;
}

/// Learns from a walk, so many rows at a time as stay in a cache: the second check brings them
/// there. A row that has been changed ends the walk, as if its numbers were too large.
template <class R>
Tally learn_rechecked(const R& rows, const Terms& terms, const AnyRule& rule,
                      const Borrowed& borrowed, Walk walk, Record record) {
    constexpr std::size_t values_at_a_time = 1 << 16;
    const std::size_t some = 1 + values_at_a_time * rows.count / (rows.stored() + rows.count + 1);
    for (const std::size_t end = walk.end; walk.position < end; walk.position = walk.end) {
        const std::size_t stop = std::min(end, walk.position + some);
        walk.end = stop;
        walk.end = end_of_fit(rows, walk);
        const std::size_t taken = walk.end - walk.position;
        if (taken > 0) record.tally = Kind<R>::learn(rows, terms, rule, borrowed, walk, record);
        if (record.tally.overflow >= 0) break;
        walk.t += static_cast<std::int64_t>(taken);
        if (walk.end < stop) {
            record.tally.overflow = static_cast<std::int64_t>(walk.order[walk.end]);
            break;
        }
    }
    return record.tally;
}

std::int64_t learn_examples(const Problem& problem, const AnyRule& rule, Weights weights,
                            std::optional<Weights> missed, std::optional<Weights> sureness,
                            Counts counts, std::optional<OrderArray> order, std::size_t begin,
                            std::size_t end, bool check_values, std::optional<Measures> measures,
                            Mistakes* mistakes, Budget* budget, double half_life,
                            SinglePrecision* float32, std::optional<Weights> covariance,
                            bool recheck) {
    require_shapes(weights, missed, problem.rows.width(), problem.terms.classes);
    require_shapes(weights, sureness, problem.rows.width(), problem.terms.classes);
    require(!problem.terms.labels.several() || weights.shape(1) > 1,
            "several labels need a weight column for each class");
    require(!problem.terms.targets ||
                (weights.shape(1) == 1 && std::holds_alternative<PassiveAggressiveRule>(rule)),
            "targets are for passive-aggressive steps of one weight column");
    require_surer(rule, weights, sureness, covariance);
    const std::size_t positions = order ? order->size() : problem.rows.count();
    require(begin <= end && end <= positions, "begin and end must be positions in the pass");
    require(counts.size() == 3, "counts are examples, updates and mistakes");
    require(!measures || measures->size() == 2, "measures are steps and the smallest margin");
    require(!mistakes || !mistakes->keeps_rows() || mistakes->row_of.size() == problem.rows.count(),
            "a kept row for each row");
    require(!budget || (!missed && std::holds_alternative<DualRows>(problem.rows.rows)),
            "a budget is for the last weights of a dual model");
    require(!budget ||
                std::ranges::all_of(budget->supports,
                                    [&](std::uint32_t row) { return row < problem.rows.width(); }),
            "supports must be candidates");
    require(!float32 || (problem.rows.compressed() && weights.shape(1) > 1 &&
                         float32->slots() == weights.size() &&
                         std::holds_alternative<PerceptronRule>(rule)),
            "single-precision weights are for the perceptron, several classes and compressed rows");
    const Walk walk{order_of(order), begin, end, counts.data()[0] + 1};
    Record record{.mistakes{}, .tally{.steps = measures ? measures->data()[0] : 0.0}};
    Borrowed borrowed = borrowed_of(weights, missed, sureness, covariance, half_life);
    borrowed.budget = budget;
    borrowed.float32 = float32;
    Terms terms = problem.terms;
    terms.check_values = check_values;
    Tally tally;
    {
        nb::gil_scoped_release release;
        require_rows(walk.order, begin, end, problem.rows.count());
        tally = std::visit(
            [&]<class R>(const R& rows) {
                require(!mistakes || mistakes->has_room(rows, walk.order, begin, end),
                        "there must be room for the mistakes");
                if (mistakes) record.mistakes = mistakes->room(end - begin);
                const Tally made = recheck
                                       ? learn_rechecked(rows, terms, rule, borrowed, walk, record)
                                       : Kind<R>::learn(rows, terms, rule, borrowed, walk, record);
                if (mistakes) mistakes->add(rows, made.updates);
                return made;
            },
            problem.rows.rows);
    }
    add(tally, counts, measures);
    return tally.overflow;
}

/// What its averaging sums are multiplied by when a model has seen more.
double fading(std::int64_t seen, std::int64_t later, double half_life) {
    return forgetting_of(half_life).fading(seen, later);
}

/// How much the weights before each of these examples count in the average of a model that has seen
/// so many, in its units.
std::vector<double> weights_before(Counts times, std::int64_t seen, double half_life) {
    const Forgetting forgetting = forgetting_of(half_life);
    const std::int64_t epoch = forgetting.epoch(seen);
    std::vector<double> before;
    for (std::size_t k = 0; k < times.size(); ++k)
        before.push_back(forgetting.before(times.data()[k], epoch));
    return before;
}

}  // namespace

void bind_learning(nb::module_& m) {
    nb::enum_<Ties>(m, "Ties")
        .value("mistake", Ties::mistake)
        .value("first", Ties::first)
        .value("last", Ties::last);
    nb::class_<Problem>(m, "Problem")
        .def(nb::init<Rows&, Vector, std::size_t, double, bool, bool, Ties, std::optional<Doubles>,
                      std::optional<Doubles>, std::optional<Int64s>>(),
             "rows"_a, "labels"_a.noconvert(), "classes"_a, "constant"_a, "threshold"_a,
             "unit_length"_a, "ties"_a, "class_weight"_a.noconvert().none(),
             "sample_weight"_a.noconvert().none(), "indptr"_a.noconvert().none() = nb::none(),
             nb::keep_alive<1, 2>())
        .def(nb::init<Rows&, Doubles, double, bool, std::optional<Doubles>>(), "rows"_a,
             "targets"_a.noconvert(), "constant"_a, "unit_length"_a,
             "sample_weight"_a.noconvert().none(), nb::keep_alive<1, 2>())
        .def(
            "on", [](const Problem& self, Rows& rows) { return Problem(self, rows); }, "rows"_a,
            nb::keep_alive<0, 2>())
        .def("too_short", &Problem::too_short, "example"_a);
    nb::class_<PerceptronRule>(m, "PerceptronRule").def(nb::init<>());
    nb::class_<PassiveAggressiveRule>(m, "PassiveAggressiveRule")
        .def(
            "__init__",
            [](PassiveAggressiveRule* self, double cap, double damping, double aim) {
                new (self) PassiveAggressiveRule{cap, damping, {}, aim};
            },
            "cap"_a, "damping"_a, "aim"_a = 1.0);
    nb::class_<WinnowRule>(m, "WinnowRule")
        .def(
            "__init__",
            [](WinnowRule* self, double factor) {
                require(factor > 1.0 && factor <= 0x1p400,
                        "the factor must lie between 1 and 2**400");
                new (self) WinnowRule{Multiplicative(factor)};
            },
            "factor"_a);
    nb::class_<ArowRule>(m, "ArowRule").def(nb::init<double>(), "r"_a);
    nb::class_<FullArowRule>(m, "FullArowRule").def(nb::init<double>(), "r"_a);
    nb::class_<Budget>(m, "Budget")
        .def(nb::init<std::size_t, std::uint64_t, std::vector<std::uint32_t>>(), "limit"_a,
             "seed"_a, "supports"_a)
        .def_ro("supports", &Budget::supports);
    m.def("learn", &learn_examples, "problem"_a, "rule"_a, "weights"_a.noconvert(),
          "missed"_a.noconvert().none(), "sureness"_a.noconvert().none(), "counts"_a.noconvert(),
          "order"_a.noconvert().none(), "begin"_a, "end"_a, "look"_a,
          "measures"_a.noconvert().none() = nb::none(), "mistakes"_a.none() = nb::none(),
          "budget"_a.none() = nb::none(), "half_life"_a = std::numeric_limits<double>::infinity(),
          "float32"_a.none() = nb::none(), "covariance"_a.noconvert().none() = nb::none(),
          "again"_a = true);
    m.def("weights_before", &weights_before, "times"_a.noconvert(), "seen"_a, "half_life"_a);
    m.def("fading", &fading, "seen"_a, "later"_a, "half_life"_a);
}

}  // namespace rosenblatt
