// A learner with its examples, its weights and the place where its run stands.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../bindings/levels/kinds/compiled.hpp"
#include "learn/orders.hpp"
#include "votes/voted.hpp"

namespace rosenblatt {

/// What a page says of the learner that it wants.
struct Wish {
    AnyRule rule;
    bool average, intercept, unit_length;
    bool kernel;  // the values of an example are those of a kernel with all examples
    enum class Shuffle { never, every_pass, once } shuffle;
    Ties ties;
};

/// How far it has come; numbers that a page reads as they lie here.
struct Progress {
    double examples = 0.0, updates = 0.0, mistakes = 0.0, passes = 0.0;
    double converged = 0.0;  // one after a pass without an update
    double steps = 0.0;      // the sum of all steps
    double smallest = std::numeric_limits<double>::infinity();  // of the margins in this pass
    double overflow = -1.0;  // the example at which the numbers grew too large
    double last = -1.0;      // the example learned from last
};

class Learner {
  public:
    std::vector<double> values;  // of the examples, row by row
    std::vector<std::int32_t> labels;
    std::vector<double> weights, missed, sureness;
    std::vector<Mistake> mistakes;
    Progress progress;

    Learner(std::size_t count, std::size_t width, std::size_t classes, const Wish& wish)
        : values(count * width),
          labels(count),
          count_(count),
          width_(width),
          classes_(classes),
          stride_(classes == 2 ? 1 : (classes + 3) / 4 * 4),
          wish_(wish),
          order_(count) {}

    /// Forgets all that was learned; orders are drawn with this seed from now on.
    void restart(std::uint64_t seed) {
        const bool multiplies = std::holds_alternative<WinnowRule>(wish_.rule);
        weights.assign(slots(), 0.0);
        if (multiplies) {
            std::fill_n(weights.begin(), width_, 1.0);
            weights.back() = -static_cast<double>(width_);
        }
        missed.assign(wish_.average ? slots() : 0, 0.0);
        sureness.assign(std::holds_alternative<ArowRule>(wish_.rule) ? slots() : 0, 0.0);
        mistakes.clear();
        progress = {};
        seed_ = seed;
    }

    /// Learns from so many examples, pass by pass, or fewer where a pass made no update; stops
    /// after the first mistake if that is wanted.
    void learn(std::size_t most, bool to_a_mistake) {
        const double wrong = progress.mistakes;
        while (most > 0 && !over() && !(to_a_mistake && progress.mistakes > wrong)) {
            const auto position = static_cast<std::size_t>(progress.examples) % count_;
            if (position == 0) begin_pass();
            const std::size_t some = to_a_mistake ? 1 : std::min(most, count_ - position);
            walk(position, position + some);
            most -= some;
            if (position + some == count_ && progress.overflow < 0.0) end_pass();
        }
    }

    /// The scores of some rows by the last weights, or by the mean of all.
    void score(const double* rows, std::size_t count, bool mean, double* scores) const {
        Scorer scorer{weights.data(),
                      mean ? missed.data() : nullptr,
                      mean ? counted() : 1.0,
                      stride_,
                      constant(),
                      classes_};
        Kind<Dense<double>>::score(dense(rows, count), 0, count, scorer, columns(), scores);
    }

    /// The votes of all weights passed through.
    void vote(const double* rows, std::size_t count, double* votes) const {
        const Dense<double> learned = dense(values.data(), count_);
        std::vector<std::int64_t> indptr{0};
        std::vector<std::int32_t> in_columns;
        std::vector<double> kept;
        for (std::size_t example = 0; example < count_; ++example) {
            learned.each(example, [&](auto, std::size_t column, double value) {
                if (value == 0.0) return;
                in_columns.push_back(static_cast<std::int32_t>(column));
                kept.push_back(value);
            });
            indptr.push_back(static_cast<std::int64_t>(kept.size()));
        }
        std::vector<Mistake> made = mistakes;
        for (Mistake& mistake : made) mistake.row = mistake.example;
        const Electorate electorate({indptr, in_columns, kept, width_}, made,
                                    static_cast<std::int64_t>(progress.examples), classes_,
                                    constant());
        electorate.vote_on(dense(rows, count), 0, count, false,
                           [&](std::size_t row, std::size_t lane, const auto& cast) {
                               for (std::size_t k = 0; k < classes_; ++k)
                                   votes[row * classes_ + k] =
                                       static_cast<double>(cast.of(lane, k));
                           });
    }

