// The orders of the passes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
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

inline void test_orders() {
    test("every order names every row once", [] {
        for (const std::uint32_t block : {0u, 1u, 2u, 3u, 7u, 31u, 32u, 33u, 64u, 500u})
            for (size_t n = 0; n <= 200; ++n) {
                std::vector<std::uint32_t> order(n);
                draw_order(order, n, block, block);
                CHECK(is_permutation(order));
            }
    });

    test("blocks stay together, the short one first", [] {
        for (const std::uint32_t block : {2u, 5u, 32u})
            for (std::uint32_t n = 1; n <= 200; ++n) {
                std::vector<std::uint32_t> order(n);
                draw_order(order, 7, n, block);
                const std::uint32_t rest = n % block;
                for (std::uint32_t at = 0; at < rest; ++at) CHECK(order[at] >= n - rest);
                for (std::uint32_t at = rest; at < n; ++at)
                    CHECK(order[at] / block == order[at - (at - rest) % block] / block);
            }
    });

    test("the row to fetch is one of the rows", [] {
        for (const std::uint32_t block : {1u, 2u, 5u, 32u, 500u})
            for (size_t n = 1; n <= 100; ++n) {
                std::vector<std::uint32_t> order(n);
                draw_order(order, 7, n, block);
                const Order in_turn{order.data(), n, block};
                for (size_t end = 1; end <= n; ++end)
                    for (size_t turn = 0; turn < end; ++turn) CHECK(in_turn.soon(turn, end) < n);
            }
    });

    test("the same seed and pass give the same order, on every platform and version", [] {
        std::vector<std::uint32_t> rows(12), blocks(12);
        draw_order(rows, 42, 3, 1);
        draw_order(blocks, 42, 3, 5);
        CHECK(rows == std::vector<std::uint32_t>{3, 10, 5, 6, 1, 4, 8, 2, 11, 7, 0, 9});
        CHECK(blocks == std::vector<std::uint32_t>{10, 11, 6, 7, 5, 9, 8, 4, 0, 2, 1, 3});
    });

    test("other seeds and other passes give other orders", [] {
        std::set<std::vector<std::uint32_t>> orders;
        for (std::uint64_t seed = 0; seed < 30; ++seed)
            for (std::uint64_t pass = 0; pass < 30; ++pass) {
                std::vector<std::uint32_t> order(30);
                draw_order(order, seed, pass, 1);
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
            draw_order(order, 5, pass, 1);
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
