// Scores and predictions.
#include "fast/single_precision.hpp"
#include "learn/multiclass.hpp"
#include "learning.hpp"
#include "parts.hpp"
#include "rows/scored_weights.hpp"

namespace rosenblatt {

namespace {

template <class Visit>
auto with_weights(const double* weights, const double* missed, double counted, Visit visit) {
    return missed ? visit(Totalled{{{weights}}, {{missed}}, counted}) : visit(Plain{{weights}});
}

/// One score for two classes, else one for each of `stride` classes.
template <class R, class From>
[[gnu::always_inline]] inline void score_row(const R& rows, std::size_t example, const From& from,
                                             std::size_t stride, double constant, double* scores) {
    if (stride == 1)
        scores[0] = rows.dot(example, from, rows.fetch_on(example)) + constant * from[rows.width];
    else
        score_classes(rows, {&example, 1}, from, stride, constant, scores);
}

struct Scorer {
    const double* weights;
    const double* missed;
    double counted;
    std::size_t stride;
    double constant;
    std::size_t classes;
    const Narrow* narrow;
    std::vector<double> scores;
    std::size_t undecided = 0;

    Scorer(const Rows& rows, const FixedWeights& weights, const std::optional<FixedWeights>& missed,
           double counted, double constant, std::size_t classes, const Narrow* narrow = nullptr)
        : weights(weights.data()),
          missed(missed ? missed->data() : nullptr),
          counted(counted),
          stride(weights.shape(1)),
          constant(constant),
          classes(classes),
          narrow(narrow),
          scores(stride) {
        require_shapes(weights, missed, rows.width(), classes);
        require(!narrow || (stride > 1 && narrow->slots() == weights.size()),
                "narrow weights must be those of a race");
    }

    /// take(example, scores) for each row.
    template <class R, class Take>
    void each(const R& rows, std::size_t begin, std::size_t end, Take take) {
        with_weights(weights, missed, counted, [&](const auto& from) {
            for (std::size_t example = begin; example < end; ++example) {
                if (!decided(rows, example))
                    score_row(rows, example, from, stride, constant, scores.data());
                take(example, std::span<const double>(scores));
            }
        });
    }

    /// Whether the narrow weights tell the winner. They are given up where they seldom do.
    template <class R>
    bool decided(const R& rows, std::size_t example) {
        constexpr std::size_t some = 64, most = 8;
        if (!narrow || undecided > some + example / most) return false;
        score_classes(rows, {&example, 1}, narrow->weights(), stride, constant, scores.data());
        const bool known =
            narrow->decides(rows, example, constant, std::span(scores).first(classes));
        undecided += !known;
        return known;
    }
};

/// Scores every row; take(example, scores) for each. Columns are looked at before they are used,
/// values only if a score is not finite.
template <class Take>
FaultTuple score_rows(const Rows& self, Scorer& scorer, Take take) {
    return in_words(in_batches(self, [&](const auto& rows, std::size_t begin, std::size_t end) {
        auto fault = columns_fault(rows, begin, end);
        if (fault) return fault;
        double sum = 0.0;
        scorer.each(rows, begin, end, [&](std::size_t example, std::span<const double> scores) {
            for (const double score : scores) sum += score - score;
            take(example, scores);
        });
        return sum == 0.0 ? fault : values_fault(rows, begin, end);
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
                   double counted, double constant, std::size_t classes, Ties ties,
                   nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out,
                   const Narrow* narrow) {
    require(out.size() == rows.count(), "a prediction for each row");
    Scorer scorer(rows, weights, missed, counted, constant, classes, narrow);
    std::int64_t* const winners = out.data();
    const bool last = ties == Ties::last;
    return score_rows(rows, scorer, [&](std::size_t example, std::span<const double> scores) {
        const double score = scores[0];
        winners[example] = scores.size() == 1
                               ? (score > 0.0) | ((score == 0.0) & last)  // not to be guessed
                               : static_cast<std::int64_t>(strongest(scores.first(classes)));
    });
}

double squared_length(FixedWeights weights) {
    const Plain each{{weights.data()}};
    return dot(weights.size(), weights.size(), each, each);
}

}  // namespace

void score_first(const AnyRows& rows, const Borrowed& weights, double counted, double constant,
                 double* scores) {
    with_weights(weights.weights, weights.missed, counted, [&](const auto& from) {
        std::visit(
            [&](const auto& kind) { score_row(kind, 0, from, weights.stride, constant, scores); },
            rows);
    });
}

void bind_scoring(nb::module_& m) {
    nb::class_<Narrow>(m, "Narrow")
        .def(
            "__init__",
            [](Narrow* self, FixedWeights weights, std::optional<FixedWeights> missed,
               double counted) {
                require(!missed || missed->size() == weights.size(), "as many sums as weights");
                nb::gil_scoped_release release;
                with_weights(weights.data(), missed ? missed->data() : nullptr, counted,
                             [&](const auto& from) { new (self) Narrow(from, weights.size()); });
            },
            "weights"_a.noconvert(), "missed"_a.noconvert().none(), "counted"_a);
    m.def("score", &score, "rows"_a, "weights"_a.noconvert(), "missed"_a.noconvert().none(),
          "counted"_a, "constant"_a, "out"_a.noconvert());
    m.def("predict", &predict, "rows"_a, "weights"_a.noconvert(), "missed"_a.noconvert().none(),
          "counted"_a, "constant"_a, "classes"_a, "ties"_a, "out"_a.noconvert(),
          "narrow"_a.none() = nb::none());
    m.def("squared_length", &squared_length, "weights"_a.noconvert());
}

}  // namespace rosenblatt
