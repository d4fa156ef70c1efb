// One example, gathered value by value in any order and put in rising order of its columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "rows/rows.hpp"

namespace rosenblatt {

class Gathered {
  public:
    /// Begins an example of at most so many values.
    void start(std::size_t most) {
        for (Lines* lines : {&given_, &sorted_})
            if (lines->columns.size() < most + readable_beyond) {
                lines->columns.resize(2 * most + readable_beyond);
                lines->values.resize(2 * most + readable_beyond);
            }
        size_ = 0;
        highest_ = -1;
        rising_ = true;
    }

    void add(std::int64_t column, double value) {
        rising_ = rising_ && column > highest_;
        highest_ = std::max(highest_, column);
        given_.columns[size_] = column;
        given_.values[size_++] = value;
    }

    /// Names each column once and in rising order, duplicates summed.
    void tidy() {
        if (!rising_ && !sort_few()) {
            sort();
            sum_duplicates();
        }
        rising_ = true;
    }

    std::span<const std::int64_t> columns() const { return {given_.columns.data(), size_}; }
    std::span<double> values() { return {given_.values.data(), size_}; }

    /// The example among `width` columns, tidy: what a CSR matrix with the same entries would have
    /// said.
    Csr<double, std::int64_t> row(std::size_t width) {
        tidy();
        indptr_ = {0, static_cast<std::int64_t>(size_)};
        const std::size_t readable = size_ + readable_beyond;
        return {
            {given_.values.data(), readable}, {given_.columns.data(), readable}, indptr_, 1, width};
    }

  private:
    struct Lines {
        std::vector<std::int64_t> columns;
        std::vector<double> values;
    };

    static constexpr std::size_t readable_beyond = 8;  // the dot product reads eight at a time

    /// Each value goes behind as many as have lower columns: every column is compared with every
    /// other, but many at a time. Says no to many values and to columns named twice.
    bool sort_few() {
        constexpr std::size_t few = 128, together = 16;
        if (size_ > few || highest_ > std::numeric_limits<std::int32_t>::max()) return false;
        std::array<std::int32_t, few> columns{}, places{};
        for (std::size_t k = 0; k < size_; ++k)
            columns[k] = static_cast<std::int32_t>(given_.columns[k]);
        const std::size_t padded = (size_ + together - 1) / together * together;
        for (std::size_t other = 0; other < size_; ++other)
            for (std::size_t k = 0; k < padded; ++k) places[k] += columns[other] < columns[k];
        std::size_t sum = 0;
        for (std::size_t k = 0; k < size_; ++k) sum += static_cast<std::size_t>(places[k]);
        if (sum != size_ * (size_ - 1) / 2) return false;
        for (std::size_t k = 0; k < size_; ++k) move(k, static_cast<std::size_t>(places[k]));
        std::swap(given_, sorted_);
        return true;
    }

    /// By the bytes of the columns, the lowest first: no comparison, hence none to guess wrong.
    void sort() {
        for (int shift = 0; shift < 64 && highest_ >> shift > 0; shift += 8) {
            std::array<std::uint32_t, 257> ends{};
            const auto digit = [&](std::size_t k) { return given_.columns[k] >> shift & 255; };
            for (std::size_t k = 0; k < size_; ++k) ++ends[1 + digit(k)];
            for (std::size_t value = 1; value < 257; ++value) ends[value] += ends[value - 1];
            for (std::size_t k = 0; k < size_; ++k) move(k, ends[digit(k)]++);
            std::swap(given_, sorted_);
        }
    }

    void move(std::size_t from, std::size_t to) {
        sorted_.columns[to] = given_.columns[from];
        sorted_.values[to] = given_.values[from];
    }

    void sum_duplicates() {
        std::size_t kept = 0;
        for (std::size_t k = 1; k < size_; ++k) {
            if (given_.columns[k] == given_.columns[kept]) {
                given_.values[kept] += given_.values[k];
            } else {
                given_.columns[++kept] = given_.columns[k];
                given_.values[kept] = given_.values[k];
            }
        }
        size_ = kept + 1;
    }

    Lines given_, sorted_;
    std::array<std::int64_t, 2> indptr_{};
    std::size_t size_ = 0;
    std::int64_t highest_ = -1;
    bool rising_ = true;
};

}  // namespace rosenblatt
