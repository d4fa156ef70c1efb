// Every weight vector passed through has as many votes as examples it survived (Eq. 4.17). None is
// stored: scores are rolled forward over the mistakes, from each vector to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lanes.hpp"
#include "mistakes.hpp"
#include "multiclass.hpp"
#include "rows.hpp"

namespace rosenblatt {

/// Rows that are voted on together.
inline constexpr std::size_t group = four;

/// Mistakes after which it is asked whether the votes to come can still matter.
inline constexpr std::size_t stage = 1024;

/// Products of a group of rows with the kept rows, worked out only as far as they are asked for.
/// `features` holds the kept rows by column: for each feature, the rows that have it, and its value
/// there.
template <class Index>
class Products {
  public:
    Products(Csr<double, Index> features, double constant)
        : features(features),
          constant(constant),
          products(new double[features.width * group]),
          reached(0) {}

    template <class Rows>
    void start(const Rows& rows, std::size_t first, std::size_t count) {
        strands.clear();
        reached = 0;
        for (std::size_t lane = 0; lane < count; ++lane)
            rows.each(first + lane, [&](auto, std::size_t column, double value) {
                const std::size_t begin = features.first(column), end = features.first(column + 1);
                if (value != 0.0 && begin < end) strands.push_back({begin, end, lane, value});
            });
    }

    /// Makes the products with the kept rows before this one.
    void reach(std::size_t row) {
        if (row <= reached) return;
        std::fill(&products[reached * group], products.get() + row * group, constant * constant);
        const Index* kept = features.columns.data();
        const double* values = features.values.data();
        for (Strand& strand : strands) {
            std::size_t k = strand.next;
            double* const lane = products.get() + strand.lane;
            for (; k < strand.end && static_cast<std::size_t>(kept[k]) < row; ++k)
                lane[static_cast<std::size_t>(kept[k]) * group] += strand.value * values[k];
            strand.next = k;
        }
        reached = row;
    }

    /// With one kept row, for each row of the group.
    const double* operator[](std::size_t row) const { return &products[row * group]; }

  private:
    /// What is left of a feature of one row of the group.
    struct Strand {
        std::size_t next;
        std::size_t end;
        std::size_t lane;
        double value;
    };

    Csr<double, Index> features;
    double constant;
    std::unique_ptr<double[]> products;
    std::vector<Strand> strands;
    std::size_t reached;
};

/// The votes on a group of rows by two classes, which share one weight vector: a score of zero is a
/// vote for the first.
class TwoClassVotes {
  public:
    explicit TwoClassVotes(std::size_t) {}

    void start() { *this = TwoClassVotes(2); }

    void cast(const Mistake& mistake, const double* products, std::int64_t votes) {
        scores += (mistake.right == 1 ? mistake.amount : -mistake.amount) *
                  Run<double>{products}.at(0);
        second += (scores > 0.0) & votes;
        all += votes;
    }

    bool decided(std::size_t lane, std::int64_t to_come) const {
        const std::int64_t lead = 2 * second[lane] - all;
        return lead > to_come || lead <= -to_come;
    }
    std::size_t winner(std::size_t lane) const { return 2 * second[lane] > all; }
    std::int64_t of(std::size_t lane, std::size_t k) const {
        return k == 1 ? second[lane] : all - second[lane];
    }

  private:
    Four scores{};
    Places second{};
    std::int64_t all = 0;
};

/// The same in a race of several: each vector votes for the first of its strongest classes. Only
/// two scores change with a mistake, so the strongest is rarely to be looked for among all.
class RaceVotes {
  public:
    explicit RaceVotes(std::size_t classes)
        : classes(classes), scores(group * classes), votes(group * classes), leaders{} {}

    void start() {
        std::fill(scores.begin(), scores.end(), 0.0);
        std::fill(votes.begin(), votes.end(), 0);
        std::fill_n(leaders, group, 0);
    }

    void cast(const Mistake& mistake, const double* products, std::int64_t number) {
        const auto right = static_cast<std::size_t>(mistake.right);
        const auto rival = static_cast<std::size_t>(mistake.rival);
        for (std::size_t lane = 0; lane < group; ++lane) {
            double* const own = &scores[lane * classes];
            const double change = mistake.amount * products[lane];
            own[right] += change;
            own[rival] -= change;
            const std::size_t gains = change > 0.0 ? right : rival;
            const std::size_t loses = change > 0.0 ? rival : right;
            std::size_t& leader = leaders[lane];
            if (leader == loses && change != 0.0)
                leader = strongest({own, classes});
            else if (own[gains] > own[leader] || (own[gains] == own[leader] && gains < leader))
                leader = gains;
            votes[lane * classes + leader] += number;
        }
    }

    bool decided(std::size_t lane, std::int64_t to_come) const {
        const std::int64_t* own = &votes[lane * classes];
        const std::size_t first = winner(lane);
        for (std::size_t k = 0; k < classes; ++k)
            if (k != first && own[k] + to_come + (k < first) > own[first]) return false;
        return true;
    }
    std::size_t winner(std::size_t lane) const {
        const std::int64_t* own = &votes[lane * classes];
        return static_cast<std::size_t>(std::max_element(own, own + classes) - own);
    }
    std::int64_t of(std::size_t lane, std::size_t k) const { return votes[lane * classes + k]; }

  private:
    std::size_t classes;
    std::vector<double> scores;
    std::vector<std::int64_t> votes;
    std::size_t leaders[group];
};

/// Holds the vote on rows begin ... end-1; take(row, lane, votes) for each. A weight vector is there
/// from the example of its mistake to that of the next, the last one to the end, `seen` + 1. With
/// `early` the vote on a group ends as soon as the winners are certain.
template <class Votes, class Rows, class Index, class Take>
void vote(const Rows& rows, std::size_t begin, std::size_t end, Csr<double, Index> features,
          std::span<const Mistake> mistakes, std::int64_t seen, std::size_t classes,
          double constant, bool early, Take take) {
    Products<Index> products(features, constant);
    Votes votes(classes);
    for (std::size_t first = begin; first < end; first += group) {
        const std::size_t count = std::min(group, end - first);
        const auto decided = [&](std::int64_t to_come) {
            bool all = true;
            for (std::size_t lane = 0; lane < count; ++lane) all &= votes.decided(lane, to_come);
            return all;
        };
        products.start(rows, first, count);
        votes.start();
        for (std::size_t from = 0; from < mistakes.size(); from += stage) {
            const auto some = mistakes.subspan(from, std::min(stage, mistakes.size() - from));
            if (early && decided(seen + 1 - some[0].t)) break;
            std::int64_t last = 0;
            for (const Mistake& mistake : some) last = std::max(last, mistake.row);
            products.reach(static_cast<std::size_t>(last) + 1);
            for (const Mistake& mistake : some) {
                const bool is_last = &mistake == &mistakes.back();
                const std::int64_t until = is_last ? seen + 1 : (&mistake + 1)->t;
                votes.cast(mistake, products[static_cast<std::size_t>(mistake.row)],
                           until - mistake.t);
            }
        }
        for (std::size_t lane = 0; lane < count; ++lane) take(first + lane, lane, votes);
    }
}

}  // namespace rosenblatt
