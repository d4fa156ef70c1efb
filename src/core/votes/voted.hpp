// Every weight vector passed through has as many votes as examples it survived (Eq. 4.17). None is
// stored: scores are rolled forward over the mistakes that lead from each vector to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/record.hpp"
#include "rows/class_scores.hpp"
#include "votes/by_feature.hpp"
#include "votes/mistakes.hpp"

namespace rosenblatt {

/// Rows that are voted on together, since they share many of their features.
inline constexpr std::size_t group = four;

/// Mistakes after which it is asked whether the votes to come can still matter.
inline constexpr std::size_t stage = 2048;

/// A weight vector as it votes: what leads from the one before to it, and for how many examples it
/// was there. Smaller than a mistake, as all of them are read for every group of rows.
struct Voter {
    std::int64_t row;
    double amount;
    std::int32_t right, rival;
    std::int64_t votes;
};

/// Products of a group of rows with the kept rows, worked out only as far as they are asked for.
class Products {
  public:
    Products(const ByFeature& kept, std::size_t count, double constant)
        : kept(kept), constant(constant), products(new double[count * group]) {}

    template <class Rows>
    void start(const Rows& rows, std::size_t first, std::size_t count) {
        found.clear();
        for (std::size_t lane = 0; lane < count; ++lane)
            rows.each(first + lane, [&](auto, std::size_t column, double value) {
                const std::size_t feature = value == 0.0 ? kept.number.size() : kept.number(column);
                if (feature < kept.number.size()) found.push_back({feature, lane, value});
            });
        std::stable_sort(found.begin(), found.end(),
                         [](const Found& a, const Found& b) { return a.feature < b.feature; });
        strands.clear();
        reached = 0;
        for (std::size_t k = 0; k < found.size(); ++k) {
            const auto [feature, lane, value] = found[k];
            if (k == 0 || found[k - 1].feature != feature)
                strands.push_back({kept.indptr[feature], kept.indptr[feature + 1], {}});
            strands.back().values[lane] += value;
        }
    }

    /// Makes the products with the kept rows before this one.
    void reach(std::size_t row) {
        if (row <= reached) return;
        std::fill(&products[reached * group], products.get() + row * group, constant * constant);
        // Held here, since for all the compiler knows writing a product may move them.
        const std::uint32_t* const rows = kept.rows.data();
        const double* const values = kept.values.data();
        double* const all = products.get();
        for (Strand& strand : strands) {
            const Four own = load<Four>(strand.values);
            const std::size_t end = strand.end;
            std::size_t k = strand.next;
            for (; k < end && rows[k] < row; ++k) {
                double* const product = all + rows[k] * group;
                store(load<Four>(product) + own * values[k], product);
            }
            strand.next = k;
        }
        reached = row;
    }

    /// With one kept row, for each row of the group.
    const double* operator[](std::int64_t row) const {
        return &products[static_cast<std::size_t>(row) * group];
    }

  private:
    struct Found {
        std::size_t feature;
        std::size_t lane;
        double value;
    };

    /// The kept rows yet to come that have a feature, and its values in the group.
    struct Strand {
        std::size_t next;
        std::size_t end;
        double values[group];
    };

    const ByFeature& kept;
    double constant;
    std::unique_ptr<double[]> products;
    std::vector<Found> found;
    std::vector<Strand> strands;
    std::size_t reached = 0;
};

/// The votes on a group of rows by two classes, which share one weight vector: a score of zero is a
/// vote for the first.
class TwoClassVotes {
  public:
    explicit TwoClassVotes(std::size_t) {}

    void start() { *this = TwoClassVotes(2); }

    void cast(const Voter& voter, const double* products) {
        const double amount = voter.right == 1 ? voter.amount : -voter.amount;
        scores += amount * Run<double>{products}.at(0);
        second += (scores > 0.0) & voter.votes;
        all += voter.votes;
    }

    bool decided(std::size_t lane, std::int64_t to_come) const {
        const std::int64_t lead = 2 * of(lane, 1) - all;
        return lead > to_come || lead <= -to_come;
    }
    std::size_t winner(std::size_t lane) const { return 2 * of(lane, 1) > all; }
    std::int64_t of(std::size_t lane, std::size_t k) const {
        return k == 1 ? second[lane] : all - second[lane];
    }

  private:
    Four scores{};
    FourInts second{};
    std::int64_t all = 0;
};

/// The same in a race of several: each vector votes for the first of its strongest classes. A
/// mistake changes two scores, so the strongest is rarely to be looked for among all.
class RaceVotes {
  public:
    explicit RaceVotes(std::size_t classes)
        : classes(classes), scores(group * classes), votes(group * classes) {}

