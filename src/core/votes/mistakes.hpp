// The mistakes that made the weights; each with its row they tell every weight vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "learn/record.hpp"
#include "learn/walk.hpp"

namespace rosenblatt {

/// How many values the rows of a stretch of the pass store.
template <class Rows>
std::size_t stored(const Rows& rows, Order order, std::size_t begin, std::size_t end) {
    std::size_t sum = 0;
    for (std::size_t position = begin; position < end; ++position)
        sum += rows.length(order[position]);
    return sum;
}

/// Arrays with room at their end. Rows are kept if there is a place for each in `row_of`: without
/// their zeros, as compressed sparse rows, and once only, however often they come up in the passes
/// of a call.
struct Mistakes {
    static constexpr std::size_t most_features = std::size_t{1} << 31;  // in columns of 4 bytes

    std::span<Mistake> list;
    std::span<std::int64_t> indptr;
    std::span<std::int32_t> columns;
    std::span<double> values;
    std::span<std::int64_t> used;    // how many mistakes, rows, values and features there are
    std::span<std::int64_t> row_of;  // for each example the row it is kept in, -1 if none as yet

    template <class Rows>
    bool has_room(const Rows& rows, Order order, std::size_t begin, std::size_t end) const {
        const std::size_t examples = end - begin;
        if (free(list, 0) < examples) return false;
        return !keeps_rows() || (free(indptr, 1) >= examples + 1 &&
                                 free(columns, 2) >= stored(rows, order, begin, end) &&
                                 columns.size() == values.size());
    }

    bool keeps_rows() const { return !row_of.empty(); }

    /// Where the mistakes of so many examples may be written.
    std::span<Mistake> room(std::size_t examples) const { return list.subspan(at(0), examples); }

    void let_width_be(std::size_t features) { used[3] = static_cast<std::int64_t>(features); }

    /// Takes in the mistakes that were written there, and their rows.
    template <class Rows>
    void add(const Rows& rows, std::int64_t made) {
        if (keeps_rows())
            for (Mistake& mistake : room(static_cast<std::size_t>(made))) {
                const auto example = static_cast<std::size_t>(mistake.example);
                std::int64_t& row = row_of[example];
                if (row < 0 || row >= used[1]) row = keep(rows, example);
                mistake.row = row;
            }
        used[0] += made;
    }

  private:
    std::size_t at(std::size_t which) const { return static_cast<std::size_t>(used[which]); }

    template <class Array>
    std::size_t free(const Array& array, std::size_t which) const {
        const bool sound = used[which] >= 0 && at(which) <= array.size();
        return sound ? array.size() - at(which) : 0;
    }

    template <class Rows>
    std::int64_t keep(const Rows& rows, std::size_t example) {
        rows.each(example, [&](auto, std::size_t column, double value) {
            if (value == 0.0) return;
            columns[at(2)] = static_cast<std::int32_t>(column);
            values[at(2)] = value;
            ++used[2];
        });
        indptr[at(1) + 1] = used[2];
        return used[1]++;
    }
};

}  // namespace rosenblatt
