// Sorts up to 128 keys by a network: always the same comparisons, many at a time, so that there is
// nothing to guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "eight.hpp"
#include "unaligned.hpp"

namespace rosenblatt {

/// 64 keys in eight rows of eight. Always inline, as it is compiled for several processors.
class Network {
  public:
    static constexpr std::size_t size = 64;

    [[gnu::always_inline]] explicit Network(const std::uint32_t* keys) {
        each([&](std::size_t r)
                 __attribute__((always_inline)) { row[r] = load<Eight>(keys + 8 * r); });
    }
    [[gnu::always_inline]] void write(std::uint32_t* keys) const {
        each([&](std::size_t r) __attribute__((always_inline)) { store(row[r], keys + 8 * r); });
    }

    /// The columns first, which become the rows; then twice as many rows together at a time.
    [[gnu::always_inline]] void sort() {
        exchange<1>();
        exchange<3>();
        exchange<1>();
        exchange<7>();
        exchange<2>();
        exchange<1>();
        transpose();
        exchange_backwards<1>();
        finish_rows();
        exchange_backwards<3>();
        exchange<1>();
        finish_rows();
        exchange_backwards<7>();
        exchange<2>();
        exchange<1>();
        finish_rows();
    }

    /// Puts two sorted ones in order.
    [[gnu::always_inline]] friend void merge(Network& low, Network& high) {
        each([&](std::size_t r) __attribute__((always_inline)) {
            exchange_backwards(low.row[r], high.row[7 - r]);
        });
        low.finish();
        high.finish();
    }

  private:
    Eight row[8];

    template <class Work>
    [[gnu::always_inline]] static void each(Work work) {
        [&]<std::size_t... r>(std::index_sequence<r...>)
            __attribute__((always_inline)) { (work(r), ...); }(std::make_index_sequence<8>{});
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

    /// What rises and falls, over all rows or in each, is put in order by halves.
    [[gnu::always_inline]] void finish() {
        exchange<4>();
        exchange<2>();
        exchange<1>();
        finish_rows();
    }
    [[gnu::always_inline]] void finish_rows() {
        transpose();
        exchange<4>();
        exchange<2>();
        exchange<1>();
        transpose();
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
