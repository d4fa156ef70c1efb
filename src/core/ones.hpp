// Where the ones among eight bits are.
#pragma once

#include <array>
#include <cstdint>

namespace rosenblatt {

/// Their places, for each value of the eight bits.
inline constexpr auto places_of_ones = [] {
    std::array<std::array<std::uint8_t, 8>, 256> places{};
    for (unsigned bits = 0; bits < 256; ++bits)
        for (std::uint8_t place = 0, n = 0; place < 8; ++place)
            if (bits >> place & 1) places[bits][n++] = place;
    return places;
}();

}  // namespace rosenblatt
