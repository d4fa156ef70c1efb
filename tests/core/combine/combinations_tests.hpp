// Pairs and triples of features.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "check.hpp"
#include "combine/columns.hpp"
#include "combine/combinations.hpp"
#include "combine/frequent.hpp"
#include "tables.hpp"

namespace core_tests {

using namespace rosenblatt;
using std::size_t;

using Members = std::vector<std::uint64_t>;

/// All pairs and then all triples of so many features.
inline std::vector<Members> all_combinations(size_t width, bool triples) {
    std::vector<Members> all;
    for (std::uint64_t a = 0; a < width; ++a)
        for (std::uint64_t b = a + 1; b < width; ++b) all.push_back({a, b});
    for (std::uint64_t a = 0; triples && a < width; ++a)
        for (std::uint64_t b = a + 1; b < width; ++b)
            for (std::uint64_t c = b + 1; c < width; ++c) all.push_back({a, b, c});
    return all;
}

template <class FourInts>
inline std::uint64_t place_of(const FourInts& places, const Members& members) {
    std::uint64_t place = 0;
    const std::uint64_t base = members.size() == 2 ? places.pair_base(members[0])
                                                   : places.join(places.triple_base(members[0]),
                                                                 places.pair_base(members[1]));
    places.find(base, &members.back(), 1, &place);
    return place;
}

inline double product_of(const Table& table, size_t row, const Members& members) {
    double product = 1;
    for (const std::uint64_t column : members) product *= table.at(row, column);
    return product;
}

/// The ranks of what occurs in so many rows, one combination after the other.
inline std::vector<std::int64_t> counted(const Table& table, bool triples, size_t least) {
    std::vector<std::int64_t> ranks;
    const auto all = all_combinations(table.width, triples);
    for (size_t rank = 0; rank < all.size(); ++rank) {
        size_t rows = 0;
        for (size_t row = 0; row < table.count; ++row)
            rows += product_of(table, row, all[rank]) != 0.0;
        if (rows >= least) ranks.push_back(static_cast<std::int64_t>(rank));
    }
    return ranks;
}

/// Ranks and where groups of them start.
struct Index {
    std::vector<std::int64_t> ranks;
    std::vector<std::uint32_t> starts;
    Seen places;

