// What a caller says about the examples besides their features.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "fast/prefetch.hpp"
#include "learn/verdict.hpp"
#include "rows/checks.hpp"

namespace rosenblatt {

/// Class numbers, one byte each where there are few classes. Where an example may be of several
/// classes or of none, those of example i stand from indptr[i] up to indptr[i + 1], rising.
struct Labels {
    const std::uint8_t* bytes = nullptr;
    const std::int32_t* ints = nullptr;
    const std::int64_t* indptr = nullptr;

    std::size_t operator[](std::size_t example) const {
        return bytes ? bytes[example] : static_cast<std::size_t>(ints[example]);
    }
    bool several() const { return indptr != nullptr; }
    std::span<const std::int32_t> of(std::size_t example) const {
        return {ints + indptr[example], ints + indptr[example + 1]};
    }
    [[gnu::always_inline]] void prefetch(std::size_t example) const {
        bytes ? prefetch_near(bytes, example) : prefetch_near(ints, example);
    }
};

/// How many times as far as usual to step, by class and by example; null means once.
struct Importance {
    const double* of_class = nullptr;
    const double* of_example = nullptr;

    double operator()(std::size_t example, std::size_t label) const {
        return (of_class ? of_class[label] : 1.0) * (of_example ? of_example[example] : 1.0);
    }
};

/// The feature that is always `constant` (one, or zero to learn without an intercept), whether its
/// weight is learned or a fixed threshold, and whether each example, this feature included, is
/// scaled to length one (B2).
struct Framing {
    double constant;
    bool threshold;
    bool unit_length;

    /// What the constant feature has in a difference between classes.
    double learned_constant() const { return threshold ? 0.0 : constant; }

    /// What an example is multiplied by; no number if it cannot be brought to length one.
    template <class Rows>
    double scale(const Rows& rows, std::size_t example, double squared_norm) const {
        if (!unit_length) return 1.0;
        if (!std::isfinite(squared_norm) || too_short(rows, example, squared_norm))
            return std::numeric_limits<double>::quiet_NaN();
        return squared_norm == 0.0 ? 0.0 : 1.0 / std::sqrt(squared_norm);
    }
};

/// All that is said. With `check_values` those of an example are checked before it is learned from,
/// when scoring has brought them into the cache: a margin that is no number then tells of values
/// that cannot be learned from.
struct Terms {
    Labels labels{};
    Importance importance{};
    Framing framing;
    Ties ties = Ties::mistake;
    std::size_t classes = 2;
    bool check_values = false;
    const double* targets = nullptr;  // in the place of labels: a number for each example
};

}  // namespace rosenblatt
