// Rows of kernel values: the dual form against the primal one, and budgets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "check.hpp"
#include "learn/binary.hpp"
#include "learn/budget.hpp"
#include "learn/dual.hpp"
#include "learn/learn.hpp"
#include "learn/memory.hpp"
#include "learn/rules.hpp"
#include "learn/twin.hpp"
#include "tables.hpp"

namespace core_tests {

using namespace rosenblatt;
using std::size_t;

/// All examples of a table as candidates, seen through the linear kernel.
struct Gram {
    std::vector<double> values;
    std::vector<std::int32_t> own;
    DualRows rows;

    explicit Gram(const Table& table) {
        const size_t n = table.count;
        for (size_t i = 0; i < n; ++i) {
            own.push_back(static_cast<std::int32_t>(i));
            for (size_t j = 0; j < n; ++j) {
                double product = 0;
                for (size_t k = 0; k < table.width; ++k) product += table.at(i, k) * table.at(j, k);
                values.push_back(product);
            }
        }
        rows = {{values.data(), static_cast<std::ptrdiff_t>(n), n, n}, own.data()};
    }
};

/// The weights of the features that these coefficients of the examples make.
inline Learned primal(const Table& table, const Learned& dual) {
    Learned made(table.width, dual.classes);
    made.tally = dual.tally;
    made.journal = dual.journal;
    const size_t stride = dual.stride, n = table.count;
    const auto sum_up = [&](const std::vector<double>& from, std::vector<double>& to) {
        for (size_t k = 0; k < stride; ++k) {
            for (size_t row = 0; row < n; ++row)
                for (size_t i = 0; i < table.width; ++i)
                    to[i * stride + k] += table.at(row, i) * from[row * stride + k];
            to[table.width * stride + k] = from[n * stride + k];
        }
    };
    sum_up(dual.weights, made.weights);
    sum_up(dual.missed, made.missed);
    return made;
}

inline void test_dual() {
    test("the dual form with the linear kernel is the primal one", [] {
        Dice dice(31);
        for (int round = 0; round < 60; ++round) {
            const int classes = 2 + round % 5;
            const Table table = random_table(dice, 1 + dice.below(20), dice.below(7), classes);
            const Gram gram(table);
            Manner how;
            how.constant = dice.below(2);
            how.ties_are_mistakes = dice.coin();
            how.unit_length = round % 3 == 0;
            how.passive_aggressive = round % 4 == 0;
            Learned dual(table.count, static_cast<size_t>(classes));
            Twin twin(table.width, static_cast<size_t>(classes));
            for (int pass = 0; pass < 3; ++pass) {
                dual.learn(gram.rows, wide(table), how, as_stored, 0, table.count);
                twin.learn(table, how, counted_up(table.count),
                           1 + pass * static_cast<std::int64_t>(table.count));
            }
            CHECK(same(primal(table, dual), twin, !how.unit_length && !how.passive_aggressive));
        }
    });

    test("a step moves the example's own coefficient and the constant's, and nothing else", [] {
        const std::vector<double> values{5, 7, 9};
        const std::vector<std::int32_t> own{2};
        const DualRows rows{{values.data(), 3, 1, 3}, own.data()};
        const std::vector<std::int32_t> labels{1};
        const Binary<DualRows> problem{rows,
                                       {.labels = {nullptr, labels.data()},
                                        .framing = {1.0, false, false},
                                        .check_values = true}};
        std::vector<double> weights(4);
        learn(problem, PerceptronRule{}, Mover{Additive{}, Flat{}, Last{}, weights.data()},
              Walk{{}, 0, 1, 1}, {});
        CHECK(weights == std::vector<double>{0, 0, 1, 1});
        CHECK(rows.squared_norm(0) == 9);
    });

    test("a budget is never exceeded, and what is forgotten leaves nothing behind", [] {
        Dice dice(37);
        for (int round = 0; round < 40; ++round) {
            const int classes = 2 + round % 3;
            const size_t stride = classes == 2 ? 1 : 4, limit = 1 + size_t(dice.below(6));
            const Table table = random_table(dice, 40, 3, classes);
            const Gram gram(table);
            std::vector<double> weights((table.count + 1) * stride);
            Budget budget{limit, 5, {}};
            const auto run = [&](const auto& problem) {
                for (size_t row = 0; row < table.count; ++row) {
                    const Budgeted memory{&budget, table.count, stride, 1.0};
                    learn(problem, PerceptronRule{},
                          Mover{Additive{}, Flat{}, memory, weights.data()},
                          Walk{{}, row, row + 1, std::int64_t(row) + 1}, {});
                    CHECK(budget.supports.size() <= limit);
                }
            };
            const Terms terms{
                .labels = wide(table), .framing = {1.0, false, false}, .classes = size_t(classes)};
            if (classes == 2)
                run(Binary<DualRows>{gram.rows, terms});
            else
                run(Multiclass<DualRows>{gram.rows, terms, stride});
            const std::set<size_t> held(budget.supports.begin(), budget.supports.end());
            CHECK(held.size() == budget.supports.size());
            for (size_t k = 0; k < stride; ++k) {
                double sum = 0;
                for (size_t row = 0; row < table.count; ++row) {
                    if (!held.count(row)) CHECK(weights[row * stride + k] == 0);
                    sum += weights[row * stride + k];
                }
                CHECK(weights[table.count * stride + k] == sum);
            }
        }
    });

    test("each support is forgotten about equally often, the newcomer never", [] {
        std::vector<int> forgotten(4);
        for (std::uint64_t seed = 0; seed < 4000; ++seed) {
            std::vector<double> weights{1, 1, 1, 1, 1, 5};
            Budget budget{4, seed, {0, 1, 2, 3}};
            Budgeted{&budget, 5, 1, 1.0}.remember(weights.data(), 4, 1.0, 9.0);
            CHECK(budget.supports.size() == 4 && budget.supports.back() == 4);
            CHECK(weights[4] == 1 && weights[5] == 4);
            for (size_t row = 0; row < 4; ++row) forgotten[row] += weights[row] == 0;
        }
        CHECK(*std::min_element(forgotten.begin(), forgotten.end()) > 900);
        CHECK(*std::max_element(forgotten.begin(), forgotten.end()) < 1100);
    });
}

}  // namespace core_tests
