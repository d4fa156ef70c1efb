// Labels told apart by their bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "read/labels.hpp"

namespace core_tests {

/// Labels of so many words each, of which few or many are the same.
inline std::vector<std::uint32_t> some_labels(Dice& dice, std::size_t count, std::size_t size) {
    const int letters = 1 + dice.below(40);
    std::vector<std::uint32_t> words(count * size);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(dice.below(letters));
    return words;
}

inline void test_labels() {
    test("each label is found once, where it stands first, and has its place among the others", [] {
        for (int seed = 0; seed < 60; ++seed) {
            Dice dice(static_cast<std::uint64_t>(seed));
            const auto count = static_cast<std::size_t>(dice.below(400));
            const auto size = static_cast<std::size_t>(1 + dice.below(3));
            const auto words = some_labels(dice, count, size);
            const FixedLabels labels{words.data(), count, size};
            const auto same = [&](std::size_t a, std::size_t b) {
                return std::equal(labels[a], labels[a] + size, labels[b]);
            };
            const auto firsts = first_of_each(labels, 1);
            std::vector<std::uint32_t> classes;
            std::size_t found = 0;
            for (std::size_t k = 0; k < count; ++k) {
                std::size_t first = 0;
                while (!same(first, k)) ++first;
                if (first != k) continue;
                CHECK(found < firsts.size() && firsts[found++] == static_cast<std::int64_t>(k));
                if (dice.coin()) classes.insert(classes.end(), labels[k], labels[k] + size);
            }
            CHECK(found == firsts.size());
            const FixedLabels others{classes.data(), classes.size() / size, size};
            const auto places = places_among(labels, others, 2);
            for (std::size_t k = 0; k < count; ++k) {
                std::size_t place = 0;
                while (place < others.count &&
                       !std::equal(labels[k], labels[k] + size, others[place]))
                    ++place;
                CHECK(places[k] == (place < others.count ? static_cast<int>(place) : -1));
            }
        }
    });
}

}  // namespace core_tests
