// The orders of the passes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include "check.hpp"
#include "examples.hpp"
#include "shuffle.hpp"
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

/// Numbers of rows around those of one block, several, and several times as many as are mixed.
inline std::vector<size_t> lengths() {
    std::vector<size_t> lengths(131);
    std::iota(lengths.begin(), lengths.end(), size_t{0});
    for (const size_t whole : {mixed_rows, 2 * mixed_rows, 5 * mixed_rows})
        for (const size_t n : {whole - 33, whole - 1, whole, whole + 1, whole + 33})
            lengths.push_back(n);
    return lengths;
}

inline std::vector<std::uint32_t> block_order(size_t n, std::uint64_t seed) {
    std::vector<std::uint32_t> order(n);
    draw_blocks(order, seed, n);
    return order;
}

inline void test_orders() {
    test("every order names every row once", [] {
        for (size_t n = 0; n <= 200; ++n) {
            std::vector<std::uint32_t> order(n);
            draw_order(order, n, 3);
            CHECK(is_permutation(order));
        }
        for (const size_t n : lengths()) CHECK(is_permutation(block_order(n, 7)));
    });

    test("rows that fill no block come first, then whole blocks, a few mixed together", [] {
        for (const size_t n : lengths()) {
            const auto order = block_order(n, 8);
            const size_t loose = n % block_rows;
            for (size_t at = 0; at < loose; ++at) CHECK(order[at] >= n - loose);
            std::vector<std::set<size_t>> mixes(n / block_rows);  // in which a block's rows come
            for (size_t at = loose; at < n; ++at)
                mixes[order[at] / block_rows].insert((at - loose) / mixed_rows);
            for (const auto& mix : mixes) CHECK(mix.size() == 1);
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
