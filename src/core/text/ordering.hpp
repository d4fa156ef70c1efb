// Counts the keys of a row, and puts its columns in order: short rows are the rule, and hardly
// anything here depends on a guess.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/avx2.hpp"
#include "base/buffer.hpp"
#include "base/radix.hpp"
#include "text/network.hpp"

namespace rosenblatt {

/// A gram's column, and whether it counts as minus one.
inline std::uint32_t key_of(std::uint32_t column, bool minus) { return column << 1 | minus; }

/// Columns must lie below 2**30.
class Counter {
  public:
    explicit Counter(bool wide = has_avx2) : wide(wide) {}

    /// Where the keys of a row, n at most, are to be written.
    std::uint32_t* room_for(std::size_t n) {
        keys.resize(n + most_by_network + eight);
        return keys.data();
    }

    /// Writes the columns of the first n keys, each once and in order, and the sum of the signs of
    /// each; returns how many there are. There must be room for n.
    std::size_t count(std::size_t n, std::int32_t* columns, std::int32_t* totals) {
        std::uint32_t* const sorted = n <= most_by_network ? by_network(n) : by_digits(n);
        std::fill_n(sorted + n, eight, behind_all);
        const std::size_t runs = find_runs(sorted, n);
        const auto tally = [&]() __attribute__((always_inline)) {
            const std::uint32_t* const key = different.data();
            const std::int32_t* const end = ends.data();
            std::uint32_t both_signs = 0;
            for (std::size_t k = 0; k < runs; ++k) {
                const std::int32_t size = end[k + 1] - end[k];
                columns[k] = static_cast<std::int32_t>(key[k] >> 1);
                totals[k] = key[k] & 1 ? -size : size;
                both_signs |= (key[k] ^ key[k + 1]) == 1;
            }
            return both_signs;
        };
        return (wide ? with_avx2(tally) : tally()) ? join_signs(runs, columns, totals) : runs;
    }

  private:
    using Largest = Network<8>;
    static constexpr std::size_t eight = 8, most_by_network = 2 * Largest::size;
    static constexpr std::uint32_t behind_all = ~std::uint32_t{0};

    /// The smallest network that they fit in, or two of the largest.
    std::uint32_t* by_network(std::size_t n) {
        const auto sort = [&]() __attribute__((always_inline)) {
            if (n <= Network<2>::size)
                in_one<2>(n);
            else if (n <= Network<4>::size)
                in_one<4>(n);
            else if (n <= Network<8>::size)
                in_one<8>(n);
            else
                in_two(n);
        };
        wide ? with_avx2(sort) : sort();
        return keys.data();
    }

    template <std::size_t rows>
    [[gnu::always_inline]] void in_one(std::size_t n) {
        std::fill(keys.data() + n, keys.data() + Network<rows>::size, behind_all);
        Network<rows> network(keys.data());
        network.sort();
        network.write(keys.data());
    }

    [[gnu::always_inline]] void in_two(std::size_t n) {
        std::uint32_t *const low_keys = keys.data(), *const high_keys = low_keys + Largest::size;
        std::fill(low_keys + n, high_keys + Largest::size, behind_all);
        Largest low(low_keys), high(high_keys);
        low.sort();
        high.sort();
        merge(low, high);
        low.write(low_keys);
        high.write(high_keys);
    }

    std::uint32_t* by_digits(std::size_t n) {
        others.resize(n + eight);
        return sort_by_digits(keys.data(), others.data(), n, std::identity{});
    }

    /// Notes the different ones of n sorted keys, and where the run of each ends.
    std::size_t find_runs(const std::uint32_t* sorted, std::size_t n) {
        different.resize(n + eight);
        ends.resize(n + eight + 1);
        ends[0] = 0;
        std::size_t runs = 0;
        for (std::size_t k = 0; k < n; ++k) {
            different[runs] = sorted[k];
            ends[runs + 1] = static_cast<std::int32_t>(k + 1);
            runs += sorted[k] != sorted[k + 1];
        }
        different[runs] = behind_all;
        return runs;
    }

    /// Adds up columns that come twice, with plus and with minus.
    static std::size_t join_signs(std::size_t runs, std::int32_t* columns, std::int32_t* totals) {
        std::size_t count = 0;
        for (std::size_t k = 0; k < runs; ++k) {
            if (count && columns[count - 1] == columns[k]) {
                totals[count - 1] += totals[k];
            } else {
                columns[count] = columns[k];
                totals[count++] = totals[k];
            }
        }
        return count;
    }

    bool wide;
    Buffer<std::uint32_t> keys, others, different;
    Buffer<std::int32_t> ends;
};

}  // namespace rosenblatt
