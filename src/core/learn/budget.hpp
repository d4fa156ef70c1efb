// A dual model for streams: as many supports as its budget allows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "learn/orders.hpp"

namespace rosenblatt {

/// The supports that a model holds, as rows of its weights, the longest held first.
struct Budget {
    std::size_t limit;
    std::uint64_t seed;
    std::vector<std::uint32_t> supports;
};

/// Cavallanti, Cesa-Bianchi, Gentile (2007): a support too many, and one of the others, drawn at
/// random, is forgotten. Draws depend on nothing but seed and time.
struct Budgeted {
    Budget* budget;
    std::size_t width;  // the row of the constant feature
    std::size_t stride;
    double constant;

    void remember(double* weights, std::size_t slot, double /*change*/, double t) {
        auto& supports = budget->supports;
        const auto row = static_cast<std::uint32_t>(slot / stride);
        if (row == width || std::find(supports.begin(), supports.end(), row) != supports.end())
            return;
        Generator generator(~budget->seed, static_cast<std::uint64_t>(t));
        while (supports.size() >= budget->limit && !supports.empty()) {
            const auto drawn = generator.below(static_cast<std::uint32_t>(supports.size()));
            forget(weights, supports[drawn]);
            supports.erase(supports.begin() + drawn);
        }
        supports.push_back(row);
    }

    void scale(std::size_t, double) {}

  private:
    void forget(double* weights, std::size_t row) const {
        for (std::size_t k = 0; k < stride; ++k) {
            weights[width * stride + k] -= constant * weights[row * stride + k];
            weights[row * stride + k] = 0.0;
        }
    }
};

}  // namespace rosenblatt
