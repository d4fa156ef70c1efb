// Features that are present or absent, one or zero, as Winnow has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "rows/rows.hpp"

namespace rosenblatt {

struct Presence {
    std::optional<double> above;  // what values are ones, others zeros; else they must be either
    std::optional<double> threshold;  // for two classes; else it is the number of features

    /// Makes ones and zeros of the values, if that is wanted; returns how many come before the
    /// first that is neither.
    std::size_t read(std::span<double> values) const {
        if (above)
            for (double& value : values) value = value > *above ? 1.0 : 0.0;
        const auto other = std::find_if_not(values.begin(), values.end(), ZeroOrOne{});
        return static_cast<std::size_t>(other - values.begin());
    }

    /// Lets the features from `from` to `to` weigh one, among weights whose constant comes after
    /// them. Where a threshold has been scaled together with all weights, one has been too. A
    /// threshold that is the number of features follows it: with its averaging sum, as if it had
    /// been so low for all the `vectors` passed through, which keep their mean.
    void widen(double* weights, double* missed, std::size_t stride, std::size_t classes,
               std::size_t from, std::size_t to, double vectors) const {
        const bool reaches = stride == 1;
        double& constant = weights[to * stride];
        const double before = threshold.value_or(static_cast<double>(from));
        const double one = reaches && before != 0.0 ? -constant / before : 1.0;
        for (std::size_t row = from; row < to; ++row)
            std::fill_n(weights + row * stride, reaches ? 1 : classes, one);
        if (!reaches || threshold) return;
        const double change = -one * static_cast<double>(to - from);
        constant += change;
        if (missed) missed[to] += vectors * change;
    }
};

}  // namespace rosenblatt
