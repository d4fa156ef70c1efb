// Orders to visit the examples in: the same for the same seed and pass on every platform.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

namespace rosenblatt {

/// SplitMix64 (Steele, Lea, Flood 2014), started from a seed and the number of the pass.
class Generator {
  public:
    Generator(std::uint64_t seed, std::uint64_t pass) : state(seed) {
        state = next() ^ (pass * 0xD1B54A32D192ED03u);
    }

    std::uint64_t next() {
        std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

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

/// Fills `order` with the rows 0 ... n-1 in an order drawn for this seed and pass. With block > 1
/// neighbouring rows stay in blocks: the blocks are shuffled, and the rows inside each. A last
/// block that is short comes first, so that all others begin at whole multiples.
inline void draw_order(std::span<std::uint32_t> order, std::uint64_t seed, std::uint64_t pass,
                       std::uint32_t block) {
    Generator generator(seed, pass);
    const auto n = static_cast<std::uint32_t>(order.size());
    const auto fill = [&](std::size_t at, std::uint32_t first, std::uint32_t size) {
        const auto rows = order.subspan(at, size);
        std::iota(rows.begin(), rows.end(), first);
        generator.shuffle(rows);
    };
    if (block <= 1) return fill(0, 0, n);
    const std::uint32_t blocks = n / block, short_block = n % block;
    fill(0, n - short_block, short_block);
    // The shuffled block numbers lie at the end of the array itself; what is left of it always
    // holds at least a row for each number still to come, so none is overwritten unread.
    const auto numbers = order.last(blocks);
    std::iota(numbers.begin(), numbers.end(), 0u);
    generator.shuffle(numbers);
    for (std::uint32_t k = 0; k < blocks; ++k)
        fill(short_block + std::size_t{k} * block, numbers[k] * block, block);
}

}  // namespace rosenblatt
