// Sorts by whole numbers, a byte at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace rosenblatt {

/// Sorts n values by their keys, the lowest byte first, passing over bytes in which all agree.
/// There must be as much room at `to`; returns where the sorted values are, there or here. Those
/// with the same key keep their order.
template <class Value, class Key>
Value* sort_by_digits(Value* from, Value* to, std::size_t n, Key key) {
    std::uint64_t differ = 0;
    for (std::size_t k = 0; k < n; ++k) differ |= std::uint64_t{key(from[k])} ^ key(from[0]);
    for (int shift = 0; shift < 64; shift += 8) {
        if ((differ >> shift & 255) == 0) continue;
        std::array<std::size_t, 256> places{};
        for (std::size_t k = 0; k < n; ++k) ++places[key(from[k]) >> shift & 255];
        std::size_t sum = 0;
        for (std::size_t& place : places) sum += std::exchange(place, sum);
        for (std::size_t k = 0; k < n; ++k) to[places[key(from[k]) >> shift & 255]++] = from[k];
        std::swap(from, to);
    }
    return from;
}

}  // namespace rosenblatt
