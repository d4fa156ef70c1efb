// What steps do to weights, and how surely.
#pragma once

#include <cmath>
#include <vector>

#include "check.hpp"
#include "learn/memory.hpp"
#include "learn/metric.hpp"
#include "learn/moves.hpp"

namespace core_tests {

/// A problem of one example, whose difference is 2 in its only feature.
struct OneFeature {
    template <class Visit>
    void difference(std::size_t, int, Visit visit) const {
        visit(0, 2.0);
    }
};

inline void test_moves() {
    test("a step of one multiplies, minus one divides", [] {
        Multiplicative move(3.0);
        double weight = 1.0;
        move.apply(weight, 1.0);
        CHECK(weight == 3.0);
        move.apply(weight, -1.0);
        move.apply(weight, -1.0);
        CHECK(close(weight, 1.0 / 3.0));
        move.apply(weight, 0.0);
        move.apply(weight, 4.0);
        CHECK(close(weight, 3.0));
    });

    test("a weight comes back from ever so many divisions", [] {
        for (const double factor : {2.0, 1.5, 1e100}) {
            Multiplicative move(factor);
            double weight = 1.0;
            for (int k = 0; k < 5000; ++k) {
                const double before = weight;
                move.apply(weight, -1.0);
                CHECK(weight > 0.0 && weight < before);
            }
            for (int k = 0; k < 5000; ++k) move.apply(weight, 1.0);
            CHECK(factor == 2.0 ? weight == 1.0 : std::abs(std::log2(weight)) < 1e-5 * move.bits);
        }
    });

    test("all weights are scaled together when one grows large, a threshold too", [] {
        Multiplicative move(2.0);
        std::vector<double> weights{1.0, 8.0, -100.0, 0.0}, missed{1.0, 2.0, 3.0, 0.0};
        Averaged memory{missed.data()};
        for (int k = 0; k < 600; ++k) {
            move.apply(weights[0], 1.0);
            move.settle(weights.data(), weights.size(), memory);
        }
        const double scale = 0x1p-100;
        CHECK(weights[0] == 0x1p500 && weights[1] == 8.0 * scale);
        CHECK(weights[2] == -100.0 * scale && weights[3] == 0.0);
        CHECK(missed[0] == scale && missed[2] == 3.0 * scale);
    });

    test("scaling again and again leaves small weights small, and apart", [] {
        Multiplicative move(2.0);
        Last memory;
        std::vector<double> weights{1.0, 2.0, 1.0};
        for (int k = 0; k < 3000; ++k) {
            move.apply(weights[2], 1.0);
            move.settle(weights.data(), weights.size(), memory);
        }
        CHECK(0.0 < weights[0] && weights[0] < weights[1] && weights[1] < Multiplicative::least);
        for (int k = 0; k < 3000; ++k) move.apply(weights[0], 1.0);
        CHECK(weights[0] == weights[2]);
    });

    test("sure weights move less, and grow surer", [] {
        std::vector<double> sureness{0.0, 1.0};
        Confidence metric{sureness.data(), 1.0};
        metric.shrinkage = 0.125;
        CHECK(metric.stretch(0, 2.0) == 2.0 && metric.variance(0) == 0.5);
        CHECK(metric.stretch(1, -2.0) == -1.0 && metric.variance(1) == 0.375);
    });

    test("a step moves what goes with the features of an example, too", [] {
        // The constant comes first, so that the weight in slot 0 has the second row.
        std::vector<double> values{1.0, 0.5, 0.5, 1.0}, changes(2);
        Covariance metric{values.data(), 2, 2, 1, 4.0};
        CHECK(metric.squared_length(OneFeature{}, 0, 0) == 4.0);
        metric.along(OneFeature{}, 0, 0,
                     [&](std::size_t slot, double amount) { changes[slot] = amount; });
        CHECK((changes == std::vector{2.0, 1.0}));
        CHECK((values == std::vector{0.875, 0.25, 0.25, 0.5}));
    });
}

}  // namespace core_tests
