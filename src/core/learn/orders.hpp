// Orders to visit the examples in: the same for the same seed and pass on every platform.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/mix.hpp"

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

inline constexpr std::uint32_t block_rows = 128;
inline constexpr std::uint32_t most_parts = 32;
inline constexpr std::uint32_t enough_rows = 2 * most_parts * block_rows;

/// The rows of a block one by one, forwards or backwards.
struct BlockWalk {
    std::uint32_t row, step;

    BlockWalk() = default;
    BlockWalk(std::uint32_t block, bool backwards)
        : row(block * block_rows + (backwards ? block_rows - 1 : 0)), step(backwards ? -1u : 1u) {}

    std::uint32_t next() { return std::exchange(row, row + step); }
};

/// The same for data larger than the cache. The rows are cut into parts; a random block of each
/// part at a time is walked along, and which walk takes the next step is drawn. So rows near in
/// time are near in memory and yet from all parts of the data. Rows that fill no block come first,
/// and then blocks that not every part has: at the end of a pass they would count too much. Few
/// rows, for which any cache is large enough, are simply shuffled.
inline void draw_blocks(std::span<std::uint32_t> order, std::uint64_t seed, std::uint64_t pass,
                        std::size_t parts) {
    if (order.size() < enough_rows) return draw_order(order, seed, pass);
    Generator generator(seed, pass);
    const auto n = static_cast<std::uint32_t>(order.size()), loose = n % block_rows;
    std::vector<std::uint32_t> blocks(n / block_rows);
    std::iota(blocks.begin(), blocks.end(), 0u);
    const auto part = [&](std::size_t number) {
        const std::size_t begin = number * blocks.size() / parts;
        const std::size_t end = (number + 1) * blocks.size() / parts;
        return std::span(blocks).subspan(begin, end - begin);
    };
    for (std::size_t number = 0; number < parts; ++number) generator.shuffle(part(number));
    std::iota(order.begin(), order.begin() + loose, n - loose);
    generator.shuffle(order.first(loose));
    auto rest = order.subspan(loose);
    for (std::size_t round = (blocks.size() + parts - 1) / parts; round-- > 0;) {
        std::array<BlockWalk, most_parts> walks;
        std::uint32_t woven = 0;
        for (std::size_t number = 0; number < parts; ++number)
            if (round < part(number).size())
                walks[woven++] = {part(number)[round], generator.below(2) == 1};
        const auto rows = rest.first(woven * block_rows);
        for (std::uint32_t walk = 0; walk < woven; ++walk)
            std::ranges::fill(rows.subspan(walk * block_rows, block_rows), walk);
        generator.shuffle(rows);
        for (std::uint32_t& row : rows) row = walks[row].next();
        rest = rest.subspan(rows.size());
    }
}

}  // namespace rosenblatt
