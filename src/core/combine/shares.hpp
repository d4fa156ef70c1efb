// Compressed rows that several threads write, each into its share of the room.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rosenblatt {

/// Rows begin ... end-1, whose values have room from `from` to `to` and, once they are there, reach
/// as far as `written`.
struct Share {
    std::size_t begin, end;
    std::size_t from, to;
    std::size_t written;
};

/// Rows begin ... end-1 in at most `count` shares of much the same size, with room for their values
/// one after the other from `filled` on. ends[i] tells how many values the rows up to i have at
/// most.
inline std::vector<Share> share_out(std::span<const std::int64_t> ends, std::size_t begin,
                                    std::size_t end, std::size_t filled, std::size_t count) {
    const auto reached = [&](std::size_t row) {
        return row > 0 ? static_cast<std::uint64_t>(ends[row - 1]) : 0;
    };
    const std::uint64_t before = reached(begin), each = (reached(end) - before) / count + 1;
    std::vector<Share> shares;
    for (std::size_t row = begin; row < end;) {
        const auto goal = static_cast<std::int64_t>(reached(row) + each);
        const auto last = std::lower_bound(ends.begin() + row, ends.begin() + end, goal);
        const std::size_t next = std::min<std::size_t>(end, last - ends.begin() + 1);
        const std::size_t from = filled + (reached(row) - before);
        shares.push_back({row, next, from, filled + (reached(next) - before), from});
        row = next;
    }
    return shares;
}

/// Moves what was written together; returns where it ends.
template <class Value, class Index>
std::size_t close_gaps(std::span<const Share> shares, std::size_t filled, Value* values,
                       Index* columns, Index* indptr) {
    for (const Share& share : shares) {
        if (share.from > filled) {
            std::copy(values + share.from, values + share.written, values + filled);
            std::copy(columns + share.from, columns + share.written, columns + filled);
            for (std::size_t row = share.begin; row < share.end; ++row)
                indptr[row + 1] -= static_cast<Index>(share.from - filled);
        }
        filled += share.written - share.from;
    }
    return filled;
}

}  // namespace rosenblatt
