// Scores and predictions.
#include "learning.hpp"
#include "multiclass.hpp"
#include "parts.hpp"
#include "weights.hpp"

namespace rosenblatt {

namespace {

template <class Visit>
auto with_weights(const double* weights, const double* missed, double counted, Visit visit) {
    return missed ? visit(Totalled{{{weights}}, {{missed}}, counted}) : visit(Plain{{weights}});
}

/// One score for two classes, else one for each of `stride` classes.
template <class R, class From>
void score_row(const R& rows, std::size_t example, const From& from, std::size_t stride,
               double constant, double* scores) {
    if (stride == 1)
        scores[0] = rows.dot(example, from, rows.fetch_on(example)) + constant * from[rows.width];
    else
        score_classes(rows, example, from, stride, constant, scores);
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

    /// take(example, scores) for each row.
    template <class R, class Take>
    void each(const R& rows, std::size_t begin, std::size_t end, Take take) {
        with_weights(weights, missed, counted, [&](const auto& from) {
            for (std::size_t example = begin; example < end; ++example) {
                score_row(rows, example, from, stride, constant, scores.data());
                take(example, std::span<const double>(scores));
            }
        });
    }
};

/// Scores every row; take(example, scores) for each. Columns are looked at before they are used,
/// values only if a score is not finite.
template <class Take>
FaultTuple score_rows(const Rows& self, Scorer& scorer, Take take) {
    return in_words(in_batches(self, [&](const auto& rows, std::size_t begin, std::size_t end) {
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
                   double counted, double constant, std::size_t classes, Ties ties,
                   nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out) {
    require(out.size() == rows.count(), "a prediction for each row");
    Scorer scorer(rows, weights, missed, counted, constant, classes);
    std::int64_t* const winners = out.data();
    return score_rows(rows, scorer, [&](std::size_t example, std::span<const double> scores) {
        winners[example] = scores.size() == 1
                               ? scores[0] > 0.0 || (scores[0] == 0.0 && ties == Ties::last)
                               : static_cast<std::int64_t>(strongest(scores.first(classes)));
    });
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
    m.def("score", &score, "rows"_a, "weights"_a.noconvert(), "missed"_a.noconvert().none(),
          "counted"_a, "constant"_a, "out"_a.noconvert());
    m.def("predict", &predict, "rows"_a, "weights"_a.noconvert(), "missed"_a.noconvert().none(),
          "counted"_a, "constant"_a, "classes"_a, "ties"_a, "out"_a.noconvert());
}

}  // namespace rosenblatt
