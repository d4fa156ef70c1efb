// The dual form: examples seen through a kernel, weights as sums of examples.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rows/rows.hpp"

namespace rosenblatt {

/// What is known of an example are its kernel values with every candidate for a support, itself
/// among them. The weight of a candidate is how much of it the model holds, so a step on an example
/// moves a single weight: its own.
struct DualRows : Dense<double> {
    static constexpr bool norm_is_of_values = false;

    const std::int32_t* own;  // for each example, the candidate that it is

    std::size_t slot(std::size_t example) const { return static_cast<std::size_t>(own[example]); }

    double squared_norm(std::size_t example) const { return row(example)[slot(example)]; }

    template <bool with_squares, class Weights, class Aside>
    Dots dots(std::size_t example, const Weights& weights, Aside&& aside) const {
        return {dot(example, weights, aside), squared_norm(example)};
    }

    template <class Visit>
    void moved(std::size_t example, Visit visit, bool = false) const {
        visit(slot(example), 1.0);
    }
};

}  // namespace rosenblatt
