// Learning as on the slides, beside the core that it is compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "learn/binary.hpp"
#include "learn/learn.hpp"
#include "learn/memory.hpp"
#include "learn/multiclass.hpp"
#include "learn/regression.hpp"
#include "learn/rules.hpp"
#include "tables.hpp"

namespace core_tests {

using namespace rosenblatt;
using std::size_t;

/// How to learn: what the core takes apart into rule, framing, ties and importance.
struct Manner {
    bool passive_aggressive = false;
    double cap = 1.0, damping = 0.0;
    double constant = 1.0;
    bool unit_length = false;
    bool ties_are_mistakes = true;
    std::vector<double> of_class, of_example;

    PassiveAggressiveRule rule() const { return {cap, damping, {}}; }
    Framing framing() const { return {constant, false, unit_length}; }
    Importance importance() const {
        return {of_class.empty() ? nullptr : of_class.data(),
                of_example.empty() ? nullptr : of_example.data()};
    }
};

/// Weights by class, summed up after every example, as on the slides (K4, J5).
struct Twin {
    std::vector<std::vector<double>> weights, sum;
    std::vector<Mistake> journal;
    std::int64_t mistakes = 0;

    Twin(size_t width, size_t classes)
        : weights(classes, std::vector<double>(width + 1)), sum(weights) {}

    static double score(const std::vector<double>& w, const std::vector<double>& x) {
        return std::inner_product(x.begin(), x.end(), w.begin(), 0.0);
    }

    void learn(const Table& table, const Manner& how, const std::vector<std::uint32_t>& order,
               std::int64_t t = 1) {
        for (const std::uint32_t row : order) {
            std::vector<double> x(table.values.begin() + row * table.width,
                                  table.values.begin() + (row + 1) * table.width);
            x.push_back(how.constant);
            if (how.unit_length)
                if (const double length = std::sqrt(score(x, x)); length > 0.0)
                    for (double& value : x) value /= length;
            step(x, static_cast<size_t>(table.labels[row]), how, row, t++);
            for (size_t k = 0; k < weights.size(); ++k)
                for (size_t i = 0; i < sum[k].size(); ++i) sum[k][i] += weights[k][i];
        }
    }

    void step(const std::vector<double>& x, size_t right, const Manner& how, std::uint32_t row,
              std::int64_t t) {
        const bool two = weights.size() == 2;  // one vector, kept as that of class 1
        size_t rival = right == 0 ? 1 : 0;
        for (size_t k = 0; k < weights.size(); ++k)
            if (k != right && score(weights[k], x) > score(weights[rival], x)) rival = k;
        const double margin = two ? (right == 1 ? 1 : -1) * score(weights[1], x)
                                  : score(weights[right], x) - score(weights[rival], x);
        const bool mistake =
            margin < 0 || (margin == 0 && (how.ties_are_mistakes || rival < right));
        mistakes += mistake;
        double length = mistake;
        if (how.passive_aggressive) {
            const double squared = (two ? 1 : 2) * score(x, x) + how.damping;
            length = margin >= 1 || squared == 0 ? 0 : std::min(how.cap, (1 - margin) / squared);
        }
        if (!how.of_class.empty()) length *= how.of_class[right];
        if (!how.of_example.empty()) length *= how.of_example[row];
        if (length == 0) return;
        for (size_t i = 0; i < x.size(); ++i) {
            if (two) {
                weights[1][i] += (right == 1 ? 1 : -1) * length * x[i];
            } else {
                weights[right][i] += length * x[i];
                weights[rival][i] -= length * x[i];
            }
        }
        journal.push_back({t, row, static_cast<std::int32_t>(right),
                           static_cast<std::int32_t>(rival), length, -1, length});
    }
};

/// Weights as the core keeps them, and what it did to them.
struct Learned {
    size_t width, classes, stride;
    std::vector<double> weights, missed;
    std::vector<Mistake> journal;
    Tally tally;

    Learned(size_t width, size_t classes)
        : width(width),
          classes(classes),
          stride(classes == 2 ? 1 : (classes + 3) / 4 * 4),
          weights((width + 1) * stride),
          missed(weights.size()) {}

    double weight(size_t k, size_t i) const {
        return stride == 1 ? weights[i] : weights[i * stride + k];
    }
    double total(size_t k, size_t i) const {
        const size_t slot = stride == 1 ? i : i * stride + k;
        return static_cast<double>(tally.examples + 1) * weights[slot] - missed[slot];
    }

    template <class Rows>
    void learn(const Rows& rows, Labels labels, const Manner& how, Order order, size_t begin,
               size_t end) {
        std::vector<Mistake> entries(end - begin);
        const Terms terms{.labels = labels,
                          .importance = how.importance(),
                          .framing = how.framing(),
                          .ties = how.ties_are_mistakes ? Ties::mistake : Ties::first,
                          .classes = classes,
                          .check_values = true};
        const auto run = [&](const auto& problem, const auto& rule) {
            return rosenblatt::learn(
                problem, rule, Mover{rule.move, Flat{}, Averaged{missed.data()}, weights.data()},
                Walk{order, begin, end, tally.examples + 1},
                Record{.mistakes = entries, .tally{.steps = tally.steps}});
        };
        const auto with_rule = [&](const auto& problem) {
            return how.passive_aggressive ? run(problem, how.rule())
                                          : run(problem, PerceptronRule{});
        };
        const Tally made = stride == 1 ? with_rule(Binary<Rows>{rows, terms})
                                       : with_rule(Multiclass<Rows>{rows, terms, stride});
        tally.examples += made.examples;
        tally.updates += made.updates;
        tally.mistakes += made.mistakes;
        tally.overflow = made.overflow;
        tally.steps = made.steps;
        tally.smallest = made.smallest;
        entries.resize(static_cast<size_t>(made.updates));
        journal.insert(journal.end(), entries.begin(), entries.end());
    }
};

inline bool same(const Learned& learned, const Twin& twin, bool exactly) {
    const auto equal = [&](double a, double b) { return exactly ? a == b : close(a, b); };
    for (size_t k = learned.classes == 2; k < learned.classes; ++k)
        for (size_t i = 0; i <= learned.width; ++i)
            if (!equal(learned.weight(k, i), twin.weights[k][i]) ||
                !equal(learned.total(k, i), twin.sum[k][i]))
                return false;
    const auto same_entry = [&](const Mistake& a, const Mistake& b) {
        return a.t == b.t && a.example == b.example && a.right == b.right && a.rival == b.rival &&
               equal(a.step, b.step);
    };
    return learned.tally.mistakes == twin.mistakes &&
           learned.tally.updates == static_cast<std::int64_t>(twin.journal.size()) &&
           std::equal(learned.journal.begin(), learned.journal.end(), twin.journal.begin(),
                      twin.journal.end(), same_entry);
}

}  // namespace core_tests
