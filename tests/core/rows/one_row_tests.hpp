// One example gathered in any order says what the sorted one would have said.
#pragma once

#include <map>
#include <vector>

#include "check.hpp"
#include "rows/checks.hpp"
#include "rows/one_row.hpp"

namespace core_tests {

inline void test_gathered() {
    test("a gathered example names each column once, in rising order, duplicates summed", [] {
        Dice dice(1);
        Gathered gathered;
        const std::int64_t indptr[] = {3, 200, 70'000, std::int64_t{1} << 40, INT64_MAX};
        for (int trial = 0; trial < 500; ++trial) {
            const std::int64_t bound = indptr[dice.below(5)];
            const int count = dice.below(trial % 7 == 0 ? 2'000 : 90);
            std::map<std::int64_t, double> expected;
            gathered.start(static_cast<size_t>(count));
            for (int k = 0; k < count; ++k) {
                const auto column = static_cast<std::int64_t>(dice.generator.next() >> 1) % bound;
                const double value = dice.below(9) - 4;
                expected[column] += value;
                gathered.add(column, value);
            }
            const auto row = gathered.row(static_cast<size_t>(bound));
            CHECK(row.length(0) == expected.size());
            size_t k = 0;
            for (const auto& [column, value] : expected) {
                CHECK(row.columns[k] == column && row.values[k] == value);
                ++k;
            }
        }
    });

    test("what was read beyond the last value does not count", [] {
        Gathered gathered;
        gathered.start(20);
        for (int k = 0; k < 20; ++k) gathered.add(19 - k, 1e9);
        gathered.row(20);
        gathered.start(3);
        for (int k = 0; k < 3; ++k) gathered.add(k, 2.0);
        const auto row = gathered.row(20);
        CHECK(row.squared_norm(0) == 12.0);
        CHECK(!values_fault(row, 0, 1) && !columns_fault(row, 0, 1) && !indptr_fault(row));
    });

    test("an example may be empty", [] {
        Gathered gathered;
        gathered.start(0);
        CHECK(gathered.row(0).length(0) == 0);
        CHECK(gathered.row(5).squared_norm(0) == 0.0);
    });
}

}  // namespace core_tests
