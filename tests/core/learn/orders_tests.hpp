// The orders of the passes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include "check.hpp"
#include "learn/examples.hpp"
#include "learn/orders.hpp"
#include "tables.hpp"

namespace core_tests {

using namespace rosenblatt;
using std::size_t;

inline bool is_permutation(std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> sorted(order.begin(), order.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted == counted_up(order.size());
}

inline double chi_square(const std::vector<int>& counts, double expected) {
    double sum = 0;
    for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
    return sum;
}

/// Numbers of rows around those from which on blocks are woven, and several times as many.
inline std::vector<size_t> lengths() {
    std::vector<size_t> lengths{enough_rows};
    for (const size_t blocks : {1, 3, 4, 5, 31, 32, 33, 300})
        for (const int more : {-33, -1, 0, 1, 33})
            lengths.push_back(enough_rows + blocks * block_rows + static_cast<size_t>(more));
    return lengths;
}

inline std::vector<std::uint32_t> block_order(size_t n, std::uint64_t seed) {
    std::vector<std::uint32_t> order(n);
    Generator generator(seed, n);
    draw_blocks(order, generator);
    return order;
}

/// Rows sorted by their class, of which there are so many.
inline std::vector<std::uint32_t> class_order(const std::vector<std::uint32_t>& sizes,
                                              std::uint64_t seed) {
    const auto rows = counted_up(std::accumulate(sizes.begin(), sizes.end(), size_t{0}));
    std::vector<std::uint32_t> order(rows.size());
    Generator generator(seed, rows.size());
    draw_by_class(order, rows, sizes, generator);
    return order;
}

inline void test_orders() {
    test("every order names every row once", [] {
        for (size_t n = 0; n <= 200; ++n) {
            std::vector<std::uint32_t> order(n);
            draw_order(order, n, 3);
            CHECK(is_permutation(order));
        }
        for (const size_t n : lengths()) {
            const auto rows = static_cast<std::uint32_t>(n);
            CHECK(is_permutation(block_order(n, 7)));
            CHECK(is_permutation(class_order({rows / 2, 0, 1, rows - rows / 2 - 1}, 7)));
        }
    });

    test("few rows are shuffled one by one", [] {
        for (const size_t n : {0u, 1u, block_rows, enough_rows - 1}) {
            std::vector<std::uint32_t> order(n);
            draw_order(order, 7, n);
            CHECK(block_order(n, 7) == order);
            CHECK(class_order({static_cast<std::uint32_t>(n)}, 7) == order);
        }
    });

    test("rows that fill no block come first, then a block of each part at a time", [] {
        for (const size_t n : lengths()) {
            const auto order = block_order(n, 8);
            const size_t loose = n % block_rows, blocks = n / block_rows, parts = parts_woven;
            for (size_t at = 0; at < loose; ++at) CHECK(order[at] >= n - loose);
            size_t at = loose;
            for (size_t left = blocks; left > 0;) {
                const size_t woven = left % parts ? left % parts : parts;
                std::map<size_t, std::vector<std::uint32_t>> walked;  // by block
                for (size_t k = 0; k < woven * block_rows; ++k, ++at)
                    walked[order[at] / block_rows].push_back(order[at]);
                CHECK(walked.size() == woven);
                std::set<size_t> from;
                for (auto& [block, rows] : walked) {
                    from.insert(((block + 1) * parts - 1) / blocks);
                    if (rows.front() > rows.back()) std::reverse(rows.begin(), rows.end());
                    CHECK(rows.size() == block_rows && std::is_sorted(rows.begin(), rows.end()));
                }
                CHECK(from.size() == woven);
                left -= woven;
            }
        }
    });

    test("of rows whose labels come in runs, every stretch of a pass has its share of each class",
         [] {
             const std::vector<std::uint32_t> sizes{30'000, 900, 5, 20'000};
             const std::vector<std::uint32_t> ends{30'000, 30'900, 30'905, 50'905};
             const auto order = class_order(sizes, 9);
             const size_t n = order.size();
             std::vector<double> met(sizes.size());
             for (size_t at = 0; at < n; ++at) {
                 ++met[std::ranges::upper_bound(ends, order[at]) - ends.begin()];
                 if ((at + 1) % window_rows != 0) continue;
                 for (size_t k = 0; k < sizes.size(); ++k) {
                     const double share =
                         sizes[k] * static_cast<double>(at + 1) / static_cast<double>(n);
                     CHECK(std::abs(met[k] - share) < 3 + 6 * std::sqrt(sizes[k] * 0x1p-4));
                 }
             }
         });

    test("the same seed and pass give the same order, on every platform and version", [] {
        std::vector<std::uint32_t> rows(12);
        draw_order(rows, 42, 3);
        CHECK(rows == std::vector<std::uint32_t>{3, 10, 5, 6, 1, 4, 8, 2, 11, 7, 0, 9});
    });

    test("other seeds and other passes give other orders", [] {
        std::set<std::vector<std::uint32_t>> orders;
        for (std::uint64_t seed = 0; seed < 30; ++seed)
            for (std::uint64_t pass = 0; pass < 30; ++pass) {
                std::vector<std::uint32_t> order(30);
                draw_order(order, seed, pass);
                orders.insert(order);
            }
        CHECK(orders.size() == 900);
    });

    test("numbers below a bound are uniform", [] {
        Generator generator(2024, 0);
        for (const std::uint32_t bound : {1u, 2u, 3u, 10u, 100u}) {
            std::vector<int> counts(bound);
            for (std::uint32_t draw = 0; draw < 1000 * bound; ++draw)
                ++counts[generator.below(bound)];
            CHECK(chi_square(counts, 1000) < bound + 6 * std::sqrt(2.0 * bound));
        }
    });

    test("numbers below a large bound are uniform, where a remainder would not be", [] {
        Generator generator(2024, 1);
        constexpr std::uint32_t bound = 3u << 30;
        std::vector<int> counts(3);
        for (int draw = 0; draw < 30000; ++draw) {
            const std::uint32_t number = generator.below(bound);
            CHECK(number < bound);
            ++counts[number >> 30];
        }
        CHECK(chi_square(counts, 10000) < 20);
    });

    test("all orders of four rows are as likely", [] {
        std::vector<int> counts(24);
        for (std::uint64_t pass = 0; pass < 24000; ++pass) {
            std::vector<std::uint32_t> order(4);
            draw_order(order, 5, pass);
            size_t rank = 0;
            auto sorted = counted_up(4);
            while (sorted != order) {
                std::next_permutation(sorted.begin(), sorted.end());
                ++rank;
            }
            ++counts[rank];
        }
        CHECK(chi_square(counts, 1000) < 60);
    });
}

}  // namespace core_tests
