// Scores, rules and the loop, against hand-made traces and the plain twin.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "check.hpp"
#include "learn/orders.hpp"
#include "learn/twin.hpp"
#include "tables.hpp"

namespace core_tests {

using namespace rosenblatt;
using std::size_t;

template <class Rows>
Binary<Rows> binary_of(const Rows& rows, const Table& table) {
    return {rows, {.labels = wide(table), .framing = {1.0, false, false}}};
}

template <class Rows>
Multiclass<Rows> race_of(const Rows& rows, const Table& table, int classes) {
    const auto count = static_cast<size_t>(classes);
    return {rows,
            {.labels = wide(table), .framing = {1.0, false, false}, .classes = count},
            (count + 3) / 4 * 4};
}

inline void test_scores() {
    test("three to seventy classes are scored as by a plain loop", [] {
        Dice dice(7);
        for (size_t classes = 3; classes <= 70; ++classes) {
            const size_t width = 1 + classes % 11, stride = (classes + 3) / 4 * 4;
            const Table table = random_table(dice, 3, width, 3);
            std::vector<double> w((width + 1) * stride), u(w.size());
            for (double& weight : w) weight = dice.below(9) - 4;
            for (double& missed : u) missed = dice.below(9) - 4;
            in_some_forms(table, [&](const auto& rows) {
                std::vector<double> plain(stride), totalled(stride);
                for (size_t row = 0; row < table.count; ++row) {
                    score_classes(rows, OneExample(&row, 1), Plain{{w.data()}}, stride, 2.0,
                                  plain.data());
                    score_classes(rows, OneExample(&row, 1),
                                  Totalled{{{w.data()}}, {{u.data()}}, 5.0}, stride, 2.0,
                                  totalled.data());
                    for (size_t k = 0; k < stride; ++k) {
                        double own = 2 * w[width * stride + k], other = 2 * u[width * stride + k];
                        for (size_t i = 0; i < width; ++i) {
                            own += table.at(row, i) * w[i * stride + k];
                            other += table.at(row, i) * u[i * stride + k];
                        }
                        CHECK(plain[k] == own);
                        CHECK(totalled[k] == 5 * own - other);
                    }
                }
            });
        }
    });

    test("rows scored together have the scores that each has alone, to the last bit", [] {
        Dice dice(8);
        for (size_t classes = 3; classes <= 60; ++classes) {
            const size_t width = 3 * classes + classes % 7, stride = (classes + 3) / 4 * 4;
            Table table = random_table(dice, most_together<Dense<double>>, width, 3);
            for (double& value : table.values) value /= 3.0;
            std::vector<double> w((width + 1) * stride);
            for (double& weight : w) weight = (dice.below(99) - 49) / 7.0;
            const DenseCopy<double> copy(table);
            const std::vector<size_t> examples{2, 0, 3, 1};
            for (size_t count = 1; count <= examples.size(); ++count) {
                std::vector<double> together(count * stride), alone(stride);
                score_classes(copy.rows, SomeExamples(examples).first(count), Plain{{w.data()}},
                              stride, 0.1, together.data());
                for (size_t k = 0; k < count; ++k) {
                    score_classes(copy.rows, OneExample(&examples[k], 1), Plain{{w.data()}}, stride,
                                  0.1, alone.data());
                    CHECK(std::equal(alone.begin(), alone.end(), together.begin() + k * stride));
                }
            }
        }
    });

    test("zeros are passed over without a trace, in stretches or one by one", [] {
        Dice dice(10);
        for (int classes : {3, 10, 30})
            for (size_t width : {1, 5, 8, 23, 64, 200, 1023, 1024, 1033}) {
                const size_t stride = static_cast<size_t>(classes + 3) / 4 * 4;
                Table table = random_table(dice, 60, width, classes);
                for (size_t from = 0; from + 16 <= table.values.size(); from += 16)
                    if (dice.coin()) std::fill_n(table.values.begin() + from, 16, 0.0);
                for (double& value : table.values) value /= 3.0;
                Table looked_at = table;  // a zero below zero has a bit that is set
                for (double& value : looked_at.values)
                    if (value == 0.0) value = -0.0;
                const auto learn_from = [&](auto rows, bool mostly_zeros) {
                    rows.mostly_zeros = mostly_zeros;
                    const auto race = race_of(rows, table, classes);
                    std::vector<double> w((width + 1) * stride), missed(w.size());
                    learn(race, PassiveAggressiveRule{1.0, 0.0},
                          Mover{Additive{}, Flat{}, Averaged{missed.data()}, w.data()},
                          Walk{{}, 0, table.count, 1}, {});
                    w.insert(w.end(), missed.begin(), missed.end());
                    return w;
                };
                const DenseCopy<double> copy(table), with_bits(looked_at);
                const auto expected = learn_from(with_bits.rows, false);
                CHECK(learn_from(copy.rows, false) == expected);
                CHECK(learn_from(copy.rows, true) == expected);
                CHECK(learn_from(with_bits.rows, true) == expected);
                const DenseCopy<float> single(table);
                CHECK(learn_from(single.rows, true) == learn_from(single.rows, false));
            }
    });

    test("rows are said to be mostly zeros when more than half of some values are", [] {
        const auto are = [](std::vector<float> values, size_t count) {
            const size_t width = count ? values.size() / count : 3;
            const Dense<float> rows{values.data(), static_cast<std::ptrdiff_t>(width), count,
                                    width};
            return rows.with_zeros_noticed().mostly_zeros;
        };
        CHECK(are({0, 1, 0}, 1) && are({0, 0, 1, 1, 0, -0.0f}, 2));
        CHECK(!are({0, 1, 0, 1}, 1) && !are({}, 0) && !are({}, 2));
        std::vector<float> many(1000, 0.0f);
        std::fill_n(many.begin(), 400, 1.0f);
        CHECK(are(many, 1000) && are(many, 10));
        std::fill_n(many.begin(), 600, 1.0f);
        CHECK(!are(many, 1000) && !are(many, 10));
    });

    test("scores worked out ahead are forgotten at every step", [] {
        Dice dice(9);
        for (int classes : {3, 10, 30})
            for (int kept = 1; kept <= 32; kept *= 2) {  // as many rows for each that is wrong
                const size_t width = 20, stride = static_cast<size_t>(classes + 3) / 4 * 4;
                Table table = random_table(dice, 200, width, classes);
                for (size_t row = 0; row < table.count; ++row)
                    if (dice.below(kept) > 0) {
                        table.labels[row] = static_cast<std::int32_t>(row) % classes;
                        table.values[row * width + row % static_cast<size_t>(classes) % width] = 99;
                    }
                const DenseCopy<double> copy(table);
                const auto race = race_of(copy.rows, table, classes);
                std::vector<std::uint32_t> drawn(table.count);
                draw_order(drawn, 1, 0);
                for (const Order order : {Order{}, Order{drawn}}) {
                    std::vector<double> at_once((width + 1) * stride), one_by_one(at_once.size());
                    const auto walk = [&](std::vector<double>& w, size_t from, size_t to) {
                        return learn(race, PerceptronRule{},
                                     Mover{Additive{}, Flat{}, Last{}, w.data()},
                                     Walk{order, from, to, 1}, {})
                            .updates;
                    };
                    std::int64_t steps = 0;
                    for (size_t position = 0; position < table.count; ++position)
                        steps += walk(one_by_one, position, position + 1);
                    CHECK(walk(at_once, 0, table.count) == steps);
                    CHECK(at_once == one_by_one);
                }
            }
    });

    test("values are checked as they are learned from", [] {
        const double above = std::nextafter(largest_value, 1e80), none = std::nan("");
        const double endless = std::numeric_limits<double>::infinity();
        for (const int classes : {2, 3})
            for (const double bad : {0.0, above, -above, endless, -endless, none})
                for (const bool checked : {true, false}) {
                    const Table table = table_of({{1, 0, largest_value, -largest_value},
                                                  {2, 1, 0, 0},
                                                  {0, bad, 0, 0},
                                                  {1, 1, 1, 1}},
                                                 {0, 1, 1, 0});
                    const auto learn_from = [&](const auto& rows) {
                        std::vector<double> weights(5 * (classes == 2 ? 1 : 4));
                        const auto found = [&](auto problem) {
                            problem.terms.check_values = checked;
                            return learn(problem, PerceptronRule{},
                                         Mover{Additive{}, Flat{}, Last{}, weights.data()},
                                         Walk{{}, 0, 4, 1}, {});
                        };
                        const Tally tally = classes == 2 ? found(binary_of(rows, table))
                                                         : found(race_of(rows, table, classes));
                        if (bad == 0.0) CHECK(tally.overflow == -1 && tally.examples == 4);
                        if (checked && bad != 0.0)
                            CHECK(tally.overflow == 2 && tally.examples == 2);
                        // Not checked, a large number is one like others; what is none at all
                        // still ends the walk before a weight is lost to it.
                        if (!checked && std::isfinite(bad)) CHECK(tally.overflow == -1);
                        if (!checked && !std::isfinite(bad)) CHECK(tally.overflow == 2);
                        for (const double weight : weights) CHECK(std::isfinite(weight));
                    };
                    learn_from(DenseCopy<double>(table).rows);
                    learn_from(CsrCopy<double, std::int32_t>(table).rows());
                }
    });

    test("the strongest class is the first of the best", [] {
        CHECK(strongest(std::vector<double>{1, 3, 3, 2}) == 1);
        CHECK(strongest(std::vector<double>{0, 0, 0}) == 0);
        CHECK(strongest(std::vector<double>{-1, -2, -1}) == 0);
    });

    test("a tie is a mistake, or goes to the class that comes first or last", [] {
        CHECK(lost(Ties::mistake, 0.0, 0, 1) && lost(Ties::mistake, 0.0, 1, 0));
        CHECK(!lost(Ties::first, 0.0, 0, 1) && lost(Ties::first, 0.0, 1, 0));
        CHECK(lost(Ties::last, 0.0, 0, 1) && !lost(Ties::last, 0.0, 1, 0));
        CHECK(lost(Ties::first, -1e-300, 0, 1) && !lost(Ties::mistake, 1e-300, 1, 0));
    });

    test("the weakest right class meets the strongest other; all or none have no rival", [] {
        Dice dice(11);
        for (size_t classes = 2; classes <= 9; ++classes) {
            const size_t width = 6, stride = (classes + 3) / 4 * 4;
            const Table table = random_table(dice, 20, width, 2);
            std::vector<double> w((width + 1) * stride);
            for (size_t slot = 0; slot < w.size(); ++slot)
                if (slot % stride < classes) w[slot] = dice.below(9) - 4;
            std::vector<std::int32_t> numbers;
            std::vector<std::int64_t> indptr{0};
            for (size_t row = 0; row < table.count; ++row) {
                for (size_t k = 0; k < classes; ++k)
                    if (row < 2 ? row == 0 : dice.coin()) numbers.push_back(static_cast<int>(k));
                indptr.push_back(static_cast<std::int64_t>(numbers.size()));
            }
            in_some_forms(table, [&](const auto& rows) {
                Multiclass race{rows,
                                Terms{.labels = {nullptr, numbers.data(), indptr.data()},
                                      .framing = {1.0, false, false},
                                      .classes = classes},
                                stride};
                for (size_t row = 0; row < table.count; ++row) {
                    double weakest = 1e9, strongest = -1e9;
                    for (size_t k = 0; k < classes; ++k) {
                        double score = w[width * stride + k];
                        for (size_t i = 0; i < width; ++i)
                            score += table.at(row, i) * w[i * stride + k];
                        const auto own = race.terms.labels.of(row);
                        if (std::ranges::count(own, static_cast<int>(k)))
                            weakest = std::min(weakest, score);
                        else
                            strongest = std::max(strongest, score);
                    }
                    const Verdict verdict =
                        race.judge(Walk{{}, row, table.count, 1}, PerceptronRule{}, w.data());
                    if (weakest == 1e9 || strongest == -1e9)
                        CHECK(verdict.margin == unopposed && !verdict.mistake);
                    else
                        CHECK(verdict.margin == weakest - strongest);
                }
            });
        }
    });

    test("a number is come closer to by a step towards it, unless it is near enough", [] {
        const Table table = table_of({{3, 4}, {3, 4}, {3, 4}}, {0, 0, 0});
        const DenseCopy<double> copy(table);
        const std::vector<double> targets{50, -25, 0.1};
        Regression<Dense<double>> problem{{copy.rows, {{}, {}, {}, {}, 2, false, targets.data()}}};
        const double infinity = std::numeric_limits<double>::infinity();
        std::vector<double> w(3);
        const auto walk = [&](size_t row) {
            return learn(problem, PassiveAggressiveRule{infinity, 0.0, {}, -0.5},
                         Mover{Additive{}, Flat{}, Last{}, w.data()}, Walk{{}, row, row + 1, 1},
                         {});
        };
        CHECK(walk(0).mistakes == 1 && 3 * w[0] + 4 * w[1] == 49.5);
        CHECK(walk(1).mistakes == 1 && 3 * w[0] + 4 * w[1] == -24.5);
        w = {0, 0, 0};
        CHECK(walk(2).updates == 0 && w == std::vector<double>(3));
    });

    test("labels of one byte and of four say the same", [] {
        const Table table = table_of({{}, {}, {}}, {0, 255, 7});
        for (size_t row = 0; row < 3; ++row)
            CHECK(wide(table)[row] == bytes(table)[row] &&
                  wide(table)[row] == static_cast<size_t>(table.labels[row]));
    });

    test("importance multiplies that of the class and of the example", [] {
        const std::vector<double> of_class{2, 3}, of_example{5, 7};
        CHECK(Importance{nullptr, nullptr}(1, 1) == 1);
        CHECK(Importance{of_class.data(), nullptr}(1, 0) == 2);
        CHECK(Importance{nullptr, of_example.data()}(1, 0) == 7);
        CHECK(Importance{of_class.data(), of_example.data()}(0, 1) == 15);
    });

    test("an example is scaled to length one unless it has none (B2)", [] {
        const std::vector<double> values{2.0, 0.0, 1e-200};
        const Dense<double> rows{values.data(), 1, 3, 1};
        const Framing framing{0.0, false, true};
        CHECK(framing.scale(rows, 0, 4.0) == 0.5);
        CHECK(framing.scale(rows, 1, 0.0) == 0.0);
        CHECK(std::isnan(framing.scale(rows, 2, 0.0)));  // too short for its square
        CHECK(std::isnan(framing.scale(rows, 0, std::numeric_limits<double>::infinity())));
        CHECK((Framing{0.0, false, false}.scale(rows, 2, 0.0)) == 1.0);
    });

    test("the perceptron steps by one after a mistake, and only then", [] {
        const auto norm = [] { return 9.0; };
        CHECK(PerceptronRule{}.step(Verdict{-5, true, 1, 0, 1}, norm) == 1);
        CHECK(PerceptronRule{}.step(Verdict{0.1, false, 1, 0, 1}, norm) == 0);
    });

    test("a passive-aggressive step restores a margin of one, held back by C", [] {
        const double infinity = std::numeric_limits<double>::infinity();
        const auto norm = [] { return 2.0; };
        const auto none = [] { return 0.0; };
        const Verdict wrong{-3, true, 1, 0, 1}, barely{0.5, false, 1, 0, 1},
            clear{1, false, 1, 0, 1};
        CHECK(PassiveAggressiveRule{infinity, 0}.step(wrong, norm) == 2);
        CHECK(PassiveAggressiveRule{infinity, 0}.step(barely, norm) == 0.25);
        CHECK(PassiveAggressiveRule{infinity, 0}.step(clear, norm) == 0);
        CHECK(PassiveAggressiveRule{0.5, 0}.step(wrong, norm) == 0.5);
        CHECK(PassiveAggressiveRule{infinity, 2}.step(wrong, norm) == 1);
        CHECK(PassiveAggressiveRule{infinity, 0}.step(wrong, none) == 0);
        CHECK(std::isnan(PassiveAggressiveRule{1, 0}.step(wrong, [&] { return infinity; })));
    });
}

inline void walk(Learned& learned, const Table& table, const Manner& how, int passes = 1) {
    const DenseCopy<double> copy(table);
    for (int pass = 0; pass < passes; ++pass)
        learned.learn(copy.rows, wide(table), how, as_stored, 0, table.count);
}

inline void test_traces() {
    const Table three = table_of({{1, 1}, {2, 0}, {0, 1}}, {1, 0, 1});

    test("Algorithm 5 by hand (L5)", [&] {
        Learned learned(2, 2);
        const std::vector<std::vector<double>> after{
            {-1, 1, 0}, {-2, 2, 0}, {-1, 3, 1}, {-1, 3, 1}};
        const std::vector<std::int64_t> updates{2, 4, 5, 5};
        for (size_t pass = 0; pass < 4; ++pass) {
            walk(learned, three, {});
            CHECK(learned.weights == after[pass]);
            CHECK(learned.tally.updates == updates[pass]);
        }
    });

    test("Algorithm 7 by hand (C25): the mean of w_0 ... w_3", [&] {
        Learned learned(2, 2);
        walk(learned, three, {});
        CHECK(learned.missed == std::vector<double>{-3, 1, -1});
        CHECK(learned.total(1, 0) / 4 == -0.25 && learned.total(1, 1) / 4 == 0.75);
        CHECK(learned.total(1, 2) / 4 == 0.25);
    });

    test("K4 by hand: the rival is the first of the best wrong classes, all weights sum to zero",
         [] {
             const Table table = table_of({{1, 0}, {0, 1}, {1, 1}}, {0, 1, 2});
             Learned learned(2, 3);
             walk(learned, table, {});
             const std::vector<double> by_feature{0, -1, 1, 0, -2, 1, 1, 0, -1, 0, 1, 0};
             CHECK(learned.weights == by_feature);
             CHECK(learned.journal.size() == 3);
             CHECK(learned.journal[0].rival == 1 && learned.journal[1].rival == 0 &&
                   learned.journal[2].rival == 0);
         });

    test("K4 with the tie to the first class leaves the first example alone (A5 no. 2)", [] {
        const Table table = table_of({{1, 0}, {0, 1}, {1, 1}}, {0, 1, 2});
        Manner how;
        how.ties_are_mistakes = false;
        Learned learned(2, 3);
        walk(learned, table, how);
        CHECK(learned.journal[0].example == 1 && learned.journal[0].rival == 0);
        CHECK(learned.tally.mistakes == learned.tally.updates);
    });

    test("XOR with a third feature takes 12 passes and 29 updates (C30)", [] {
        const Table table = table_of({{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}}, {0, 1, 1, 0});
        Learned learned(3, 2);
        walk(learned, table, {}, 11);
        CHECK(learned.tally.updates == 29);
        walk(learned, table, {});
        CHECK(learned.tally.updates == 29);
        CHECK(learned.weights == std::vector<double>{2, 2, -5, -1});
        CHECK(learned.tally.steps == 29 && learned.tally.smallest == 1);
    });

    test("without features only the intercept moves, for ever (C17)", [] {
        const Table table = table_of({{}, {}}, {1, 0});
        in_some_forms(table, [&](const auto& rows) {
            Learned learned(0, 2);
            for (int pass = 1; pass <= 5; ++pass) {
                learned.learn(rows, wide(table), {}, as_stored, 0, 1);
                CHECK(learned.weights == std::vector<double>{1});
                learned.learn(rows, wide(table), {}, as_stored, 1, 2);
                CHECK(learned.weights == std::vector<double>{0});
            }
        });
    });

    test("an unheld passive-aggressive step lands on a margin of one", [] {
        Manner how;
        how.passive_aggressive = true;
        how.cap = std::numeric_limits<double>::infinity();
        Learned two(2, 2), four_classes(2, 4);
        walk(two, table_of({{1, 0}}, {1}), how);
        CHECK(two.weights == std::vector<double>{0.5, 0, 0.5});
        walk(four_classes, table_of({{1, 0}}, {2}), how);
        CHECK(four_classes.journal[0].step == 0.25);
        CHECK(four_classes.weights[2] - four_classes.weights[0] + four_classes.weights[8 + 2] -
                  four_classes.weights[8] ==
              1.0);
    });

    test("no examples change nothing", [] {
        const Table table = table_of({}, {});
        Learned learned(0, 3);
        walk(learned, table, {});
        CHECK(learned.tally.examples == 0 && learned.tally.overflow == -1);
    });
}

inline Manner random_manner(Dice& dice, const Table& table, size_t classes) {
    Manner how;
    how.passive_aggressive = dice.coin();
    if (dice.coin()) how.cap = std::numeric_limits<double>::infinity();
    if (dice.coin()) how.damping = 0.5;
    how.constant = dice.below(4) ? 1.0 : 0.0;
    how.unit_length = !dice.below(4);
    how.ties_are_mistakes = dice.coin();
    if (!dice.below(3))
        for (size_t k = 0; k < classes; ++k) how.of_class.push_back(dice.below(4));
    if (!dice.below(3))
        for (size_t row = 0; row < table.count; ++row) how.of_example.push_back(dice.below(4));
    return how;
}

/// As stored, or shuffled.
struct RandomOrder {
    std::vector<std::uint32_t> rows;
    bool stored = false;

