// Sorts up to 128 keys by a network: always the same comparisons, many at a time, so that there is
// nothing to guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/unaligned.hpp"
#include "base/vectors.hpp"

namespace rosenblatt {

/// Keys in two, four or eight rows of eight. Always inline, as it is compiled for several
/// processors.
template <std::size_t rows>
class Network {
  public:
    static constexpr std::size_t size = 8 * rows;

    [[gnu::always_inline]] explicit Network(const std::uint32_t* keys) {
        each([&](std::size_t r)
                 __attribute__((always_inline)) { row[r] = load<Eight>(keys + 8 * r); });
    }
    [[gnu::always_inline]] void write(std::uint32_t* keys) const {
        each([&](std::size_t r) __attribute__((always_inline)) { store(row[r], keys + 8 * r); });
    }

    /// Each row first; then twice as many rows together at a time.
    [[gnu::always_inline]] void sort() {
        sort_rows();
        exchange_backwards<1>();
        finish_rows();
        if constexpr (rows > 2) {
            exchange_backwards<3>();
            exchange<1>();
            finish_rows();
        }
        if constexpr (rows > 4) {
            exchange_backwards<7>();
            exchange<2>();
            exchange<1>();
            finish_rows();
        }
    }

    /// Puts two sorted ones in order.
    [[gnu::always_inline]] friend void merge(Network& low, Network& high) {
        static_assert(square);
        each([&](std::size_t r) __attribute__((always_inline)) {
            exchange_backwards(low.row[r], high.row[rows - 1 - r]);
        });
        low.finish();
        high.finish();
    }

  private:
    static constexpr bool square = rows == 8;

    Eight row[rows];

    template <class Work>
    [[gnu::always_inline]] static void each(Work work) {
        [&]<std::size_t... r>(std::index_sequence<r...>)
            __attribute__((always_inline)) { (work(r), ...); }(std::make_index_sequence<rows>{});
    }

    [[gnu::always_inline]] static void exchange(Eight& low, Eight& high) {
        const Eight lower = low < high ? low : high, higher = low < high ? high : low;
        low = lower;
        high = higher;
    }
    /// With the last key of the other row first: two that rise are then one that rises and falls.
    [[gnu::always_inline]] static void exchange_backwards(Eight& low, Eight& high) {
        high = picked<7, 6, 5, 4, 3, 2, 1, 0>(high, high);
        exchange(low, high);
    }

    /// The rows whose numbers differ in these bits.
    template <std::size_t bits>
    [[gnu::always_inline]] void exchange() {
        each([&](std::size_t r) __attribute__((always_inline)) {
            if (r < (r ^ bits)) exchange(row[r], row[r ^ bits]);
        });
    }
    template <std::size_t bits>
    [[gnu::always_inline]] void exchange_backwards() {
        each([&](std::size_t r) __attribute__((always_inline)) {
            if (r < (r ^ bits)) exchange_backwards(row[r], row[r ^ bits]);
        });
    }

    /// The keys of each row whose places differ in these bits.
    template <int bits>
    [[gnu::always_inline]] void exchange_within() {
        // The later of two places is the one that has the highest of the bits.
        constexpr int later = bits > 3 ? 4 : bits > 1 ? 2 : 1;
        each([&](std::size_t r) __attribute__((always_inline)) {
            [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
                Eight lower = row[r], higher = picked<k ^ bits...>(lower, lower);
                exchange(lower, higher);
                row[r] = picked<(k & later ? k + 8 : k)...>(lower, higher);
            }(std::make_integer_sequence<int, 8>{});
        });
    }

    /// Eight rows are sorted as columns, which then become the rows; fewer each in itself.
    [[gnu::always_inline]] void sort_rows() {
        if constexpr (square) {
            exchange<1>();
            exchange<3>();
            exchange<1>();
            exchange<7>();
            exchange<2>();
            exchange<1>();
            transpose();
        } else {
            exchange_within<1>();
            exchange_within<3>();
            exchange_within<1>();
            exchange_within<7>();
            exchange_within<2>();
            exchange_within<1>();
        }
    }

    /// What rises and falls, over all rows or in each, is put in order by halves.
    [[gnu::always_inline]] void finish() {
        exchange<4>();
        exchange<2>();
        exchange<1>();
        finish_rows();
    }
    [[gnu::always_inline]] void finish_rows() {
        if constexpr (square) {
            transpose();
            exchange<4>();
            exchange<2>();
            exchange<1>();
            transpose();
        } else {
            exchange_within<4>();
            exchange_within<2>();
            exchange_within<1>();
        }
    }

    [[gnu::always_inline]] void transpose() {
        transpose_halves(row[0], row[1], row[2], row[3]);
        transpose_halves(row[4], row[5], row[6], row[7]);
        each([&](std::size_t r) __attribute__((always_inline)) {
            if (r >= 4) return;
            const Eight a = row[r], b = row[r + 4];
            row[r] = picked<0, 1, 2, 3, 8, 9, 10, 11>(a, b);
            row[r + 4] = picked<4, 5, 6, 7, 12, 13, 14, 15>(a, b);
        });
    }
};

}  // namespace rosenblatt
