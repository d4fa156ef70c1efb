// Where the ones among eight bits are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/unaligned.hpp"
#include "base/vectors.hpp"

namespace rosenblatt {

/// Their places, for each value of the eight bits.
alignas(32) inline constexpr auto places_of_ones = [] {
    std::array<std::array<std::uint32_t, 8>, 256> places{};
    for (std::uint32_t bits = 0; bits < 256; ++bits)
        for (std::uint32_t place = 0, n = 0; place < 8; ++place)
            if (bits >> place & 1) places[bits][n++] = place;
    return places;
}();

inline constexpr auto number_of_ones = [] {
    std::array<std::uint8_t, 256> numbers{};
    for (unsigned bits = 1; bits < 256; ++bits)
        numbers[bits] = static_cast<std::uint8_t>(numbers[bits / 2] + bits % 2);
    return numbers;
}();

/// Writes their places, counted from `first`, and something behind them, eight numbers in all;
/// returns how many there are. A loop over them would end where it is hard to guess.
[[gnu::always_inline]] inline std::size_t write_ones(unsigned bits, std::uint32_t first,
                                                     std::uint32_t* to) {
    store(load<Eight>(&places_of_ones[bits]) + first, to);
    return number_of_ones[bits];
}

}  // namespace rosenblatt
