// The columns of combinations: one for each that there may be, for each that was seen, or hashed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "scramble.hpp"

namespace rosenblatt {

/// How many pairs there are among n things, and how many triples.
constexpr std::uint64_t pairs_among(std::uint64_t n) {
    return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
}
constexpr std::uint64_t triples_among(std::uint64_t n) {
    if (n < 3) return 0;
    const std::uint64_t pairs = pairs_among(n);
    return pairs % 3 == 0 ? pairs / 3 * (n - 2) : pairs * ((n - 2) / 3);
}

/// More features, with their pairs, or with their pairs and triples, are more than an int64 counts.
inline constexpr std::uint64_t most_for_pairs = 4'294'967'295;
inline constexpr std::uint64_t most_for_triples = 3'810'778;

inline constexpr std::uint64_t nowhere = ~std::uint64_t{0};

/// Every combination has its place: all pairs as in a dictionary, then all triples likewise.
///
/// The place of a pair is pair_base(a) + b, that of a triple join(triple_base(a), pair_base(b)) +
/// c. Sums may pass through zero on the way.
struct Ranked {
    static constexpr bool complete = true, collide = false;
    std::uint64_t width;

    std::uint64_t pair_base(std::uint64_t a) const {
        return a * width - pairs_among(a + 1) - a - 1;
    }
    std::uint64_t triple_base(std::uint64_t a) const {
        return triples_among(width) - triples_among(width - a) + pairs_among(width - a - 1);
    }
    static std::uint64_t join(std::uint64_t first, std::uint64_t second) { return first + second; }

    /// The places of n combinations that differ in their last column only.
    void find(std::uint64_t base, const std::uint64_t* columns, std::size_t n,
              std::uint64_t* places) const {
        for (std::size_t k = 0; k < n; ++k) places[k] = base + columns[k];
    }
};

/// Combinations that were seen have theirs in the same order; the others have none.
struct Seen : Ranked {
    static constexpr bool complete = false;
    std::span<const std::int64_t> ranks;   // of those seen, rising
    std::span<const std::uint32_t> table;  // places by hash of the rank, a power of two of them

    static constexpr std::uint32_t vacant = ~std::uint32_t{0};

    std::size_t slot(std::uint64_t rank) const {
        const int bits = std::countr_zero(table.size());
        return bits == 0 ? 0 : rank * 0x9E3779B97F4A7C15u >> (64 - bits);
    }

    void find(std::uint64_t base, const std::uint64_t* columns, std::size_t n,
              std::uint64_t* places) const {
        for (std::size_t k = 0; k < n; ++k) {
            places[k] = slot(base + columns[k]);
            __builtin_prefetch(&table[places[k]]);
        }
        for (std::size_t k = 0; k < n; ++k) {
            const std::uint32_t likely = table[places[k]];
            if (likely < ranks.size()) __builtin_prefetch(&ranks[likely]);
        }
        for (std::size_t k = 0; k < n; ++k) places[k] = place_of(base + columns[k], places[k]);
    }

    std::uint64_t place_of(std::uint64_t rank, std::size_t slot) const {
        for (std::size_t tried = 0; tried < table.size(); ++tried) {
            const std::uint32_t place = table[slot];
            if (place >= ranks.size()) return nowhere;
            if (static_cast<std::uint64_t>(ranks[place]) == rank) return place;
            slot = (slot + 1) % table.size();
        }
        return nowhere;
    }

    /// Enters all ranks into a vacant table that has more slots than there are ranks.
    void fill(std::span<std::uint32_t> vacant_table) const {
        for (std::size_t place = 0; place < ranks.size(); ++place) {
            std::size_t free = slot(static_cast<std::uint64_t>(ranks[place]));
            while (vacant_table[free] != vacant) free = (free + 1) % vacant_table.size();
            vacant_table[free] = static_cast<std::uint32_t>(place);
        }
    }
};

/// Combinations are scattered over 2^bits places; some share one. The same on every platform, and
/// whatever the number of features.
struct Hashed {
    static constexpr bool complete = true, collide = true;
    int bits;  // 1 ... 32

    static std::uint64_t pair_base(std::uint64_t a) { return scrambled(a + 1); }
    static std::uint64_t triple_base(std::uint64_t a) { return scrambled(~a); }
    static std::uint64_t join(std::uint64_t first, std::uint64_t second) {
        return scrambled(first + second);
    }
    void find(std::uint64_t base, const std::uint64_t* columns, std::size_t n,
              std::uint64_t* places) const {
        for (std::size_t k = 0; k < n; ++k) places[k] = scrambled(base + columns[k]) >> (64 - bits);
    }
};

}  // namespace rosenblatt
