// What a caller says about the examples besides their features.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/prefetch.hpp"

namespace rosenblatt {

/// Class numbers, one byte each where there are few classes.
struct Labels {
    const std::uint8_t* narrow;
    const std::int32_t* wide;

    std::size_t operator[](std::size_t example) const {
        return narrow ? narrow[example] : static_cast<std::size_t>(wide[example]);
    }
    [[gnu::always_inline]] void fetch(std::size_t example) const {
        narrow ? fetch_near(narrow, example) : fetch_near(wide, example);
    }
};

/// How many times as far as usual to step, by class and by example; null means once.
struct Importance {
    const double* of_class;
    const double* of_example;

    double operator()(std::size_t example, std::size_t label) const {
        return (of_class ? of_class[label] : 1.0) * (of_example ? of_example[example] : 1.0);
    }
};

/// The feature that is always `constant` (one, or zero to learn without an intercept), whether its
/// weight is learned or a fixed threshold, and whether each example, this feature included, is
/// scaled to length one (B2).
struct Framing {
    double constant;
    bool threshold;
    bool unit_length;

    /// What the constant feature has in a difference between classes.
    double learned_constant() const { return threshold ? 0.0 : constant; }

    /// What brings an example of this squared norm to length one.
    static double scale(double squared_norm) {
        if (squared_norm == 0.0) return 0.0;
        return std::isfinite(squared_norm) ? 1.0 / std::sqrt(squared_norm)
                                           : std::numeric_limits<double>::quiet_NaN();
    }
};

/// The rows in the order of the pass; none means as stored.
struct Order {
    std::span<const std::uint32_t> rows;

    std::size_t operator[](std::size_t turn) const { return rows.empty() ? turn : rows[turn]; }
};

/// A place in a walk over the rows, and where the walk ends.
struct Turn {
    Order order;
    std::size_t now;
    std::size_t end;

    std::size_t example() const { return order[now]; }
    /// The row so many turns later, or else the last.
    std::size_t later(std::size_t turns) const { return order[std::min(now + turns, end - 1)]; }
};

}  // namespace rosenblatt
