// How the weights fare on one example.
#pragma once

#include <cstddef>

namespace rosenblatt {

struct Verdict {
    double margin;              // weights . difference
    bool mistake;               // the rival wins
    std::size_t rival;          // the strongest wrong class
    double scale;               // what the example is multiplied by: one, or one over its length
    double squared_norm = 0.0;  // of the example and its constant feature, if it was needed
};

/// What the loop must know of an example.
struct Need {
    bool norm;
    double margin;  // a larger one need not be exact
};

/// A tie is a mistake (Algorithm 5), or goes to the class that comes first (B2, K4) or last (B8).
enum class Ties { mistake, first, last };

inline bool lost(Ties ties, double margin, std::size_t right, std::size_t rival) {
    if (margin != 0.0) return margin < 0.0;
    return ties == Ties::mistake || (ties == Ties::first ? rival < right : rival > right);
}

}  // namespace rosenblatt
