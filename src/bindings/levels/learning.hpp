// The loop and the scores for rows of any kind, for every part of the bindings.
#pragma once

#include "fast/paired.hpp"
#include "fast/single_precision.hpp"
#include "held_rows.hpp"
#include "learn/budget.hpp"
#include "learn/examples.hpp"
#include "learn/record.hpp"
#include "learn/rules.hpp"
#include "learn/walk.hpp"

namespace rosenblatt {

using AnyRule = std::variant<PerceptronRule, PassiveAggressiveRule, WinnowRule, ArowRule>;

/// Weights as the core borrows them: a row for each column and one, `stride` numbers each.
struct Borrowed {
    double* weights;
    double* missed;    // null without averaging
    double* sureness;  // null but for AROW
    std::size_t stride;
    Budget* budget = nullptr;    // of supports, for rows of kernel values
    Narrow* narrow = nullptr;    // of the same weights, for a race on compressed rows
    KeptPairs* pairs = nullptr;  // where weights and sums may lie, if there are many examples
};

/// One walk of the loop over rows, rule and memory of any kind.
Tally learn_any(const AnyRows& rows, const Terms& terms, const AnyRule& rule,
                const Borrowed& weights, const Walk& walk, const Record& record);

/// The scores of the first row, `counted` times too large: one for two classes, else `stride`.
void score_first(const AnyRows& rows, const Borrowed& weights, double counted, double constant,
                 double* scores);

}  // namespace rosenblatt