    /// The mean of all weights, in the places of the last.
    void mean(double* out) const {
        for (std::size_t slot = 0; slot < slots(); ++slot)
            out[slot] = (counted() * weights[slot] - missed[slot]) / counted();
    }

    /// Between which two numbers the margin of the examples lies, as `Bracket` of the library says.
    void bracket(double* lower_and_upper) const {
        const Plain each{{weights.data()}};
        const double norm = std::sqrt(dot(weights.size(), weights.size(), each, each));
        const bool reached = progress.converged == 1.0 && progress.smallest > 0.0 && norm > 0.0;
        const double none = std::numeric_limits<double>::infinity();
        lower_and_upper[0] = reached ? progress.smallest / norm : -none;
        lower_and_upper[1] = progress.steps > 0.0 ? norm / progress.steps : none;
    }

    std::size_t stride() const { return stride_; }

  private:
    std::size_t slots() const { return (width_ + 1) * stride_; }
    std::size_t columns() const { return stride_ == 1 ? 1 : classes_; }
    double constant() const {
        return wish_.intercept || std::holds_alternative<WinnowRule>(wish_.rule) ? 1.0 : 0.0;
    }
    double counted() const { return progress.examples + 1.0; }
    bool over() const { return progress.converged == 1.0 || progress.overflow >= 0.0; }

    Dense<double> dense(const double* rows, std::size_t count) const {
        return {rows, static_cast<std::ptrdiff_t>(width_), count, width_};
    }

    void begin_pass() {
        progress.smallest = std::numeric_limits<double>::infinity();
        updates_before_ = progress.updates;
        const auto number = static_cast<std::uint64_t>(progress.passes);
        if (wish_.shuffle == Wish::Shuffle::every_pass) draw_order(order_, seed_, number);
        if (wish_.shuffle == Wish::Shuffle::once && number == 0) draw_order(order_, seed_, 0);
    }

    void end_pass() {
        progress.passes += 1.0;
        progress.converged = progress.updates == updates_before_;
    }

    void walk(std::size_t begin, std::size_t end) {
        const bool threshold = std::holds_alternative<WinnowRule>(wish_.rule);
        const Terms terms{.labels = {nullptr, labels.data()},
                          .framing = {constant(), threshold, wish_.unit_length},
                          .ties = wish_.ties,
                          .classes = classes_};
        const Borrowed borrowed{weights.data(), missed.empty() ? nullptr : missed.data(),
                                sureness.empty() ? nullptr : sureness.data(), stride_};
        const bool shuffled = wish_.shuffle != Wish::Shuffle::never;
        const Walk walk{
            {shuffled ? std::span<const std::uint32_t>(order_) : std::span<const std::uint32_t>{}},
            begin,
            end,
            static_cast<std::int64_t>(progress.examples) + 1};
        const std::size_t before = mistakes.size();
        mistakes.resize(before + end - begin);
        const Record record{.mistakes = std::span(mistakes).subspan(before),
                            .tally{.steps = progress.steps}};
        const Tally tally = learned(terms, borrowed, walk, record);
        mistakes.resize(before + static_cast<std::size_t>(tally.updates));
        progress.examples += static_cast<double>(tally.examples);
        progress.updates += static_cast<double>(tally.updates);
        progress.mistakes += static_cast<double>(tally.mistakes);
        progress.steps = tally.steps;
        progress.smallest = std::min(progress.smallest, tally.smallest);
        progress.overflow = static_cast<double>(tally.overflow);
        progress.last = static_cast<double>(walk.order[end - 1]);
    }

    Tally learned(const Terms& terms, const Borrowed& borrowed, const Walk& walk,
                  const Record& record) {
        const Dense<double> rows = dense(values.data(), count_);
        if (!wish_.kernel)
            return Kind<Dense<double>>::learn(rows, terms, wish_.rule, borrowed, walk, record);
        if (own_.empty())
            for (std::size_t k = 0; k < count_; ++k) own_.push_back(static_cast<std::int32_t>(k));
        const DualRows dual{rows, own_.data()};
        return Kind<DualRows>::learn(dual, terms, wish_.rule, borrowed, walk, record);
    }

    std::size_t count_, width_, classes_, stride_;
    Wish wish_;
    std::uint64_t seed_ = 0;
    double updates_before_ = 0.0;
    std::vector<std::uint32_t> order_;
    std::vector<std::int32_t> own_;
};

}  // namespace rosenblatt
