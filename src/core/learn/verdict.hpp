// How the weights fare on one example.
#pragma once

#include <cstddef>
#include <limits>

namespace rosenblatt {

struct Verdict {
    double margin;              // weights . difference
    bool mistake;               // the rival wins
    std::size_t right, rival;   // the example's class, and the strongest wrong one
    double scale;               // what the example is multiplied by: one, or one over its length
    double squared_norm = 0.0;  // of the example and its constant feature, if it was needed
};

/// The margin of an example whose values cannot be learned from; the loop stops there.
inline constexpr double no_margin = std::numeric_limits<double>::quiet_NaN();

/// The margin of an example of all classes, or of none: there is no rival.
inline constexpr double unopposed = std::numeric_limits<double>::max();

/// A tie is a mistake (Algorithm 5), or goes to the class that comes first (B2, K4) or last (B8).
enum class Ties { mistake, first, last };

inline bool lost(Ties ties, double margin, std::size_t right, std::size_t rival) {
    if (margin != 0.0) return margin < 0.0;
    return ties == Ties::mistake || (ties == Ties::first ? rival < right : rival > right);
}

}  // namespace rosenblatt
