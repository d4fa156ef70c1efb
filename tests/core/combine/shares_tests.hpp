// Compressed rows that several threads write.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/threads.hpp"
#include "check.hpp"
#include "combine/shares.hpp"

namespace core_tests {

/// Rows of so many values, of which each writes all but `dropped`, in so many shares.
inline std::vector<std::int64_t> written_in_shares(const std::vector<std::int64_t>& lengths,
                                                   std::int64_t dropped, std::size_t count,
                                                   std::vector<std::int32_t>& indptr) {
    const std::size_t filled = 3;
    std::vector<std::int64_t> ends;
    for (const std::int64_t length : lengths)
        ends.push_back(length + (ends.empty() ? 0 : ends.back()));
    std::vector<std::int64_t> values(filled + static_cast<std::size_t>(ends.back()), -1);
    std::vector<std::int32_t> columns(values.size(), -1);
    indptr.assign(lengths.size() + 1, filled);
    auto shares = share_out(ends, 0, lengths.size(), filled, count);
    CHECK(shares.size() <= count);
    by_ticket(shares.size(), count, [&](std::size_t k) {
        Share& share = shares[k];
        for (std::size_t row = share.begin; row < share.end; ++row) {
            for (std::int64_t value = dropped; value < lengths[row]; ++value) {
                columns[share.written] = static_cast<std::int32_t>(value);
                values[share.written++] = static_cast<std::int64_t>(row) * 100 + value;
            }
            indptr[row + 1] = static_cast<std::int32_t>(share.written);
            CHECK(share.written <= share.to);
        }
    });
    const std::size_t end = close_gaps(std::span<const Share>(shares), filled, values.data(),
                                       columns.data(), indptr.data());
    values.resize(end);
    for (std::size_t k = filled; k < end; ++k) CHECK(values[k] % 100 == columns[k]);
    return values;
}

inline void test_shares() {
    test("rows written in shares are those written in one, gaps closed", [] {
        Dice dice(1);
        for (int round = 0; round < 200; ++round) {
            std::vector<std::int64_t> lengths(1 + dice.below(30));
            for (auto& length : lengths) length = dice.coin() ? dice.below(90) : 0;
            for (const std::int64_t dropped : {0, 1, 40}) {
                std::vector<std::int32_t> indptr, others;
                const auto whole = written_in_shares(lengths, dropped, 1, indptr);
                for (const std::size_t count : {2, 3, 8}) {
                    CHECK(written_in_shares(lengths, dropped, count, others) == whole);
                    CHECK(others == indptr);
                }
            }
        }
    });

    test("every work is done once, by however many threads", [] {
        for (const std::size_t threads : {0, 1, 2, 5, 20})
            for (const std::size_t count : {0, 1, 7, 300}) {
                std::vector<int> done(count, 0);
                by_ticket(count, threads, [&](std::size_t k) { ++done[k]; });
                CHECK(std::ranges::count(done, 1) == static_cast<std::ptrdiff_t>(count));
            }
    });

    test("an exception in one work reaches the caller", [] {
        int caught = 0;
        for (const std::size_t threads : {1, 2, 5}) try {
                by_ticket(50, threads, [](std::size_t k) {
                    if (k == 17) throw std::runtime_error("seventeen");
                });
            } catch (const std::runtime_error&) {
                ++caught;
            }
        CHECK(caught == 3);
    });
}

}  // namespace core_tests
