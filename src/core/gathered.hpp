// One example, gathered value by value in any order and put in rising order of its columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows.hpp"

namespace rosenblatt {

class Gathered {
  public:
    void clear() {
        entries_.clear();
        rising_ = true;
        highest_ = 0;
    }

    void add(std::uint64_t column, double value) {
        rising_ = rising_ && (entries_.empty() || column > entries_.back().column);
        highest_ = std::max(highest_, column);
        entries_.push_back({column, value});
    }

    /// The example among `width` columns, each named once and in rising order, duplicates summed:
    /// what a CSR matrix with the same entries would have said.
    Csr<double, std::int64_t> row(std::size_t width) {
        if (!rising_) sort();
        columns_.clear();
        values_.clear();
        for (const Entry& entry : entries_) {
            const auto column = static_cast<std::int64_t>(entry.column);
            if (!rising_ && !columns_.empty() && columns_.back() == column) {
                values_.back() += entry.value;
            } else {
                columns_.push_back(column);
                values_.push_back(entry.value);
            }
        }
        bounds_ = {0, static_cast<std::int64_t>(columns_.size())};
        columns_.resize(columns_.size() + readable_beyond);
        values_.resize(values_.size() + readable_beyond);
        return {values_, columns_, bounds_, 1, width};
    }

  private:
    struct Entry {
        std::uint64_t column;
        double value;
    };

    static constexpr std::size_t readable_beyond = 8;  // the dot product reads eight at a time

    /// By the bytes of the columns, the lowest first: no comparison, hence none to guess wrong.
    void sort() {
        sorted_.resize(entries_.size());
        for (int shift = 0; shift < 64 && highest_ >> shift > 0; shift += 8) {
            std::array<std::uint32_t, 257> ends{};
            for (const Entry& entry : entries_) ++ends[1 + (entry.column >> shift & 255)];
            for (std::size_t digit = 1; digit < 257; ++digit) ends[digit] += ends[digit - 1];
            for (const Entry& entry : entries_) sorted_[ends[entry.column >> shift & 255]++] = entry;
            entries_.swap(sorted_);
        }
    }

    std::vector<Entry> entries_, sorted_;
    std::vector<std::int64_t> columns_;
    std::vector<double> values_;
    std::array<std::int64_t, 2> bounds_{};
    std::uint64_t highest_ = 0;
    bool rising_ = true;
};

}  // namespace rosenblatt
