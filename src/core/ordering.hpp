// Puts the keys of a row in order: short rows are the rule, and nothing here depends on a guess.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "buffer.hpp"

namespace rosenblatt {

/// Sorts without a branch on the keys, which must lie below 2**31.
class Sorter {
  public:
    /// Uses the keys' memory too; the result is there or in the sorter's, until the next call.
    std::span<const std::uint32_t> sort(std::span<std::uint32_t> keys) {
        sorted.resize(keys.size() + lanes);
        return keys.size() <= most_ranked ? by_rank(keys) : by_digits(keys);
    }

  private:
    static constexpr std::size_t lanes = 8, most_ranked = 128;

    /// The place of a key is the number of smaller ones: n * n comparisons, eight at a time.
    std::span<const std::uint32_t> by_rank(std::span<const std::uint32_t> keys) {
        std::int32_t all[most_ranked + lanes];
        std::uint8_t taken[most_ranked + 1] = {};
        const std::size_t n = keys.size(), padded = (n + lanes - 1) / lanes * lanes;
        for (std::size_t k = 0; k < n; ++k) all[k] = static_cast<std::int32_t>(keys[k]);
        std::fill(all + n, all + padded, INT32_MAX);
        for (std::size_t k = 0; k < n; ++k) {
            const std::int32_t key = all[k];
            std::int32_t rank = 0;
            for (std::size_t j = 0; j < padded; j += lanes)
                for (std::size_t lane = 0; lane < lanes; ++lane) rank += all[j + lane] < key;
            sorted[static_cast<std::size_t>(rank) + taken[rank]++] = keys[k];
        }
        return {sorted.data(), n};
    }

    /// A byte at a time, the lowest first.
    std::span<const std::uint32_t> by_digits(std::span<std::uint32_t> keys) {
        std::uint64_t used = 0;
        for (const std::uint32_t key : keys) used |= key;
        std::uint32_t *from = keys.data(), *to = sorted.data();
        for (int shift = 0; used >> shift != 0; shift += 8, std::swap(from, to)) {
            std::array<std::uint32_t, 256> places{};
            for (std::size_t k = 0; k < keys.size(); ++k) ++places[from[k] >> shift & 255];
            std::uint32_t sum = 0;
            for (std::uint32_t& place : places) sum += std::exchange(place, sum);
            for (std::size_t k = 0; k < keys.size(); ++k)
                to[places[from[k] >> shift & 255]++] = from[k];
        }
        return {from, keys.size()};
    }

    Buffer<std::uint32_t> sorted;
};

}  // namespace rosenblatt