    RandomOrder(Dice& dice, size_t count) : rows(counted_up(count)) {
        stored = dice.below(3) == 0;
        if (!stored) draw_order(rows, static_cast<std::uint64_t>(dice.below(1000)), 0);
    }
    Order walked() const { return stored ? as_stored : Order{rows}; }
};

inline void test_learning() {
    test("learning is what the plain twin does, in every order and manner", [] {
        Dice dice(8);
        for (int round = 0; round < 300; ++round) {
            const auto classes = static_cast<size_t>(2 + dice.below(round % 10 ? 5 : 40));
            const auto count = static_cast<size_t>(1 + dice.below(round % 10 ? 30 : 150));
            const Table table = random_table(dice, count, static_cast<size_t>(dice.below(24)),
                                             static_cast<int>(classes));
            Manner how = random_manner(dice, table, classes);
            how.passive_aggressive = how.unit_length = false;  // so that numbers stay whole
            const RandomOrder order(dice, count);
            Twin twin(table.width, classes);
            twin.learn(table, how, order.rows);
            in_some_forms(table, [&](const auto& rows) {
                Learned learned(table.width, classes);
                learned.learn(rows, dice.coin() ? wide(table) : bytes(table), how, order.walked(),
                              0, count);
                CHECK(learned.tally.examples == static_cast<std::int64_t>(count));
                CHECK(same(learned, twin, true));
            });
        }
    });

    test("passive-aggressive and unit-length steps are close to the plain twin's", [] {
        Dice dice(9);
        for (int round = 0; round < 300; ++round) {
            const auto classes = static_cast<size_t>(2 + dice.below(6));
            const auto count = static_cast<size_t>(1 + dice.below(12));
            Table table = random_table(dice, count, 1 + static_cast<size_t>(dice.below(24)),
                                       static_cast<int>(classes));
            // Values that are no multiples of each other keep clear of ties and margins of one.
            for (double& value : table.values) value = static_cast<float>(value + dice.real());
            Manner how = random_manner(dice, table, classes);
            if (!how.unit_length) how.passive_aggressive = true;
            how.cap = 0.25;
            const auto order = counted_up(count);
            Twin twin(table.width, classes);
            twin.learn(table, how, order);
            in_some_forms(table, [&](const auto& rows) {
                Learned learned(table.width, classes);
                learned.learn(rows, wide(table), how, as_stored, 0, count);
                CHECK(same(learned, twin, false));
            });
        }
    });

    test("a pass cut into pieces is the pass, bit for bit", [] {
        Dice dice(10);
        for (int round = 0; round < 100; ++round) {
            const auto classes = static_cast<size_t>(2 + dice.below(4));
            const size_t count = 80;
            Table table = random_table(dice, count, 11, static_cast<int>(classes));
            for (double& value : table.values) value = static_cast<float>(value * dice.real());
            const Manner how = random_manner(dice, table, classes);
            const RandomOrder order(dice, count);
            in_some_forms(table, [&](const auto& rows) {
                Learned whole(11, classes), pieces(11, classes);
                whole.learn(rows, wide(table), how, order.walked(), 0, count);
                for (size_t begin = 0; begin < count;) {
                    const auto end = std::min(count, begin + static_cast<size_t>(dice.below(9)));
                    pieces.learn(rows, wide(table), how, order.walked(), begin, end);
                    begin = end;
                }
                CHECK(whole.weights == pieces.weights && whole.missed == pieces.missed);
                CHECK(whole.tally.updates == pieces.tally.updates);
                CHECK(whole.tally.mistakes == pieces.tally.mistakes);
                CHECK(whole.tally.steps == pieces.tally.steps);
                CHECK(whole.journal.size() == pieces.journal.size());
            });
        }
    });

    test("averaging and the journal leave the weights as they are", [] {
        Dice dice(11);
        const Table table = random_table(dice, 50, 9, 5);
        const CsrCopy<float, std::int32_t> copy(table);
        Learned averaged(9, 5), last(9, 5);
        averaged.learn(copy.rows(), wide(table), {}, as_stored, 0, 50);
        learn(race_of(copy.rows(), table, 5), PerceptronRule{},
              Mover{Additive{}, Flat{}, Last{}, last.weights.data()}, Walk{{}, 0, 50, 1}, {});
        CHECK(last.weights == averaged.weights);
    });

    test("a column that comes twice in a row is moved twice", [] {
        const std::vector<double> values{1, 2, 3, 4, 5, 6};
        const std::vector<std::int32_t> columns{1, 1, 0, 1, 0, 1}, indptr{0, 6};
        const std::uint8_t label = 1;
        const Binary<Csr<double, std::int32_t>> problem{
            {values, columns, indptr, 1, 2},
            {.labels = {&label}, .framing = {1.0, false, false}, .check_values = true}};
        std::vector<double> weights(3), missed(3);
        learn(problem, PerceptronRule{},
              Mover{Additive{}, Flat{}, Averaged{missed.data()}, weights.data()}, Walk{{}, 0, 1, 7},
              {});
        CHECK(weights == (std::vector<double>{8, 13, 1}));
        CHECK(missed == (std::vector<double>{56, 91, 7}));
    });

    test("single-precision weights tell clear examples and change nothing", [] {
        Dice dice(14);
        using Rows = Csr<double, std::int64_t>;
        const double tiny = 1e-160, large = 1e60;
        for (int round = 0; round < 60; ++round) {
            const int classes = 3 + round % 11;
            const size_t width = 12, count = 150;
            Table table = random_table(dice, count, width, classes);
            const double size = round % 5 == 3 ? tiny : round % 5 == 4 ? large : 1.0;
            for (size_t row = 0; row < count; ++row) {  // most labels can be learned, some cannot
                for (size_t k = 0; k < width; ++k)
                    table.values[row * width + k] *= size * (round % 2 ? dice.real() : 0.125);
                if (dice.below(8) > 0)
                    table.values[row * width + size_t(table.labels[row]) % width] = 9 * size;
            }
            const CsrCopy<double, std::int64_t> copy(table);
            for (const bool unit_length : {false, true}) {
                auto race = race_of(copy.rows(), table, classes);
                race.terms.framing.unit_length = unit_length;
                race.terms.check_values = true;
                Learned exact(width, classes), rounded(width, classes);
                const auto learn_with = [&](const Multiclass<Rows>& problem, Learned& learned,
                                            auto memory, size_t pass) {
                    return learn(problem, PerceptronRule{},
                                 Mover{Additive{}, Flat{}, memory, learned.weights.data()},
                                 Walk{{}, 0, count, std::int64_t(pass * count) + 1}, {});
                };
                SinglePrecision float32(rounded.weights.data(), rounded.weights.size());
                for (size_t pass = 0; pass < 6; ++pass) {
                    race.float32 = nullptr;
                    const Averaged sums{exact.missed.data()};
                    const Tally one = learn_with(race, exact, sums, pass);
                    race.float32 = &float32;
                    const Averaged others{rounded.missed.data()};
                    const Tally other = learn_with(race, rounded, others, pass);
                    CHECK(exact.weights == rounded.weights && exact.missed == rounded.missed);
                    CHECK(one.updates == other.updates && one.mistakes == other.mistakes);
                    CHECK(one.smallest == other.smallest && one.steps == other.steps);
                    CHECK(one.overflow == other.overflow && one.examples == other.examples);
                }
                for (size_t slot = 0; slot < float32.slots(); ++slot)
                    CHECK(float32.weights()[slot] ==
                          static_cast<double>(static_cast<float>(rounded.weights[slot])));
            }
        }
    });

    test("single-precision weights are asked: others would mislead", [] {
        const Table table = table_of({{1, 0}, {0, 1}, {1, 0}}, {0, 1, 2});
        const CsrCopy<double, std::int32_t> copy(table);
        auto race = race_of(copy.rows(), table, 3);
        std::vector<double> weights(12), others(12);
        others[0] = others[5] = 1000.0;  // each class seems to win its own row
        others[2] = 2000.0;
        SinglePrecision misleading(others.data(), others.size());
        race.float32 = &misleading;
        const Tally tally =
            learn(race, PerceptronRule{}, Mover{Additive{}, Flat{}, Last{}, weights.data()},
                  Walk{{}, 0, 3, 1}, {});
        CHECK(tally.updates == 1);  // the first margin is exact, as no smaller one is known
    });

    test("the columns that fill up the classes to fours stay zero", [] {
        Dice dice(12);
        for (size_t classes = 3; classes <= 70; ++classes) {
            const Table table = random_table(dice, 20, 5, static_cast<int>(classes));
            const CsrCopy<double, std::int64_t> copy(table);
            Learned learned(5, classes);
            learned.learn(copy.rows(), wide(table), {}, as_stored, 0, 20);
            double sum = 0;
            for (size_t slot = 0; slot < learned.weights.size(); ++slot) {
                sum += learned.weights[slot];
                if (slot % learned.stride >= classes)
                    CHECK(learned.weights[slot] == 0 && learned.missed[slot] == 0);
            }
            CHECK(sum == 0);
        }
    });

    test("a step too long stops before it, and says where", [] {
        const Table table = table_of({{1, 0}, {0, 1}, {1, 1}}, {1, 0, 1});
        for (const double huge : {1e200, std::numeric_limits<double>::infinity()})
            in_some_forms(table, [&](const auto& rows) {
                Manner how;
                how.of_example = {1, huge, 1};
                Learned learned(2, 2);
                learned.learn(rows, wide(table), how, as_stored, 0, 3);
                CHECK(learned.tally.overflow == 1);
                CHECK(learned.tally.examples == 1 && learned.tally.updates == 1);
                CHECK(learned.weights == std::vector<double>{1, 0, 1});
            });
    });

    test("a margin that is no number stops learning", [] {
        const Table table = table_of({{1, 1}}, {1});
        const double infinity = std::numeric_limits<double>::infinity();
        in_some_forms(table, [&](const auto& rows) {
            for (const size_t classes : {2, 3}) {
                Learned learned(2, classes);
                learned.weights[0] = infinity;
                learned.weights[learned.stride] = -infinity;
                learned.learn(rows, wide(table), {}, as_stored, 0, 1);
                CHECK(learned.tally.overflow == 0 && learned.tally.examples == 0);
            }
        });
    });

    test("tiny examples overflow the passive-aggressive step, and are reported", [] {
        const Table table = table_of({{1e-160}}, {1});
        const DenseCopy<double> copy(table);
        Manner how;
        how.passive_aggressive = true;
        how.cap = std::numeric_limits<double>::infinity();
        how.constant = 0;
        Learned learned(1, 2);
        learned.learn(copy.rows, wide(table), how, as_stored, 0, 1);
        CHECK(learned.tally.overflow == 0 && learned.weights == std::vector<double>(2));
    });
}

}  // namespace core_tests
