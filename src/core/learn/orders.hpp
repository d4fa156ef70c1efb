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

/// Fills `order` with the rows 0 ... n-1 in a random order.
inline void draw_order(std::span<std::uint32_t> order, Generator& generator) {
    std::iota(order.begin(), order.end(), 0u);
    generator.shuffle(order);
}

/// The same, drawn for this seed and pass.
inline void draw_order(std::span<std::uint32_t> order, std::uint64_t seed, std::uint64_t pass) {
    Generator generator(seed, pass);
    draw_order(order, generator);
}

inline constexpr std::uint32_t block_rows = 128;
inline constexpr std::uint32_t parts_woven = 4;
inline constexpr std::uint32_t enough_rows = 64 * block_rows;

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
inline void draw_blocks(std::span<std::uint32_t> order, Generator& generator) {
    if (order.size() < enough_rows) return draw_order(order, generator);
    const auto n = static_cast<std::uint32_t>(order.size()), loose = n % block_rows;
    std::vector<std::uint32_t> blocks(n / block_rows);
    std::iota(blocks.begin(), blocks.end(), 0u);
    const auto part = [&](std::size_t number) {
        const std::size_t begin = number * blocks.size() / parts_woven;
        const std::size_t end = (number + 1) * blocks.size() / parts_woven;
        return std::span(blocks).subspan(begin, end - begin);
    };
    for (std::size_t number = 0; number < parts_woven; ++number) generator.shuffle(part(number));
    std::iota(order.begin(), order.begin() + loose, n - loose);
    generator.shuffle(order.first(loose));
    auto rest = order.subspan(loose);
    for (std::size_t round = (blocks.size() + parts_woven - 1) / parts_woven; round-- > 0;) {
        std::array<BlockWalk, parts_woven> walks;
        std::uint32_t woven = 0;
        for (std::size_t number = 0; number < parts_woven; ++number)
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

inline constexpr std::uint32_t window_rows = 4096;

/// The same where labels come in runs, so that blocks would not mix them. `by_class` names the rows
/// of the first class, then those of the second, ...; `sizes` says how many each has. The rows of a
/// class have an order of their own, in blocks as above, and of each class every window of a pass
/// takes its share: labels come as evenly as in a full shuffle, or more so.
inline void draw_by_class(std::span<std::uint32_t> order, std::span<const std::uint32_t> by_class,
                          std::span<const std::uint32_t> sizes, Generator& generator) {
    if (order.size() < enough_rows) return draw_order(order, generator);
    struct Class {
        std::uint64_t begin, size, phase, next;
    };
    const std::uint64_t windows = order.size() / window_rows;
    std::vector<std::uint32_t> rows(order.size());
    std::vector<Class> classes;
    for (std::uint64_t begin = 0; const std::uint32_t size : sizes) {
        const auto own = std::span(rows).subspan(begin, size);
        draw_blocks(own, generator);
        for (std::uint32_t& row : own) row = by_class[begin + row];
        // Where in a window a class begins is drawn, or all rare ones would come at the end.
        const auto phase = generator.below(static_cast<std::uint32_t>(windows));
        classes.push_back({begin, size, phase, begin});
        begin += size;
    }
    for (std::uint64_t window = 1; window <= windows; ++window) {
        std::size_t count = 0;
        for (std::uint32_t number = 0; const Class& known : classes) {
            const auto end = known.begin + (known.size * window + known.phase) / windows;
            for (auto next = known.next; next < end; ++next) order[count++] = number;
            ++number;
        }
        const auto woven = order.first(count);
        generator.shuffle(woven);
        for (std::uint32_t& row : woven) row = rows[classes[row].next++];
        order = order.subspan(count);
    }
}

}  // namespace rosenblatt
