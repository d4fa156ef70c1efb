// A walk over the examples in the order of a pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rosenblatt {

/// The rows in the order of the pass; none means as stored.
struct Order {
    std::span<const std::uint32_t> rows;

    std::size_t operator[](std::size_t position) const {
        return rows.empty() ? position : rows[position];
    }
};

/// From a position in the order up to an end; `t` counts examples from one over the model's whole
/// life.
struct Walk {
    Order order;
    std::size_t position;
    std::size_t end;
    std::int64_t t;

    bool over() const { return position == end; }
    void go_on() {
        ++position;
        ++t;
    }
    std::size_t example() const { return order[position]; }
    /// The example so many positions further, or else the last.
    std::size_t later(std::size_t positions) const {
        return order[std::min(position + positions, end - 1)];
    }
};

}  // namespace rosenblatt
