// What touches every number of the rows, the loop and the scores: compiled for each kind of rows in
// a file of its own, without Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "fast/single_precision.hpp"
#include "learn/budget.hpp"
#include "learn/dual.hpp"
#include "learn/examples.hpp"
#include "learn/forgetting.hpp"
#include "learn/record.hpp"
#include "learn/rules.hpp"
#include "learn/walk.hpp"
#include "rows/rows.hpp"

namespace rosenblatt {

using AnyRows =
    std::variant<Dense<float>, Dense<double>, Csr<float, std::int32_t>, Csr<float, std::int64_t>,
                 Csr<double, std::int32_t>, Csr<double, std::int64_t>, DualRows>;
using AnyRule =
    std::variant<PerceptronRule, PassiveAggressiveRule, WinnowRule, ArowRule, FullArowRule>;

/// Weights as the core borrows them: a row for each column and one, `stride` numbers each.
struct Borrowed {
    double* weights;
    double* missed;    // null without averaging
    double* sureness;  // null but for AROW
    std::size_t stride;
    double* covariance = nullptr;  // null but for AROW with all of them
    std::size_t room = 0;          // numbers from row to row of it
    Budget* budget = nullptr;      // of supports, for rows of kernel values
    SinglePrecision* float32 =
        nullptr;              // of the same weights, for several classes on compressed rows
    Forgetting forgetting{};  // of the average
};

/// What scores rows: the weights, or `counted` times their average.
struct Scorer {
    const double* weights;
    const double* missed;  // null without averaging
    double counted;
    std::size_t stride;
    double constant;
    std::size_t classes;
    const SinglePrecision* float32 = nullptr;
    std::vector<double> scores = std::vector<double>(stride);
    std::size_t undecided = 0;  // by the single-precision weights
};

template <class R>
struct Kind {
    /// One walk of the loop, for a rule and a memory of any kind.
    static Tally learn(const R& rows, const Terms& terms, const AnyRule& rule,
                       const Borrowed& weights, const Walk& walk, const Record& record);

    /// Scores some rows: calls of the same function write `columns` scores of each, or the class
    /// that wins. Tells whether all scores are finite.
    static bool score(const R& rows, std::size_t begin, std::size_t end, Scorer& scorer,
                      std::size_t columns, double* out);
    static bool predict(const R& rows, std::size_t begin, std::size_t end, Scorer& scorer,
                        Ties ties, std::int64_t* winners);

    /// The scores of one row, `counted` times too large: one for two classes, else `stride`.
    static void score_one(const R& rows, std::size_t example, const Scorer& scorer, double* scores);
};

}  // namespace rosenblatt
