// Orders to visit the examples in: the same for the same seed and pass on every platform.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

#include "scramble.hpp"

namespace rosenblatt {

/// SplitMix64 (Steele, Lea, Flood 2014), started from a seed and the number of the pass.
class Generator {
  public:
    Generator(std::uint64_t seed, std::uint64_t pass) : state(seed) {
        state = next() ^ (pass * 0xD1B54A32D192ED03u);
    }

    std::uint64_t next() { return scrambled(state += 0x9E3779B97F4A7C15u); }

    /// Uniform over 0 ... bound-1 without bias (Lemire 2019).
    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = (next() >> 32) * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t reject = (0u - bound) % bound;
            while (static_cast<std::uint32_t>(product) < reject) product = (next() >> 32) * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    void shuffle(std::span<std::uint32_t> items) {
        for (std::size_t left = items.size(); left > 1; --left)
            std::swap(items[left - 1], items[below(static_cast<std::uint32_t>(left))]);
    }

  private:
    std::uint64_t state;
};

/// Fills `order` with the rows 0 ... n-1 in an order drawn for this seed and pass.
inline void draw_order(std::span<std::uint32_t> order, std::uint64_t seed, std::uint64_t pass) {
    std::iota(order.begin(), order.end(), 0u);
    Generator(seed, pass).shuffle(order);
}

inline constexpr std::uint32_t block_rows = 64;
inline constexpr std::uint32_t mixed_rows = 32 * block_rows;

/// The same for data larger than the cache: blocks of neighbouring rows are shuffled, and then the
/// rows of every few blocks together, so that rows near in time are near in memory. Rows that fill
/// no block come first.
inline void draw_blocks(std::span<std::uint32_t> order, std::uint64_t seed, std::uint64_t pass) {
    Generator generator(seed, pass);
    const auto n = static_cast<std::uint32_t>(order.size()), loose = n % block_rows;
    // The shuffled block numbers lie at the end of the array itself; what is left of it always
    // holds at least a row for each number still to come, so none is overwritten unread.
    const auto blocks = order.last(n / block_rows);
    std::iota(blocks.begin(), blocks.end(), 0u);
    generator.shuffle(blocks);
    auto rows = order.subspan(loose);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        const auto block = rows.subspan(k * block_rows, block_rows);
        std::iota(block.begin(), block.end(), blocks[k] * block_rows);
    }
    std::iota(order.begin(), order.begin() + loose, n - loose);
    generator.shuffle(order.first(loose));
    while (!rows.empty()) {
        const std::size_t mixed = std::min<std::size_t>(mixed_rows, rows.size());
        generator.shuffle(rows.first(mixed));
        rows = rows.subspan(mixed);
    }
}

}  // namespace rosenblatt
