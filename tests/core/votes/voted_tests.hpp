// Mistakes kept with their rows, and the votes of the weight vectors that they tell of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "check.hpp"
#include "learn/twin.hpp"
#include "tables.hpp"
#include "votes/voted.hpp"

namespace core_tests {

using namespace rosenblatt;
using std::size_t;

/// Arrays with no more room than a stretch may need.
struct KeptArrays {
    std::vector<Mistake> list;
    std::vector<std::int64_t> indptr, used, row_of;
    std::vector<std::int32_t> columns;
    std::vector<double> values;

    explicit KeptArrays(size_t examples) : indptr(1), used(4), row_of(examples, -1) {}

    template <class Rows>
    Mistakes with_room(const Rows& rows, Order order, size_t begin, size_t end) {
        const size_t more = end - begin, stored = rosenblatt::stored(rows, order, begin, end);
        list.resize(static_cast<size_t>(used[0]) + more);
        indptr.resize(static_cast<size_t>(used[1]) + more + 1);
        columns.resize(static_cast<size_t>(used[2]) + stored);
        values.resize(columns.size());
        return {list, indptr, columns, values, used, row_of};
    }
    template <class Rows>
    void keep(const Rows& rows, std::span<const Mistake> made) {
        Mistakes mistakes = with_room(rows, as_stored, 0, row_of.size());
        std::ranges::copy(made, mistakes.room(made.size()).begin());
        mistakes.add(rows, static_cast<std::int64_t>(made.size()));
    }
    std::vector<Mistake> mistakes() const {
        return {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(used[0])};
    }
    KeptRows rows(size_t width) const {
        const auto count = static_cast<size_t>(used[1]), stored = static_cast<size_t>(used[2]);
        return {std::span(indptr).first(count + 1), std::span(columns).first(stored),
                std::span(values).first(stored), width};
    }
};

/// The votes of the vectors after each example from the first mistake on, each scored anew.
inline std::vector<std::vector<std::int64_t>> naive_votes(const Table& table, size_t classes,
                                                          const Manner& how, size_t passes) {
    Twin twin(table.width, classes);
    std::vector<std::vector<std::int64_t>> votes(table.count, std::vector<std::int64_t>(classes));
    std::int64_t t = 1;
    for (size_t pass = 0; pass < passes; ++pass)
        for (std::uint32_t row = 0; row < table.count; ++row) {
            twin.learn(table, how, {row}, t++);
            if (twin.journal.empty()) continue;
            for (size_t i = 0; i < table.count; ++i) {
                std::vector<double> x(table.values.begin() + i * table.width,
                                      table.values.begin() + (i + 1) * table.width);
                x.push_back(how.constant);
                std::vector<double> scores(classes);
                for (size_t k = 0; k < classes; ++k) scores[k] = Twin::score(twin.weights[k], x);
                ++votes[i][classes == 2 ? scores[1] > 0.0 : strongest(scores)];
            }
        }
    return votes;
}

inline void test_votes() {
    test("votes are those of the vectors, each scored anew", [] {
        Dice dice(21);
        for (size_t classes = 2; classes <= 6; ++classes)
            for (size_t width : {1u, 5u, 13u}) {
                const Table table = random_table(dice, 19, width, static_cast<int>(classes));
                const Manner how;
                const size_t passes = 3;
                const auto expected = naive_votes(table, classes, how, passes);
                in_some_forms(table, [&](const auto& rows) {
                    Learned learned(width, classes);
                    KeptArrays kept(table.count);
                    for (size_t pass = 0; pass < passes; ++pass) {
                        const size_t before = learned.journal.size();
                        learned.learn(rows, wide(table), how, as_stored, 0, table.count);
                        kept.keep(rows, std::span(learned.journal).subspan(before));
                    }
                    const auto mistakes = kept.mistakes();
                    CHECK(kept.used[1] <= 19 && kept.rows(width).sound());
                    const Electorate electorate(kept.rows(width), mistakes, learned.tally.examples,
                                                classes, how.constant);
                    electorate.vote_on(rows, 0, table.count, false,
                                       [&](size_t row, size_t lane, const auto& votes) {
                                           for (size_t k = 0; k < classes; ++k)
                                               CHECK(votes.of(lane, k) == expected[row][k]);
                                       });
                    electorate.vote_on(rows, 3, table.count, true,
                                       [&](size_t row, size_t lane, const auto& votes) {
                                           const auto best = std::max_element(expected[row].begin(),
                                                                              expected[row].end());
                                           CHECK(votes.winner(lane) ==
                                                 static_cast<size_t>(best - expected[row].begin()));
                                       });
                });
            }
    });

    test("a vote is over when no other class can win any more", [] {
        const std::vector<double> one(group, 1.0);
        TwoClassVotes two(2);
        two.cast({0, 1.0, 1, 0, 5}, one.data());
        CHECK(two.decided(0, 4) && !two.decided(0, 5) && two.winner(0) == 1);
        two.start();
        two.cast({0, 1.0, 0, 1, 5}, one.data());
        CHECK(two.decided(0, 5) && !two.decided(0, 6) && two.winner(0) == 0);
        for (const std::int32_t right : {0, 2}) {
            RaceVotes race(3);
            race.start();
            race.cast({0, 1.0, right, 1, 5}, one.data());
            CHECK(race.winner(0) == static_cast<size_t>(right));
            CHECK(race.decided(0, 4) && race.decided(0, 5) == (right == 0));
            CHECK(!race.decided(0, 6));
        }
    });

    test("columns are numbered alike by a table and by search", [] {
        const std::vector<std::int32_t> columns{7, 2, 2, 9, 0, 7, 7, 3, 9, 0};
        const Numbering by_table(columns, 10), by_search(columns, 1000);
        CHECK(by_table.size() == 5 && by_search.size() == 5);
        for (size_t column = 0; column < 10; ++column) CHECK(by_table(column) == by_search(column));
        CHECK(by_search(2) == 1 && by_search(4) == 5 && by_search(999) == 5);
    });

    test("rows are kept once, without their zeros", [] {
        const Table table = table_of({{0, 3, 0}, {0, 0, 0}, {5, 0, -1}}, {1, 0, 1});
        in_every_form(table, [&](const auto& rows) {
            KeptArrays kept(3);
            const std::vector<Mistake> steps{
                {1, 2, 1, 0, 1.0, -1, 1.0}, {2, 1, 0, 1, 0.5, -1, 0.5}, {3, 2, 1, 0, 2.0, -1, 2.0}};
            kept.keep(rows, steps);
            CHECK(kept.used == std::vector<std::int64_t>{3, 2, 2, 0});
            const auto list = kept.mistakes();
            CHECK(list[0].row == 0 && list[1].row == 1 && list[2].row == 0);
            CHECK(list[0].right == 1 && list[0].rival == 0 && list[2].amount == 2.0);
            CHECK(kept.columns[0] == 0 && kept.values[0] == 5 && kept.values[1] == -1);
        });
    });

    test("without places for them no rows are kept", [] {
        const Table table = table_of({{1, 2}, {3, 4}}, {0, 1});
        in_every_form(table, [&](const auto& rows) {
            KeptArrays kept(0);
            kept.list.resize(2);
            Mistakes mistakes{kept.list, {}, {}, {}, kept.used, {}};
            CHECK(mistakes.has_room(rows, as_stored, 0, 2));
            mistakes.room(2)[0] = {1, 1, 1, 0, 1.0, -1, 1.0};
            mistakes.add(rows, 1);
            CHECK(kept.used == std::vector<std::int64_t>{1, 0, 0, 0} && kept.list[0].row == -1);
            CHECK(!mistakes.has_room(rows, as_stored, 0, 2));
        });
    });

    test("without room for every example nothing may be kept", [] {
        const Table table = table_of({{1, 2}, {3, 4}}, {0, 1});
        in_every_form(table, [&](const auto& rows) {
            KeptArrays kept(2);
            Mistakes mistakes = kept.with_room(rows, as_stored, 0, 2);
            CHECK(mistakes.has_room(rows, as_stored, 0, 2));
            kept.used = {1, 0, 0, 0};
            CHECK(!mistakes.has_room(rows, as_stored, 0, 2));
            kept.used = {0, 0, 1, 0};
            CHECK(!mistakes.has_room(rows, as_stored, 0, 2));
            kept.used = {0, -1, 0, 0};
            CHECK(!mistakes.has_room(rows, as_stored, 0, 2));
            kept.used = {std::numeric_limits<std::int64_t>::max(), 0, 0, 0};
            CHECK(!mistakes.has_room(rows, as_stored, 0, 2));
        });
    });
}

}  // namespace core_tests
