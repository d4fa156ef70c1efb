// A second check of the caller's arrays, right before rows are used. Since the first, code of the
// caller's may have run and changed them: a callback, a signal handler, another thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "learn/walk.hpp"
#include "rows/rows.hpp"

namespace rosenblatt {

/// Whether a row still lies within the values and names no columns that there are not.
template <class Value>
bool still_fits(const Dense<Value>&, std::size_t) {
    return true;
}

template <class Value, class Index>
bool still_fits(const Csr<Value, Index>& rows, std::size_t example) {
    using Unsigned = std::make_unsigned_t<Index>;
    // What is negative is larger than all numbers that are not.
    const auto from = static_cast<Unsigned>(rows.indptr[example]);
    const auto to = static_cast<Unsigned>(rows.indptr[example + 1]);
    if (from > to || to > std::min(rows.columns.size(), rows.values.size())) return false;
    const auto limit = static_cast<Unsigned>(
        std::min<std::size_t>(rows.width, std::numeric_limits<Unsigned>::max() / 2 + 1));
    Unsigned outside = 0;
    for (Unsigned k = from; k < to; ++k) outside += static_cast<Unsigned>(rows.columns[k]) >= limit;
    return outside == 0;
}

/// The first position of a stretch of the pass whose row does not fit any more, else its end.
template <class Rows>
std::size_t first_unfit(const Rows& rows, Order order, std::size_t begin, std::size_t end) {
    while (begin < end && still_fits(rows, order[begin])) ++begin;
    return begin;
}

}  // namespace rosenblatt