    Index(std::vector<std::int64_t> given, size_t width, bool triples, int shift)
        : ranks(std::move(given)), starts((combinations_among(width, triples) >> shift) + 2) {
        places = {{width}, ranks, starts, shift};
        places.find_starts(starts);
    }
};

/// Whether a row is written as it should be, sparse and dense, into just enough room.
template <class FourInts, class Rows>
inline bool writes_rows(const Table& table, const Rows& rows, const FourInts& places,
                        size_t columns, bool original, bool triples) {
    bool right = true;
    const size_t offset = original ? table.width : 0;
    Combiner<double, FourInts> combiner(places, table.width, original, triples);
    for (size_t row = 0; row < table.count; ++row) {
        std::map<size_t, double> expected;
        for (size_t column = 0; column < offset; ++column) expected[column] = table.at(row, column);
        for (const Members& members : all_combinations(table.width, triples)) {
            const std::uint64_t place = place_of(places, members);
            if (place != nowhere) expected[offset + place] += product_of(table, row, members);
        }
        combiner.row.read(rows, row, false);
        std::vector<double> values(static_cast<size_t>(combiner.most()));
        std::vector<std::int64_t> where(values.size());
        CsrEnd<double, std::int64_t> end(values.data(), where.data(), 0, row % 2 == 1);
        combiner.write(end);
        end.finish();
        const auto last = where.begin() + static_cast<std::ptrdiff_t>(end.size());
        right = right && std::adjacent_find(where.begin(), last, std::greater_equal<>()) == last;
        std::map<size_t, double> written;
        for (size_t k = 0; k < end.size(); ++k) written[static_cast<size_t>(where[k])] = values[k];
        combiner.row.read(rows, row, true);
        std::vector<double> dense(offset + columns, 1e9);
        combiner.write(dense);
        for (size_t column = 0; column < dense.size(); ++column) {
            right = right && dense[column] == expected[column];
            right = right && written[column] == expected[column];
        }
        right = right && written.size() == dense.size();  // nothing beyond the last column
    }
    return right;
}

inline void test_combinations() {
    test("ranks count up through all pairs and then all triples", [] {
        for (size_t width = 0; width <= 14; ++width) {
            const Ranked places{width};
            const auto all = all_combinations(width, true);
            CHECK(all.size() == combinations_among(width, true));
            for (size_t rank = 0; rank < all.size(); ++rank)
                CHECK(place_of(places, all[rank]) == rank);
        }
    });

    test("the last combination of as many features as can be counted has the last rank", [] {
        constexpr std::uint64_t pairs = most_for_pairs, triples = most_for_triples;
        CHECK(place_of(Ranked{pairs}, {pairs - 2, pairs - 1}) == pairs_among(pairs) - 1);
        CHECK(place_of(Ranked{triples}, {triples - 3, triples - 2, triples - 1}) ==
              combinations_among(triples, true) - 1);
        CHECK(values_of(pairs, true, false) > 0);
        CHECK(values_of(triples, true, true) > 0);
        CHECK(values_of(pairs + 1, true, false) == std::numeric_limits<std::int64_t>::max());
        CHECK(values_of(triples + 1, true, true) == std::numeric_limits<std::int64_t>::max());
    });

    test("a set of columns gives them back once, in rising order, and is empty then", [] {
        Dice dice(1);
        for (const int width : {1, 63, 64, 65, 4095, 4096, 4097, 20000}) {
            ColumnSet columns(static_cast<size_t>(width));
            for (int round = 0; round < 3; ++round) {
                std::set<std::uint32_t> expected;
                for (int k = 0; k < 50; ++k)
                    expected.insert(static_cast<std::uint32_t>(dice.below(width)));
                expected.insert(static_cast<std::uint32_t>(width - 1));
                for (const std::uint32_t column : expected) columns.add(column);
                for (const std::uint32_t column : expected) columns.add(column);
                std::vector<std::uint32_t> list;
                columns.move_to(list);
                CHECK(list == std::vector<std::uint32_t>(expected.begin(), expected.end()));
            }
        }
    });

    test("seen combinations are found, others are not, however they are grouped", [] {
        Dice dice(2);
        for (size_t width = 2; width <= 9; ++width)
            for (const int shift : {0, 1, 3, 20, 63}) {
                const auto all = all_combinations(width, true);
                std::vector<std::int64_t> some;
                for (size_t rank = 0; rank < all.size(); ++rank)
                    if (dice.coin()) some.push_back(static_cast<std::int64_t>(rank));
                const Index index(some, width, true, shift);
                for (size_t rank = 0; rank < all.size(); ++rank) {
                    const auto at = std::find(some.begin(), some.end(), rank);
                    CHECK(place_of(index.places, all[rank]) ==
                          (at == some.end() ? nowhere
                                            : static_cast<std::uint64_t>(at - some.begin())));
                }
            }
    });

    test("what occurs often enough is found in every form of rows", [] {
        Dice dice(3);
        for (size_t width = 1; width <= 9; width += 2) {
            const Table table = random_table(dice, 12, width, 2);
            for (const bool triples : {false, true})
                for (const size_t least : {1, 2, 3, 5, 13}) {
                    const auto expected = counted(table, triples, least);
                    in_every_form(table, [&](const auto& rows) {
                        FrequentCombinations search(width, triples ? 3 : 2, least);
                        for (size_t row = 0; row < rows.count; ++row) search.add(rows, row);
                        CHECK(std::ranges::equal(search.find([] {}).view(), expected));
                    });
                }
        }
    });

    test("sorting by place keeps the order of what has the same place", [] {
        Dice dice(4);
        ByPlace<double> by_place;
        for (const int bits : {1, 2, 8, 20, 32})
            for (const int n : {0, 1, 2, 10, 300, 5000}) {
                std::vector<Placed<double>> items;
                for (int k = 0; k < n; ++k)
                    items.push_back(
                        {static_cast<std::uint32_t>(dice.generator.next() >> (64 - bits)),
                         static_cast<double>(k)});
                auto expected = items;
                std::stable_sort(expected.begin(), expected.end(),
                                 [](auto& a, auto& b) { return a.place < b.place; });
                by_place.sort(items, bits);
                CHECK(std::equal(
                    items.begin(), items.end(), expected.begin(), expected.end(),
                    [](auto& a, auto& b) { return a.place == b.place && a.value == b.value; }));
            }
    });

    test("rows are written with all, seen or hashed combinations, in just enough room", [] {
        Dice dice(5);
        for (size_t width = 1; width <= 8; ++width) {
            const Table table = random_table(dice, 6, width, 2);
            for (const bool original : {false, true})
                for (const bool triples : {false, true}) {
                    const Index seen(counted(table, triples, 2), width, triples, 2);
                    in_some_forms(table, [&](const auto& rows) {
                        CHECK(writes_rows(table, rows, Ranked{width},
                                          combinations_among(width, triples), original, triples));
                        CHECK(writes_rows(table, rows, seen.places, seen.ranks.size(), original,
                                          triples));
                        CHECK(writes_rows(table, rows, Hashed{4}, 16, original, triples));
                    });
                }
        }
    });
}

}  // namespace core_tests
