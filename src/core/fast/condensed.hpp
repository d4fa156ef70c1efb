// Columns numbered anew without those that do not occur: few examples then need weights for the
// columns that they have, however many there could be.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rosenblatt {

/// A bit for each column says whether it occurs. Its number is the number of those that do up to
/// and with it, so that numbers have the order of the columns; zero stands for all that do not.
class CondensedColumns {
  public:
    /// Those of so many that occur here.
    template <class Index>
    CondensedColumns(std::size_t width, std::span<const Index> columns)
        : width_(width), occurs((width + 63) / 64), before((width + 63) / 64) {
        for (const Index column : columns) {
            const auto place = static_cast<std::size_t>(column);
            occurs[place / 64] |= std::uint64_t{1} << place % 64;
        }
        for (std::size_t k = 0; k < occurs.size(); ++k) {
            before[k] = static_cast<std::uint32_t>(size_);
            size_ += static_cast<std::size_t>(std::popcount(occurs[k]));
        }
    }

    std::size_t width() const { return width_; }
    std::size_t size() const { return size_; }

    /// Writes the number of each column.
    template <class Index>
    void number(std::span<const Index> columns, Index* numbers) const {
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const auto place = static_cast<std::size_t>(columns[k]);
            const std::uint64_t up_to = occurs[place / 64] << (63 - place % 64);
            const auto number = before[place / 64] + static_cast<unsigned>(std::popcount(up_to));
            numbers[k] = up_to >> 63 ? static_cast<Index>(number) : 0;
        }
    }

    /// The columns that occur, in order.
    void write(std::int64_t* columns) const {
        for (std::size_t k = 0; k < occurs.size(); ++k)
            for (std::uint64_t left = occurs[k]; left; left &= left - 1)
                *columns++ = static_cast<std::int64_t>(64 * k) + std::countr_zero(left);
    }

  private:
    std::size_t width_, size_ = 0;
    std::vector<std::uint64_t> occurs;
    std::vector<std::uint32_t> before;
};

}  // namespace rosenblatt
