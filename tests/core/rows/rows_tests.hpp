// Reading rows, and finding what is wrong with them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "check.hpp"
#include "fast/condensed.hpp"
#include "rows/checks.hpp"
#include "rows/rows.hpp"
#include "rows/scored_weights.hpp"
#include "tables.hpp"

namespace core_tests {

using namespace rosenblatt;
using std::size_t;

using Kind = Fault::Kind;

/// What is wrong with rows begin ... end-1, columns first.
template <class Rows>
std::optional<Fault> fault_of(const Rows& rows, size_t begin, size_t end) {
    const auto fault = columns_fault(rows, begin, end);
    return fault ? fault : values_fault(rows, begin, end);
}

/// The definition in lanes.hpp, word by word.
inline double in_eight_lanes(const std::vector<double>& products) {
    std::array<double, 8> sums{};
    for (size_t k = 0; k < products.size(); ++k) sums[k % 8] += products[k];
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

inline void test_rows() {
    test("a dot product adds up in eight lanes, whatever its length", [] {
        Dice dice(1);
        for (size_t n = 0; n <= 40; ++n) {
            std::vector<double> x(n), w(n + 1), products(n);
            std::vector<float> x32(n);
            std::vector<std::int32_t> columns(n);
            std::vector<std::int64_t> wide_columns(n);
            for (double& weight : w) weight = dice.real();
            for (size_t k = 0; k < n; ++k) {
                x32[k] = static_cast<float>(dice.real());
                x[k] = x32[k];
                columns[k] = static_cast<std::int32_t>(n - 1 - k);
                wide_columns[k] = columns[k];
                products[k] = x[k] * w[k];
            }
            const Plain weights{{w.data()}};
            const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(n);
            const double dense = in_eight_lanes(products);
            CHECK(Dense<double>{x.data(), stride, 1, n}.dot(0, weights) == dense);
            CHECK(Dense<float>{x32.data(), stride, 1, n}.dot(0, weights) == dense);
            for (size_t k = 0; k < n; ++k) products[k] = x[k] * w[n - 1 - k];
            const double sparse = in_eight_lanes(products);
            const std::vector<std::int32_t> indptr{0, static_cast<std::int32_t>(n)};
            const std::vector<std::int64_t> wide_indptr{0, static_cast<std::int64_t>(n)};
            CHECK(Csr<double, std::int32_t>{x, columns, indptr, 1, n}.dot(0, weights) == sparse);
            CHECK(Csr<float, std::int64_t>{x32, wide_columns, wide_indptr, 1, n}.dot(0, weights) ==
                  sparse);
            for (size_t k = 0; k < n; ++k) products[k] = x[k] * x[k];
            const double squared = in_eight_lanes(products);
            CHECK(Dense<double>{x.data(), stride, 1, n}.squared_norm(0) == squared);
            CHECK(Dense<float>{x32.data(), stride, 1, n}.squared_norm(0) == squared);
            CHECK(Csr<double, std::int32_t>{x, columns, indptr, 1, n}.squared_norm(0) == squared);
            const auto both_are = [&](double dot, const auto& rows) {
                const Dots found = rows.template dots<true>(0, weights, Idle{});
                return found.dot == dot && found.squares == squared;
            };
            CHECK(both_are(dense, Dense<double>{x.data(), stride, 1, n}));
            CHECK(both_are(dense, Dense<float>{x32.data(), stride, 1, n}));
            CHECK(both_are(sparse, Csr<double, std::int32_t>{x, columns, indptr, 1, n}));
            CHECK(both_are(sparse, Csr<float, std::int64_t>{x32, wide_columns, wide_indptr, 1, n}));
        }
    });

    test("prefetching another row beside a dot product changes nothing", [] {
        Dice dice(2);
        for (size_t width = 0; width <= 40; ++width) {
            const Table table = random_table(dice, 5, width, 2);
            std::vector<double> w(width + 1);
            for (double& weight : w) weight = dice.real();
            in_every_form(table, [&](const auto& rows) {
                for (size_t row = 0; row < rows.count; ++row) {
                    auto prefetch = rows.template prefetch<Cache::second>(rows.count - 1 - row);
                    const double beside = rows.dot(row, Plain{{w.data()}}, prefetch);
                    prefetch.finish();
                    CHECK(beside == rows.dot(row, Plain{{w.data()}}));
                }
            });
        }
    });

    test("every form of the rows reads the same values", [] {
        Dice dice(3);
        for (size_t width = 0; width <= 20; ++width) {
            const Table table = random_table(dice, 7, width, 2);
            std::vector<double> w(width + 1);
            for (double& weight : w) weight = dice.below(9) - 4;
            in_every_form(table, [&](const auto& rows) {
                CHECK(rows.count == table.count && rows.width == width);
                for (size_t row = 0; row < table.count; ++row) {
                    std::vector<double> seen(width);
                    rows.template each<2>(
                        row, [&](auto, size_t column, double value) { seen[column] += value; }, 8,
                        [&](size_t column) { CHECK(column < width); });
                    double dot = 0, squared = 0;
                    for (size_t k = 0; k < width; ++k) {
                        CHECK(seen[k] == table.at(row, k));
                        dot += seen[k] * w[k];
                        squared += seen[k] * seen[k];
                    }
                    CHECK(rows.dot(row, Plain{{w.data()}}) == dot);
                    CHECK(rows.squared_norm(row) == squared);
                }
            });
        }
    });

    test("rows are prefetched a few positions ahead, long ones fewer", [] {
        for (size_t width : {0, 1, 10, 100, 1000, 100000}) {
            const Dense<double> rows{nullptr, 0, 0, width};
            const PrefetchDistance distance = rows.prefetch_distance();
            CHECK(1 <= distance.soon && distance.soon < distance.late && distance.late <= 64);
        }
        const Csr<double, std::int32_t> none{{}, {}, {}, 0, 5};
        CHECK(none.prefetch_distance().soon == 16 && none.prefetch_distance().late == 64);
    });

    test("one row may stand for many", [] {
        const std::vector<double> row{1, 2, 3};
        const Dense<double> rows{row.data(), 0, 1000, 3};
        CHECK(!fault_of(rows, 0, 1000));
        CHECK(rows.dot(999, Plain{{row.data()}}) == 14.0);
    });
}

inline bool is(const std::optional<Fault>& fault, Kind kind, std::int64_t row) {
    return fault && fault->kind == kind && fault->row == row;
}

template <class Value>
inline void test_dense_faults() {
    Dice dice(4);
    const Table table = random_table(dice, 6, 19, 2);
    const double infinity = std::numeric_limits<double>::infinity();
    for (const std::ptrdiff_t stride : {19, 23, -19})
        for (const size_t row : {size_t{0}, size_t{3}, size_t{5}})
            for (size_t column = 0; column < 19; ++column)
                for (const double bad : {std::nan(""), infinity, -infinity}) {
                    DenseCopy<Value> copy(table, stride);
                    CHECK(!fault_of(copy.rows, 0, 6));
                    const_cast<Value*>(copy.rows.row(row))[column] = static_cast<Value>(bad);
                    const auto fault = fault_of(copy.rows, 0, 6);
                    CHECK(is(fault, Kind::value, static_cast<std::int64_t>(row)));
                    CHECK(fault->column == static_cast<std::int64_t>(column));
                    CHECK(std::isnan(bad) ? std::isnan(fault->value) : fault->value == bad);
                    CHECK(!fault_of(copy.rows, 0, row) && !fault_of(copy.rows, row + 1, 6));
                }
}

template <class Value, class Index>
inline void test_csr_faults() {
    Dice dice(5);
    Table table = random_table(dice, 6, 19, 2);
    for (const size_t row : {0, 5}) table.values[row * 19] = table.values[row * 19 + 18] = 1;
    for (size_t column = 0; column < 19; ++column) table.values[2 * 19 + column] = 0;
    const CsrCopy<Value, Index> whole(table);
    const size_t stored = whole.columns.size();
    CHECK(!indptr_fault(whole.rows()) && !fault_of(whole.rows(), 0, 6));

    const auto row_of = [&](size_t k) {
        const auto after =
            std::upper_bound(whole.indptr.begin(), whole.indptr.end(), static_cast<Index>(k));
        return static_cast<std::int64_t>(after - whole.indptr.begin()) - 1;
    };
    constexpr Index most = std::numeric_limits<Index>::max(),
                    least = std::numeric_limits<Index>::min();
    for (size_t k = 0; k < stored; ++k) {
        const size_t row = static_cast<size_t>(row_of(k));
        for (const Index bad : {Index{19}, Index{20}, most, Index{-1}, Index{-2}, least}) {
            auto copy = whole;
            copy.columns[k] = bad;
            const auto fault = fault_of(copy.rows(), 0, 6);
            CHECK(is(fault, Kind::column, row_of(k)) && fault->column == bad);
            CHECK(!fault_of(copy.rows(), 0, row) && !fault_of(copy.rows(), row + 1, 6));
        }
        for (const double bad : {std::nan(""), -std::numeric_limits<double>::infinity()}) {
            auto copy = whole;
            copy.values[k] = static_cast<Value>(bad);
            const auto fault = fault_of(copy.rows(), 0, 6);
            CHECK(is(fault, Kind::value, row_of(k)) && fault->column == whole.columns[k]);
        }
    }

    for (const Index bad : {Index{1}, Index{-1}, most, least}) {
        auto copy = whole;
        copy.indptr[0] = bad;
        CHECK(is(indptr_fault(copy.rows()), Kind::start, 0));
    }
    for (size_t row = 1; row <= 6; ++row)
        for (const Index bad : {Index{-1}, least}) {
            auto copy = whole;
            copy.indptr[row] = bad;
            CHECK(is(indptr_fault(copy.rows()), Kind::decreasing,
                     static_cast<std::int64_t>(row) - 1));
        }
    for (size_t row = 1; row < 6; ++row) {
        auto copy = whole;
        copy.indptr[row] = most;
        CHECK(is(indptr_fault(copy.rows()), Kind::decreasing, static_cast<std::int64_t>(row)));
    }
    for (const Index bad : {static_cast<Index>(stored + 1), most}) {
        auto copy = whole;
        copy.indptr[6] = bad;
        const auto fault = indptr_fault(copy.rows());
        CHECK(is(fault, Kind::end, 6) && fault->column == bad);
    }
    auto short_of_columns = whole;
    short_of_columns.columns.pop_back();
    CHECK(is(indptr_fault(short_of_columns.rows()), Kind::end, 6));
    auto short_of_values = whole;
    short_of_values.values.pop_back();
    CHECK(is(indptr_fault(short_of_values.rows()), Kind::end, 6));

    for (const std::uint64_t width :
         {std::uint64_t{1} << 31, (std::uint64_t{1} << 31) + 7, (std::uint64_t{1} << 32) - 1,
          std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 7, std::uint64_t{1} << 62})
        for (const Index bad :
             {Index{-1}, Index{-2}, Index{-7}, static_cast<Index>(least + 5), least}) {
            auto copy = whole;
            copy.width = width;
            CHECK(!fault_of(copy.rows(), 0, 6));
            copy.columns[stored - 1] = bad;
            CHECK(is(fault_of(copy.rows(), 0, 6), Kind::column, 5));
        }
}

inline void test_faults() {
    test("a value that is no number is found in dense rows of float64", test_dense_faults<double>);
    test("a value that is no number is found in dense rows of float32", test_dense_faults<float>);
    test("faults are found in CSR of float64 and int32", test_csr_faults<double, std::int32_t>);
    test("faults are found in CSR of float64 and int64", test_csr_faults<double, std::int64_t>);
    test("faults are found in CSR of float32 and int32", test_csr_faults<float, std::int32_t>);
    test("faults are found in CSR of float32 and int64", test_csr_faults<float, std::int64_t>);

    test("the largest value is allowed and the next above it is not", [] {
        for (const double sign : {1.0, -1.0}) {
            const std::vector<double> largest{sign * largest_value};
            const std::vector<double> above{sign * std::nextafter(largest_value, 1e80)};
            const std::vector<float> largest_float{static_cast<float>(sign) *
                                                   std::numeric_limits<float>::max()};
            CHECK(!(fault_of(Dense<double>{largest.data(), 1, 1, 1}, 0, 1)));
            CHECK(is(fault_of(Dense<double>{above.data(), 1, 1, 1}, 0, 1), Kind::value, 0));
            CHECK(!(fault_of(Dense<float>{largest_float.data(), 1, 1, 1}, 0, 1)));
        }
    });

    test("no rows and no columns have no fault", [] {
        in_every_form(table_of({}, {}), [](const auto& rows) { CHECK(!fault_of(rows, 0, 0)); });
        in_every_form(table_of({{}, {}}, {0, 1}), [](const auto& rows) {
            CHECK(!fault_of(rows, 0, 2) && in_order(rows, 0, 2));
        });
    });

    test("columns that occur are numbered in their order, all others are number zero", [] {
        for (const size_t width : {1, 63, 64, 65, 200}) {
            const auto last = static_cast<std::int32_t>(width) - 1;
            const std::vector<std::int32_t> all = {last, 0, last / 2, last, last / 3, 0};
            const CondensedColumns condensed(width, std::span<const std::int32_t>(all));
            std::vector<std::int64_t> occur(all.begin(), all.end());
            std::ranges::sort(occur);
            occur.erase(std::unique(occur.begin(), occur.end()), occur.end());
            CHECK(condensed.size() == occur.size());
            std::vector<std::int64_t> columns(condensed.size());
            condensed.write(columns.data());
            CHECK(columns == occur);
            std::vector<std::int32_t> each(width), numbers(width);
            std::iota(each.begin(), each.end(), 0);
            condensed.number(std::span<const std::int32_t>(each), numbers.data());
            for (size_t column = 0; column < width; ++column) {
                const auto found = std::ranges::find(occur, static_cast<std::int64_t>(column));
                CHECK(numbers[column] == (found == occur.end() ? 0 : found - occur.begin() + 1));
            }
        }
    });

    test("rows are in order when each names its columns once and rising", [] {
        Dice dice(6);
        for (int round = 0; round < 3000; ++round) {
            std::vector<std::int32_t> columns, indptr{0};
            bool rising = true;
            const int rows = dice.below(5);
            for (int row = 0; row < rows; ++row) {
                std::int32_t before = -1;
                for (int left = dice.below(4); left > 0; --left) {
                    columns.push_back(dice.below(4) ? std::min(before + 1, 5) : dice.below(6));
                    rising = rising && columns.back() > before;
                    before = columns.back();
                }
                indptr.push_back(static_cast<std::int32_t>(columns.size()));
            }
            columns.shrink_to_fit();
            const std::vector<double> values(columns.size(), 1.0);
            const Csr<double, std::int32_t> csr{values, columns, indptr, indptr.size() - 1, 6};
            CHECK(in_order(csr, 0, csr.count) == rising);
            bool in_parts = true;
            for (size_t begin = 0; begin < csr.count; begin += 2)
                in_parts = in_parts && in_order(csr, begin, std::min(csr.count, begin + 2));
            CHECK(in_parts == rising);
        }
    });
}

}  // namespace core_tests
