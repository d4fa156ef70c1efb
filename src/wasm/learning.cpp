// The learner as a page calls it: numbers and places in memory, nothing else.
#include "exported.hpp"
#include "learner.hpp"

using namespace rosenblatt;

namespace {

/// The rule of this number, with its parameters.
AnyRule rule_of(int rule, double first, double second) {
    switch (rule) {
        case 1: return PassiveAggressiveRule{first, second};
        case 2: return WinnowRule{Multiplicative(first)};
        case 3: return ArowRule{first};
        default: return PerceptronRule{};
    }
}

/// The bits that a page sets for what it wants.
enum : unsigned {
    average = 1,
    intercept = 2,
    unit_length = 4,
    kernel = 8,
    every_pass = 16,
    once = 32,
    first_wins = 64,
    last_wins = 128
};

Wish wish_of(AnyRule rule, unsigned flags) {
    const auto has = [&](unsigned bit) { return (flags & bit) != 0; };
    const auto shuffle = has(every_pass) ? Wish::Shuffle::every_pass
                         : has(once)     ? Wish::Shuffle::once
                                         : Wish::Shuffle::never;
    const auto ties = has(first_wins) ? Ties::first : has(last_wins) ? Ties::last : Ties::mistake;
    return {rule, has(average), has(intercept), has(unit_length), has(kernel), shuffle, ties};
}

}  // namespace

EXPORT(room) double* room(std::size_t numbers) { return new double[numbers]; }
EXPORT(release) void release(const double* numbers) { delete[] numbers; }

EXPORT(learner_new)
Learner* learner_new(std::size_t count, std::size_t width, std::size_t classes, int rule,
                     double first, double second, unsigned flags) {
    return new Learner(count, width, classes, wish_of(rule_of(rule, first, second), flags));
}
EXPORT(learner_delete) void learner_delete(const Learner* learner) { delete learner; }

EXPORT(learner_values) double* learner_values(Learner* learner) { return learner->values.data(); }
EXPORT(learner_labels)
std::int32_t* learner_labels(Learner* learner) { return learner->labels.data(); }

EXPORT(learner_restart) void learner_restart(Learner* learner, std::uint64_t seed) {
    learner->restart(seed);
}
EXPORT(learner_learn)
void learner_learn(Learner* learner, std::size_t most, bool to_a_mistake) {
    learner->learn(most, to_a_mistake);
}

EXPORT(learner_progress) const Progress* learner_progress(const Learner* learner) {
    return &learner->progress;
}
EXPORT(learner_stride) std::size_t learner_stride(const Learner* learner) {
    return learner->stride();
}
EXPORT(learner_weights) const double* learner_weights(const Learner* learner) {
    return learner->weights.data();
}
EXPORT(learner_missed) double* learner_missed(Learner* learner) { return learner->missed.data(); }
EXPORT(learner_sureness) double* learner_sureness(Learner* learner) {
    return learner->sureness.data();
}
EXPORT(learner_mean) void learner_mean(const Learner* learner, double* out) { learner->mean(out); }
EXPORT(learner_bracket)
void learner_bracket(const Learner* learner, double* out) { learner->bracket(out); }
EXPORT(learner_mistakes) const Mistake* learner_mistakes(const Learner* learner) {
    return learner->mistakes.data();
}
EXPORT(learner_score)
void learner_score(const Learner* learner, const double* rows, std::size_t count, bool mean,
                   double* scores) {
    learner->score(rows, count, mean, scores);
}
EXPORT(learner_vote)
void learner_vote(const Learner* learner, const double* rows, std::size_t count, double* votes) {
    learner->vote(rows, count, votes);
}
