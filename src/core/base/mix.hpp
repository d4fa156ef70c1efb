// Bits mixed so well that neighbouring numbers give numbers that have nothing in common.
#pragma once

#include <cstdint>

namespace rosenblatt {

/// The output function of SplitMix64 (Steele, Lea, Flood 2014): one to one.
constexpr std::uint64_t scrambled(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

}  // namespace rosenblatt
