// Which pairs and triples of features occur together in the rows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "combine/columns.hpp"
#include "rows/rows.hpp"

namespace rosenblatt {

/// A set of columns that gives them in rising order. A bit for each column, and one for every 64 of
/// these bits, so that a few columns are found without a look at all the others.
class ColumnSet {
  public:
    explicit ColumnSet(std::size_t width) : bits(width / 64 + 1), groups(width / 4096 + 1) {}

    void add(std::uint32_t column) {
        bits[column / 64] |= std::uint64_t{1} << column % 64;
        groups[column / 4096] |= std::uint64_t{1} << column / 64 % 64;
    }

    /// Moves its columns to the end of a list.
    void move_to(std::vector<std::uint32_t>& list) {
        for (std::size_t g = 0; g < groups.size(); ++g)
            for (; groups[g] != 0; groups[g] &= groups[g] - 1) {
                const std::size_t b =
                    g * 64 + static_cast<std::size_t>(std::countr_zero(groups[g]));
                for (; bits[b] != 0; bits[b] &= bits[b] - 1)
                    list.push_back(static_cast<std::uint32_t>(
                        b * 64 + static_cast<std::size_t>(std::countr_zero(bits[b]))));
            }
    }

  private:
    std::vector<std::uint64_t> bits, groups;
};

/// Finds the combinations that occur in `least` rows or more.
///
/// Goes deep first, as in Zaki (2000): the rows with feature a tell its pairs, those of them with
/// feature b the triples of a and b. Nothing rare is ever extended, since what contains it is rarer
/// still, and no more is kept than the rows and what was found.
class FrequentCombinations {
  public:
    FrequentCombinations(std::size_t width, std::size_t degree, std::size_t least)
        : ranked{width}, degree(degree), least(least), levels(degree), present(width) {
        for (Level& level : levels) level.counts.resize(width);
    }

    /// Takes in a row; zeros stored in it are no occurrence.
    template <class Rows>
    void add(const Rows& rows, std::size_t example) {
        const std::size_t begin = columns.size();
        rows.each(example, [&](auto, std::size_t column, double value) {
            if (value != 0.0) columns.push_back(static_cast<std::uint32_t>(column));
        });
        whole_rows.push_back({begin, columns.size()});
    }

    /// The ranks of all that were found, rising; pause() is called now and then.
    template <class Pause>
    Buffer<std::int64_t> find(Pause pause) {
        extend(whole_rows, 0, 0, 0, pause);
        pairs.append(triples.view());
        return std::move(pairs);
    }

  private:
    /// What a row still holds after the last feature of a combination.
    struct Tail {
        std::size_t begin, end;
    };

    /// Work space for combinations of one size.
    struct Level {
        std::vector<std::size_t> counts;  // of rows, or where the next tail goes; zero between uses
        std::vector<std::uint32_t> touched;
        std::vector<Tail> tails;
    };

    static constexpr std::size_t work_between_pauses = 1 << 24;
    static constexpr std::size_t rare = std::numeric_limits<std::size_t>::max();

    /// Adds one more feature to a combination of `size` features, whose rows go on with `rests`:
    /// the ranks are base + column. From `first` follow the bases of triples.
    template <class Pause>
    void extend(std::span<const Tail> rests, std::size_t size, std::uint64_t first,
                std::uint64_t base, Pause& pause) {
        Level& level = levels[size];
        count(rests, level);
        if (work > work_between_pauses) {
            work = 0;
            pause();
        }
        if (size > 0)
            for (const std::uint32_t column : level.touched)
                if (level.counts[column] >= least)
                    (size == 1 ? pairs : triples).push(static_cast<std::int64_t>(base + column));
        if (size + 1 < degree) {
            sort_tails(rests, level);
            std::size_t begin = 0;
            for (const std::uint32_t column : level.touched) {
                const std::size_t end = level.counts[column];
                if (end == rare) continue;
                const auto tails = std::span<const Tail>(level.tails).subspan(begin, end - begin);
                const std::uint64_t next = ranked.pair_base(column);
                if (size == 0)
                    extend(tails, 1, ranked.triple_base(column), next, pause);
                else
                    extend(tails, 2, first, ranked.join(first, next), pause);
                begin = end;
            }
        }
        for (const std::uint32_t column : level.touched) level.counts[column] = 0;
        level.touched.clear();
    }

    void count(std::span<const Tail> rests, Level& level) {
        for (const Tail& rest : rests) {
            work += rest.end - rest.begin;
            for (std::size_t k = rest.begin; k < rest.end; ++k) {
                ++level.counts[columns[k]];
                present.add(columns[k]);
            }
        }
        present.move_to(level.touched);
    }

    /// Puts together what follows each column that is not rare; its count becomes its end.
    void sort_tails(std::span<const Tail> rests, Level& level) const {
        std::size_t sum = 0;
        for (const std::uint32_t column : level.touched) {
            std::size_t& count = level.counts[column];
            const std::size_t rows = count;
            count = rows < least ? rare : sum;
            if (count != rare) sum += rows;
        }
        level.tails.resize(sum);
        for (const Tail& rest : rests)
            for (std::size_t k = rest.begin; k < rest.end; ++k) {
                std::size_t& next = level.counts[columns[k]];
                if (next != rare) level.tails[next++] = {k + 1, rest.end};
            }
    }

    Ranked ranked;
    std::size_t degree, least;
    std::vector<Level> levels;
    ColumnSet present;
    std::vector<std::uint32_t> columns;
    std::vector<Tail> whole_rows;
    Buffer<std::int64_t> pairs, triples;
    std::size_t work = 0;
};

}  // namespace rosenblatt
