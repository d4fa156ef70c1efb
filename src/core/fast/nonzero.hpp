// The columns of dense rows that are not zero, found many at a time: much of most pictures is zero.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/bits.hpp"
#include "base/vectors.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace rosenblatt {

/// A bit for each of four numbers: whether any of its bits is set.
[[gnu::always_inline]] inline unsigned which_are_set(FourInts bits) {
#if defined(__AVX512VL__)
    return _mm256_test_epi64_mask(reinterpret_cast<__m256i>(bits), reinterpret_cast<__m256i>(bits));
#elif defined(__AVX2__)
    const FourInts zero = bits == 0;
    return 0xFu ^ static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(zero)));
#else
    unsigned set = 0;
    for (unsigned k = 0; k < four; ++k) set |= static_cast<unsigned>(bits[k] != 0) << k;
    return set;
#endif
}

/// A bit for each of eight columns: whether any of the rows has more than a zero there.
template <class Value, std::size_t P>
[[gnu::always_inline]] inline unsigned filled_of_eight(const std::array<const Value*, P>& rows,
                                                       std::size_t from) {
    FourInts low{}, high{};
    for (const Value* row : rows) {
        low |= reinterpret_cast<FourInts>(Run<Value>{row}.at(from));
        high |= reinterpret_cast<FourInts>(Run<Value>{row}.at(from + four));
    }
    return which_are_set(low) | which_are_set(high) << four;
}

/// The columns in which at least one of some rows is not zero, in rising order; even and odd ones
/// apart if they take lanes.
template <std::size_t lanes>
    requires(lanes == 1 || lanes == 2)
class FilledColumns {
  public:
    static constexpr std::size_t most = 1024;  // columns to look at together
    static constexpr std::size_t highest = std::numeric_limits<std::uint32_t>::max();

    /// Looks at columns from an even one on.
    template <class Value, std::size_t P>
    [[gnu::always_inline]] void find(const std::array<const Value*, P>& rows, std::size_t begin,
                                     std::size_t end) {
        counts = {};
        std::size_t k = begin;
        for (; k + 8 <= end; k += 8) add(k, filled_of_eight(rows, k));
        unsigned last = 0;
        for (std::size_t column = k; column < end; ++column)
            for (const Value* row : rows)
                last |= static_cast<unsigned>(row[column] != 0) << (column - k);
        add(k, last);
    }

    /// visit(lane, column) for each, in lanes as long as there are even and odd ones; calls pace()
    /// before every round.
    template <class Visit, class Pace>
    [[gnu::always_inline]] void each(const Visit& visit, const Pace& pace) const {
        const auto n = counts;
        const std::size_t rounds = *std::min_element(n.begin(), n.end());
        const auto see = [&](auto lane, std::size_t k) __attribute__((always_inline)) {
            visit(lane, std::size_t{columns[lane][k]});
        };
        [&]<std::size_t... T>(std::index_sequence<T...>) __attribute__((always_inline)) {
            for (std::size_t k = 0; k < rounds; ++k) {
                pace();
                (see(std::integral_constant<std::size_t, T>{}, k), ...);
            }
            (
                [&]() __attribute__((always_inline)) {
                    for (std::size_t k = rounds; k < n[T]; ++k)
                        see(std::integral_constant<std::size_t, T>{}, k);
                }(),
                ...);
        }(std::make_index_sequence<lanes>{});
    }

  private:
    std::array<std::array<std::uint32_t, most / lanes + 8>, lanes> columns;
    std::array<std::size_t, lanes> counts;

    /// As many columns as there may be are written, and those that count are kept.
    [[gnu::always_inline]] void add(std::size_t from, unsigned filled) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const unsigned bits = filled & (lanes == 1 ? 0xFFu : 0x55u << lane);
            counts[lane] += write_ones(bits, static_cast<std::uint32_t>(from),
                                       columns[lane].data() + counts[lane]);
        }
    }
};

}  // namespace rosenblatt
