// Scores and predictions.
#include "held_rows.hpp"
#include "parts.hpp"
#include "rows/dot.hpp"
#include "rows/scored_weights.hpp"

namespace rosenblatt {

namespace {

Scorer scorer_of(const Rows& rows, const FixedWeights& weights,
                 const std::optional<FixedWeights>& missed, double counted, double constant,
                 std::size_t classes, const SinglePrecision* float32 = nullptr) {
    const std::size_t stride = weights.shape(1);
    require_shapes(weights, missed, rows.width(), classes);
    require(!float32 || (stride > 1 && float32->slots() == weights.size()),
            "single-precision weights must be those of several classes");
    return {weights.data(), data_of(missed), counted, stride, constant, classes, float32};
}

/// Scores every row with score(kind, rows, begin, end). Columns are looked at before they are used,
/// values only if a score is not finite.
template <class Score>
FaultTuple score_rows(const Rows& self, Score score) {
    return in_words(
        in_batches(self, [&]<class R>(const R& rows, std::size_t begin, std::size_t end) {
            auto fault = columns_fault(rows, begin, end);
            if (!fault && !score(Kind<typename R::Scored>{}, rows, begin, end))
                fault = values_fault(rows, begin, end);
            return fault;
        }));
}

FaultTuple score(const Rows& rows, FixedWeights weights, std::optional<FixedWeights> missed,
                 double counted, double constant, Weights out) {
    const std::size_t columns = out.shape(1);
    require(out.shape(0) == rows.count(), "a row of scores for each row");
    Scorer scorer = scorer_of(rows, weights, missed, counted, constant, columns == 1 ? 2 : columns);
    double* const results = out.data();
    return score_rows(rows, [&](auto kind, const auto& some, std::size_t begin, std::size_t end) {
        return kind.score(some, begin, end, scorer, columns, results);
    });
}

FaultTuple predict(const Rows& rows, FixedWeights weights, std::optional<FixedWeights> missed,
                   double counted, double constant, std::size_t classes, Ties ties, Counts out,
                   const SinglePrecision* float32) {
    require(out.size() == rows.count(), "a prediction for each row");
    Scorer scorer = scorer_of(rows, weights, missed, counted, constant, classes, float32);
    std::int64_t* const winners = out.data();
    return score_rows(rows, [&](auto kind, const auto& some, std::size_t begin, std::size_t end) {
        return kind.predict(some, begin, end, scorer, ties, winners);
    });
}

double squared_length(FixedWeights weights) {
    const Plain each{{weights.data()}};
    return dot(weights.size(), weights.size(), each, each);
}

}  // namespace

void bind_scoring(nb::module_& m) {
    nb::class_<SinglePrecision>(m, "SinglePrecision")
        .def(
            "__init__",
            [](SinglePrecision* self, FixedWeights weights, std::optional<FixedWeights> missed,
               double counted) {
                require(!missed || missed->size() == weights.size(), "as many sums as weights");
                const Plain values{{weights.data()}};
                nb::gil_scoped_release release;
                if (missed)
                    new (self) SinglePrecision(Totalled{values, {{missed->data()}}, counted},
                                               weights.size());
                else
                    new (self) SinglePrecision(values, weights.size());
            },
            "weights"_a.noconvert(), "missed"_a.noconvert().none(), "counted"_a);
    m.def("score", &score, "rows"_a, "weights"_a.noconvert(), "missed"_a.noconvert().none(),
          "counted"_a, "constant"_a, "out"_a.noconvert());
    m.def("predict", &predict, "rows"_a, "weights"_a.noconvert(), "missed"_a.noconvert().none(),
          "counted"_a, "constant"_a, "classes"_a, "ties"_a, "out"_a.noconvert(),
          "float32"_a.none() = nb::none());
    m.def("squared_length", &squared_length, "weights"_a.noconvert());
}

}  // namespace rosenblatt
