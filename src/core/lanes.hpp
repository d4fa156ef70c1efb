// A dot product with the same bits on every processor: eight running sums, element k
// added to sum k mod 8, multiply then add, folded as ((0+4)+(2+6))+((1+5)+(3+7)).
#pragma once

#include <array>
#include <cstddef>

namespace rosenblatt {

/// Nothing to do beside the sum.
struct Idle {
    void operator()() {}
    void finish() {}
};

class Lanes {
  public:
    static constexpr std::size_t count = 8;

    /// Adds term(k) for k = 0 ... n-1; calls aside() after every eight.
    template <class Term, class Aside>
    [[gnu::always_inline]] void add(std::size_t n, Term term, Aside& aside) {
        const std::size_t whole = n - n % count;
        for (std::size_t k = 0; k < whole; k += count) {
            for (std::size_t lane = 0; lane < count; ++lane) sums[lane] += term(k + lane);
            aside();
        }
        for (std::size_t k = whole; k < n; ++k) sums[k - whole] += term(k);
    }

    double total() const {
        return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
               ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    }

  private:
    std::array<double, count> sums{};
};

/// Four neighbouring weights; one operation at a time on each, whatever the processor's width.
using Four = double __attribute__((vector_size(32), aligned(8), may_alias));
inline constexpr std::size_t four = 4;

}  // namespace rosenblatt
