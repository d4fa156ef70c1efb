// Counts the keys of a row, and puts its columns in order: short rows are the rule, and hardly
// anything here depends on a guess.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "avx2.hpp"
#include "buffer.hpp"
#include "ones.hpp"

namespace rosenblatt {

/// A gram's column, and whether it counts as minus one.
inline std::uint32_t key_of(std::uint32_t column, bool minus) { return column << 1 | minus; }

/// Columns must lie below 2**30.
class Counter {
  public:
    explicit Counter(bool wide = has_avx2) : wide(wide) {}

    /// Writes the columns of the keys, each once and in order, and the sum of the signs of each;
    /// returns how many there are. There must be room for all keys, whose memory is used up.
    std::size_t count(std::span<std::uint32_t> keys, std::int32_t* columns, std::int32_t* totals) {
        if (keys.size() <= most_ranked && by_rank(keys, columns, totals))
            return close_gaps(keys.size(), columns, totals);
        return by_digits(keys, columns, totals);
    }

  private:
    static constexpr std::size_t most_ranked = 128;
    static constexpr std::int32_t none = -1;
    using Eight = std::int16_t __attribute__((vector_size(16)));
    using Sixteen = std::int16_t __attribute__((vector_size(32)));

    bool by_rank(std::span<const std::uint32_t> keys, std::int32_t* columns,
                 std::int32_t* totals) const {
        const auto of_sixteens = [&]() __attribute__((always_inline)) {
            return rank<Sixteen>(keys, columns, totals);
        };
        return wide ? with_avx2(of_sixteens) : rank<Eight>(keys, columns, totals);
    }

    /// The place of a column is the number of keys below it: n * n comparisons, of the highest 16
    /// bits, many at a time. They must tell all columns apart: says whether they do.
    template <class Lanes>
    [[gnu::always_inline]] static bool rank(std::span<const std::uint32_t> keys,
                                            std::int32_t* columns, std::int32_t* totals) {
        constexpr std::size_t lanes = sizeof(Lanes) / sizeof(std::int16_t), tile = 2 * lanes;
        std::uint32_t used = 0;
        for (const std::uint32_t key : keys) used |= key;
        const int shift = std::max(1, static_cast<int>(std::bit_width(used)) - 16);
        std::int16_t highest[most_ranked + tile], places[most_ranked];
        std::fill_n(highest + keys.size(), tile, 0);
        for (std::size_t k = 0; k < keys.size(); ++k)
            highest[k] = static_cast<std::int16_t>((keys[k] >> shift) - 0x8000);
        for (std::size_t begin = 0; begin < keys.size(); begin += tile) {
            Lanes low, high, below_low{}, below_high{};
            std::memcpy(&low, highest + begin, sizeof low);
            std::memcpy(&high, highest + begin + lanes, sizeof high);
            for (std::size_t k = 0; k < keys.size(); ++k) {
                below_low -= low > highest[k];
                below_high -= high > highest[k];
            }
            std::memcpy(places + begin, &below_low, sizeof low);
            std::memcpy(places + begin + lanes, &below_high, sizeof high);
        }
        std::fill_n(columns, keys.size(), none);
        std::fill_n(totals, keys.size(), 0);
        bool apart = true;
        for (std::size_t k = 0; k < keys.size(); ++k) {
            const auto column = static_cast<std::int32_t>(keys[k] >> 1);
            std::int32_t& place = columns[places[k]];
            apart &= place == none || place == column;
            place = column;
            totals[places[k]] += sign_of(keys[k]);
        }
        return apart;
    }

    std::size_t close_gaps(std::size_t size, std::int32_t* columns, std::int32_t* totals) const {
        std::size_t count = 0, k = 0;
#if defined(__x86_64__)
        if (wide) {
            k = size - size % 8;
            count = close_gaps_in_eights(k, columns, totals);
        }
#endif
        for (; k < size; ++k) {
            const std::int32_t column = columns[k];
            columns[count] = column;
            totals[count] = totals[k];
            count += column != none;
        }
        return count;
    }

#if defined(__x86_64__)
    /// Nothing is written beyond what has been read.
    [[gnu::target("avx2")]] static std::size_t close_gaps_in_eights(std::size_t size,
                                                                    std::int32_t* columns,
                                                                    std::int32_t* totals) {
        std::size_t count = 0;
        for (std::size_t k = 0; k < size; k += 8) {
            const __m256i gaps = _mm256_loadu_si256(reinterpret_cast<__m256i*>(columns + k));
            const int negative = _mm256_movemask_ps(_mm256_castsi256_ps(gaps));
            const unsigned filled = 0xFFu ^ static_cast<unsigned>(negative);
            const __m256i places = _mm256_cvtepu8_epi32(
                _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&places_of_ones[filled])));
            for (std::int32_t* of : {columns, totals}) {
                const __m256i eight = _mm256_loadu_si256(reinterpret_cast<__m256i*>(of + k));
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(of + count),
                                    _mm256_permutevar8x32_epi32(eight, places));
            }
            count += static_cast<std::size_t>(std::popcount(filled));
        }
        return count;
    }
#endif

    /// Sorts the keys a byte at a time, the lowest first.
    std::size_t by_digits(std::span<std::uint32_t> keys, std::int32_t* columns,
                          std::int32_t* totals) {
        sorted.resize(keys.size());
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
        std::size_t count = 0;
        for (std::size_t k = 0; k < keys.size(); ++k) {
            const auto column = static_cast<std::int32_t>(from[k] >> 1);
            const bool again = k && column == columns[count - 1];
            count += !again;
            columns[count - 1] = column;
            totals[count - 1] = (again ? totals[count - 1] : 0) + sign_of(from[k]);
        }
        return count;
    }

    static std::int32_t sign_of(std::uint32_t key) {
        return 1 - static_cast<std::int32_t>(2 * (key & 1));
    }

    bool wide;
    Buffer<std::uint32_t> sorted;
};

}  // namespace rosenblatt
