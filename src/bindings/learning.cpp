// The loop: problem, rule and memory are chosen once per call.
#include "learning.hpp"

#include "binary.hpp"
#include "memory.hpp"
#include "multiclass.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

/// What is to be learned: rows, their labels, and how both are looked at.
struct Problem {
    Rows& rows;
    Terms terms;
    nb::object owners;

    Problem(Rows& rows, Vector labels_, std::size_t classes, double constant, bool unit_length,
            bool ties_are_mistakes, std::optional<Doubles> class_weight,
            std::optional<Doubles> sample_weight)
        : rows(rows),
          terms{{},
                {class_weight ? class_weight->data() : nullptr,
                 sample_weight ? sample_weight->data() : nullptr},
                {constant, unit_length},
                {ties_are_mistakes},
                classes},
          owners(nb::make_tuple(labels_, class_weight, sample_weight)) {
        require(rows.sound, "check the rows first");
        require(labels_.size() == rows.count(), "there must be a label for each row");
        require(!class_weight || class_weight->size() == classes, "one weight for each class");
        require(!sample_weight || sample_weight->size() == rows.count(), "one weight for each row");
        require(holds<std::uint8_t>(labels_) || holds<std::int32_t>(labels_),
                "labels must be uint8 or int32");
        Labels& labels = terms.labels;
        if (holds<std::uint8_t>(labels_))
            labels.narrow = static_cast<const std::uint8_t*>(labels_.data());
        else
            labels.wide = static_cast<const std::int32_t*>(labels_.data());
        bool inside = true;
        for (std::size_t i = 0; i < rows.count(); ++i) inside &= labels[i] < classes;
        require(inside, "labels must lie below the number of classes");
    }
};

template <class Visit>
auto with_memory(double* missed, Visit visit) {
    return missed ? visit(Averaged{missed}) : visit(Last{});
}

std::int64_t learn_examples(const Problem& problem, const AnyRule& rule, Weights weights,
                            std::optional<Weights> missed, Counts counts,
                            std::optional<OrderArray> order, std::size_t begin, std::size_t end,
                            bool look, std::optional<Bytes> journal) {
    require_shapes(weights, missed, problem.rows.width(), problem.terms.classes);
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
    const Borrowed borrowed{weights.data(), missed ? missed->data() : nullptr, weights.shape(1)};
    Tally tally;
    {
        nb::gil_scoped_release release;
        bool inside = true;
        for (std::size_t turn = begin; turn < end; ++turn)
            inside &= rows_in_turn[turn] < problem.rows.count();
        require(inside, "order must name rows");
        tally = learn_any(problem.rows.rows, problem.terms, rule, borrowed, rows_in_turn, begin,
                          end, t, entries, look);
    }
    counts.data()[0] += tally.examples;
    counts.data()[1] += tally.updates;
    counts.data()[2] += tally.mistakes;
    return tally.overflow;
}

}  // namespace

Tally learn_any(const AnyRows& rows, const Terms& terms, const AnyRule& rule,
                const Borrowed& weights, Order order, std::size_t begin, std::size_t end,
                std::int64_t t, std::span<Entry> journal, bool look) {
    const auto run = [&](auto&& race) {
        return std::visit(
            [&](const auto& chosen) {
                return with_memory(weights.missed, [&](auto memory) {
                    return learn(race, chosen, memory, weights.weights, order, begin, end, t,
                                 journal, look);
                });
            },
            rule);
    };
    return std::visit(
        [&]<class R>(const R& kind) {
            return weights.stride == 1
                       ? run(Binary<R>{kind, terms.labels, terms.importance, terms.framing,
                                       terms.ties})
                       : run(Multiclass<R>{kind, terms.labels, terms.importance, terms.framing,
                                           terms.ties, terms.classes, weights.stride});
        },
        rows);
}

void bind_learning(nb::module_& m) {
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
}

}  // namespace rosenblatt