    void start() {
        std::fill(scores.begin(), scores.end(), 0.0);
        std::fill(votes.begin(), votes.end(), 0);
        std::fill_n(leaders, group, 0);
    }

    void cast(const Voter& voter, const double* products) {
        const auto right = static_cast<std::size_t>(voter.right);
        const auto rival = static_cast<std::size_t>(voter.rival);
        for (std::size_t lane = 0; lane < group; ++lane) {
            move(lane, right, rival, voter.amount * products[lane]);
            votes[lane * classes + leaders[lane]] += voter.votes;
        }
    }

    bool decided(std::size_t lane, std::int64_t to_come) const {
        const std::size_t first = winner(lane);
        for (std::size_t k = 0; k < classes; ++k)
            if (k != first && of(lane, k) + to_come + (k < first) > of(lane, first)) return false;
        return true;
    }
    std::size_t winner(std::size_t lane) const {
        const std::int64_t* own = &votes[lane * classes];
        return static_cast<std::size_t>(std::max_element(own, own + classes) - own);
    }
    std::int64_t of(std::size_t lane, std::size_t k) const { return votes[lane * classes + k]; }

  private:
    void move(std::size_t lane, std::size_t right, std::size_t rival, double change) {
        if (change == 0.0) return;
        double* const own = &scores[lane * classes];
        own[right] += change;
        own[rival] -= change;
        const std::size_t gains = change > 0.0 ? right : rival;
        const std::size_t loses = change > 0.0 ? rival : right;
        std::size_t& leader = leaders[lane];
        if (leader == loses)
            leader = strongest({own, classes});
        else if (own[gains] > own[leader] || (own[gains] == own[leader] && gains < leader))
            leader = gains;
    }

    std::size_t classes;
    std::vector<double> scores;
    std::vector<std::int64_t> votes;
    std::size_t leaders[group] = {};
};

/// The weight vectors that some mistakes tell of. Each is there from the example of its mistake to
/// that of the next, the last one to the end of all examples seen.
struct Electorate {
    std::vector<Voter> voters;
    std::int64_t all_votes;
    std::size_t classes;
    double constant;
    std::size_t count;
    ByFeature kept;

    Electorate(const KeptRows& rows, std::span<const Mistake> mistakes, std::int64_t seen,
               std::size_t classes, double constant)
        : all_votes(mistakes.empty() ? 0 : seen + 1 - mistakes.front().t),
          classes(classes),
          constant(constant),
          count(rows.count()),
          kept(rows) {
        voters.reserve(mistakes.size());
        for (std::size_t k = 0; k < mistakes.size(); ++k) {
            const auto& [t, example, right, rival, step, row, amount] = mistakes[k];
            const std::int64_t end = k + 1 < mistakes.size() ? mistakes[k + 1].t : seen + 1;
            voters.push_back({row, amount, right, rival, end - t});
        }
    }

    /// visit(row, lane, votes) for rows begin ... end-1. With `early` the vote on a group of rows
    /// ends as soon as the winners are certain.
    template <class Rows, class Visit>
    void vote_on(const Rows& rows, std::size_t begin, std::size_t end, bool early,
                 Visit visit) const {
        if (classes == 2)
            vote<TwoClassVotes>(rows, begin, end, early, visit);
        else
            vote<RaceVotes>(rows, begin, end, early, visit);
    }

  private:
    template <class Votes, class Rows, class Visit>
    void vote(const Rows& rows, std::size_t begin, std::size_t end, bool early, Visit visit) const {
        Products products(kept, count, constant);
        Votes votes(classes);
        for (std::size_t first = begin; first < end; first += group) {
            const std::size_t some = std::min(group, end - first);
            const auto decided = [&](std::int64_t to_come) {
                std::size_t lane = 0;
                while (lane < some && votes.decided(lane, to_come)) ++lane;
                return lane == some;
            };
            products.start(rows, first, some);
            votes.start();
            std::int64_t to_come = all_votes;
            for (std::size_t from = 0; from < voters.size(); from += stage) {
                if (early && decided(to_come)) break;
                const std::size_t to = std::min(from + stage, voters.size());
                std::int64_t row = 0;
                for (std::size_t k = from; k < to; ++k) row = std::max(row, voters[k].row);
                products.reach(static_cast<std::size_t>(row) + 1);
                for (std::size_t k = from; k < to; ++k) {
                    votes.cast(voters[k], products[voters[k].row]);
                    to_come -= voters[k].votes;
                }
            }
            for (std::size_t lane = 0; lane < some; ++lane) visit(first + lane, lane, votes);
        }
    }
};

}  // namespace rosenblatt
