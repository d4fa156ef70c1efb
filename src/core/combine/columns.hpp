// The columns of combinations: one for each that there may be, for each that was seen, or hashed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/mix.hpp"

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

constexpr std::uint64_t combinations_among(std::uint64_t n, bool triples) {
    return pairs_among(n) + (triples ? triples_among(n) : 0);
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
///
/// Those with the same bits above the lowest `shift` of their rank stand together, from
/// starts[rank >> shift] on, so that what belongs to the same features is near in memory.
struct Seen : Ranked {
    static constexpr bool complete = false;
    std::span<const std::int64_t> ranks;    // of those seen, rising
    std::span<const std::uint32_t> starts;  // one more than there are groups
    int shift;

    void find(std::uint64_t base, const std::uint64_t* columns, std::size_t n,
              std::uint64_t* places) const {
        for (std::size_t k = 0; k < n; ++k) places[k] = place_of(base + columns[k]);
    }

    std::uint64_t place_of(std::uint64_t rank) const {
        std::size_t first = begin(rank), left = end(rank) - first;
        while (left > 1) {
            const std::size_t half = left / 2;
            first += static_cast<std::uint64_t>(ranks[first + half]) <= rank ? half : 0;
            left -= half;
        }
        return left == 1 && static_cast<std::uint64_t>(ranks[first]) == rank ? first : nowhere;
    }

    /// Works out where each group starts.
    void find_starts(std::span<std::uint32_t> out) const {
        std::size_t place = 0;
        for (std::size_t group = 0; group < out.size(); ++group) {
            while (place < ranks.size() &&
                   static_cast<std::uint64_t>(ranks[place]) >> shift < group)
                ++place;
            out[group] = static_cast<std::uint32_t>(place);
        }
    }

  private:
    std::size_t begin(std::uint64_t rank) const {
        return std::min<std::size_t>(starts[rank >> shift], ranks.size());
    }
    std::size_t end(std::uint64_t rank) const {
        return std::clamp<std::size_t>(starts[(rank >> shift) + 1], begin(rank), ranks.size());
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
