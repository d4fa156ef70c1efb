// A dot product with the same bits on every processor: eight running sums, product k added to
// sum k mod 8, multiply then add, folded as ((0+4)+(2+6))+((1+5)+(3+7)).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/vectors.hpp"

namespace rosenblatt {

/// Numbers picked out of others by their places.
template <class Numbers, class Index>
struct Picked {
    const Numbers& numbers;
    const Index* places;

    double operator[](std::size_t k) const { return numbers[static_cast<std::size_t>(places[k])]; }
    [[gnu::always_inline]] Four at(std::size_t k) const {
        return Four{(*this)[k], (*this)[k + 1], (*this)[k + 2], (*this)[k + 3]};
    }
    /// Four of which the first n count; the places of the others may be wrong and are not used.
    [[gnu::always_inline]] Four at_most(std::size_t k, std::ptrdiff_t n) const {
        const FourInts given{
            static_cast<std::int64_t>(places[k]), static_cast<std::int64_t>(places[k + 1]),
            static_cast<std::int64_t>(places[k + 2]), static_cast<std::int64_t>(places[k + 3])};
        const FourInts sound = given & first_of_four(n);
        return Four{numbers[static_cast<std::size_t>(sound[0])],
                    numbers[static_cast<std::size_t>(sound[1])],
                    numbers[static_cast<std::size_t>(sound[2])],
                    numbers[static_cast<std::size_t>(sound[3])]};
    }
};

/// Nothing to do beside the sum.
struct Idle {
    template <class... Any>
    void operator()(Any...) const {}
};

/// Eight running sums.
struct Lanes {
    Four low{}, high{};

    [[gnu::always_inline]] void add(Four to_low, Four to_high) {
        low += to_low;
        high += to_high;
    }
    double total() const {
        const Four sums = low + high;
        return (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
};

/// The sums of a[k] b[k] and, if asked for, of a[k] a[k].
template <bool with_squares>
struct DotLanes {
    Lanes dot, squares;

    /// Adds the first and the second four of eight.
    [[gnu::always_inline]] void add(Four a_low, Four b_low, Four a_high, Four b_high) {
        dot.add(a_low * b_low, a_high * b_high);
        if constexpr (with_squares) squares.add(a_low * a_low, a_high * a_high);
    }
};

struct Dots {
    double dot;
    double squares;  // zero if not asked for
};

/// Both sums for k = 0 ... n-1; calls aside() after every eight. Where `readable` numbers allow it
/// the last few are read as eight: a branch less, which rows of changing length would send the
/// wrong way.
template <bool with_squares, class A, class B, class Aside>
[[gnu::always_inline]] inline Dots dots(std::size_t n, std::size_t readable, const A& a, const B& b,
                                        Aside&& aside) {
    constexpr std::size_t lanes = 2 * four;
    const std::size_t whole = n - n % lanes;
    DotLanes<with_squares> sums;
    for (std::size_t k = 0; k < whole; k += lanes) {
        sums.add(a.at(k), b.at(k), a.at(k + four), b.at(k + four));
        aside();
    }
    if (whole + lanes <= readable) {
        const auto left = static_cast<std::ptrdiff_t>(n - whole);
        sums.add(a.at_most(whole, left), b.at_most(whole, left), a.at_most(whole + four, left - 4),
                 b.at_most(whole + four, left - 4));
    } else {
        const bool half = n - whole >= four;
        const std::size_t k = half ? whole + four : whole, left = n - k;
        const auto rest = [&](const auto& of) __attribute__((always_inline)) {
            return Four{left > 0 ? of[k] : 0.0, left > 1 ? of[k + 1] : 0.0,
                        left > 2 ? of[k + 2] : 0.0, 0.0};
        };
        sums.add(half ? a.at(whole) : rest(a), half ? b.at(whole) : rest(b),
                 half ? rest(a) : Four{}, half ? rest(b) : Four{});
    }
    return {sums.dot.total(), with_squares ? sums.squares.total() : 0.0};
}

template <class A, class B, class Aside = Idle>
[[gnu::always_inline]] inline double dot(std::size_t n, std::size_t readable, const A& a,
                                         const B& b, Aside&& aside = {}) {
    return dots<false>(n, readable, a, b, aside).dot;
}

}  // namespace rosenblatt
