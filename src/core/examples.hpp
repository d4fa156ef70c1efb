// What a caller says about the examples besides their features.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace rosenblatt {

/// Class numbers, one byte each where there are few classes.
struct Labels {
    const std::uint8_t* narrow;
    const std::int32_t* wide;

    std::size_t operator[](std::size_t example) const {
        return narrow ? narrow[example] : static_cast<std::size_t>(wide[example]);
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

/// The feature that is always `constant` (one, or zero to learn without an intercept), and
/// whether each example, this feature included, is scaled to length one (B2).
struct Framing {
    double constant;
    bool unit_length;

    double scale(double squared_norm) const {
        if (!unit_length) return 1.0;
        return squared_norm > 0.0 ? 1.0 / std::sqrt(squared_norm) : 0.0;
    }
};

/// The rows in the order of the pass; null means as stored. Shuffled blocks of rows (see
/// draw_order) are whole but for the first, which may be shorter.
struct Order {
    const std::uint32_t* rows;
    std::size_t count;
    std::size_t block;

    std::size_t operator[](std::size_t turn) const { return rows ? rows[turn] : turn; }

    /// A row to fetch now: one that comes soon, or, of the block that comes next, the row that is
    /// next in memory. Looks no further than `end`.
    std::size_t soon(std::size_t turn, std::size_t end) const {
        constexpr std::size_t distance = 4;
        if (block <= 1) return rows[std::min(turn + distance, end - 1)];
        const std::size_t next = rows[std::min(turn + block, end - 1)];
        return std::min(next - next % block + (turn + block - count % block) % block, count - 1);
    }
};

}  // namespace rosenblatt
