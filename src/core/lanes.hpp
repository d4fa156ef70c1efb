// A dot product with the same bits on every processor: eight running sums, product k added to
// sum k mod 8, multiply then add, folded as ((0+4)+(2+6))+((1+5)+(3+7)).
#pragma once

#include <cstddef>
#include <type_traits>

namespace rosenblatt {

/// Four numbers side by side; one operation at a time on each, whatever the processor's width.
using Four = double __attribute__((vector_size(32), aligned(8), may_alias));
inline constexpr std::size_t four = 4;

/// Numbers next to each other in memory, read one or four at a time.
template <class Value>
struct Run {
    const Value* first;

    double operator[](std::size_t k) const { return static_cast<double>(first[k]); }
    Four at(std::size_t k) const {
        if constexpr (std::is_same_v<Value, double>) {
            return *reinterpret_cast<const Four*>(first + k);
        } else {
            return Four{(*this)[k], (*this)[k + 1], (*this)[k + 2], (*this)[k + 3]};
        }
    }
};

/// Numbers picked out of others by their places.
template <class Numbers, class Index>
struct Picked {
    const Numbers& numbers;
    const Index* places;

    double operator[](std::size_t k) const { return numbers[static_cast<std::size_t>(places[k])]; }
    Four at(std::size_t k) const {
        return Four{(*this)[k], (*this)[k + 1], (*this)[k + 2], (*this)[k + 3]};
    }
};

/// Nothing to do beside the sum.
struct Idle {
    void operator()() {}
    void finish() {}
};

/// The sum of a[k] b[k] for k = 0 ... n-1; calls aside() after every eight.
template <class A, class B, class Aside = Idle>
[[gnu::always_inline]] inline double dot(std::size_t n, const A& a, const B& b,
                                         Aside&& aside = {}) {
    constexpr std::size_t lanes = 2 * four;
    const std::size_t whole = n - n % lanes;
    Four low{}, high{};
    for (std::size_t k = 0; k < whole; k += lanes) {
        low += a.at(k) * b.at(k);
        high += a.at(k + four) * b.at(k + four);
        aside();
    }
    double sums[lanes] = {low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]};
    for (std::size_t k = whole; k < n; ++k) sums[k - whole] += a[k] * b[k];
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

}  // namespace rosenblatt
