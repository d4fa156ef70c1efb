// How much of an average the weights passed through make up.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace rosenblatt {

/// Each as much as any other, or with a half life the later ones more: twice as much after so many
/// examples.
///
/// The weights before example t then have the mass (2^(t/h) - 1) / (2^(1/h) - 1). That is t for an
/// infinite h, one at t = 1, and outgrows all numbers before long. So it is told in units that grow
/// by a power of two from epoch to epoch, and averaging sums follow when an epoch ends.
class Forgetting {
  public:
    static constexpr int epoch_halvings = 64;
    static constexpr double shortest = 0.01;

    explicit Forgetting(double half_life = std::numeric_limits<double>::infinity())
        : half_life(half_life), first(forgets() ? grown_after(1, 0.0) : 1.0) {}

    bool forgets() const { return std::isfinite(half_life); }

    /// In which so many examples have been seen.
    std::int64_t epoch(std::int64_t seen) const {
        if (!forgets()) return 0;
        return static_cast<std::int64_t>(half_lives(seen).whole) / epoch_halvings;
    }

    /// The mass of the weights before example t, in the units of an epoch.
    double before(std::int64_t t, std::int64_t in_epoch) const {
        if (!forgets()) return static_cast<double>(t);
        return grown_after(t, -1.0 * epoch_halvings * static_cast<double>(in_epoch)) / first;
    }

    /// What averaging sums are multiplied by once more examples have been seen.
    double fading(std::int64_t from, std::int64_t to) const {
        return power_of_two(1.0 * epoch_halvings * static_cast<double>(epoch(from) - epoch(to)));
    }

    /// How many of so many examples to come until the next epoch begins with the last of them.
    std::int64_t until_next(std::int64_t seen, std::int64_t to_come) const {
        if (epoch(seen) == epoch(seen + to_come)) return to_come;
        std::int64_t same = 0, next = to_come;
        while (next - same > 1) {
            const std::int64_t middle = same + (next - same) / 2;
            (epoch(seen + middle) == epoch(seen) ? same : next) = middle;
        }
        return next;
    }

  private:
    double half_life;
    double first;  // mass before example 1, not yet divided by itself

    struct HalfLives {
        double whole, rest;
    };

    /// The remainder of a division is exact, so that none is off however many examples there are.
    HalfLives half_lives(std::int64_t t) const {
        const double examples = static_cast<double>(t), rest = std::fmod(examples, half_life);
        return {std::nearbyint((examples - rest) / half_life), rest / half_life};
    }

    /// 2^(t/h) - 1, times 2^unit.
    double grown_after(std::int64_t t, double unit) const {
        const auto [whole, rest] = half_lives(t);
        const double doubled = power_of_two(whole + unit);
        return (doubled - power_of_two(unit)) + doubled * grown(rest);
    }

    /// 2^share - 1 by its series: exp2 of the library may differ from machine to machine.
    static double grown(double share) {
        constexpr double ln2 = 0.6931471805599453;
        double sum = 0.0;
        for (int k = 18; k >= 1; --k) sum = (1.0 + sum) * (share * ln2 / k);
        return sum;
    }

    static double power_of_two(double exponent) {
        return exponent < -1074.0 ? 0.0 : std::ldexp(1.0, static_cast<int>(exponent));
    }
};

}  // namespace rosenblatt
