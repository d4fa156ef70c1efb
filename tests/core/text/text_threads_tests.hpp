// Documents read on several threads, beside one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "text/text_tests.hpp"
#include "text/text_threads.hpp"

namespace core_tests {

/// Documents of a few words, some of them empty.
struct RandomDocuments {
    std::vector<Units<std::uint8_t>> owned;
    std::vector<Text> texts;

    RandomDocuments(Dice& dice, int count) {
        for (int k = 0; k < count; ++k) {
            std::string text;
            for (int n = dice.below(9); n > 0; --n)
                text += "word" + std::to_string(dice.below(40)) + " ";
            owned.push_back(units(text));
        }
        for (const auto& each : owned) texts.push_back(each.text());
    }
};

template <class Value>
bool same(const Buffer<Value>& a, const Buffer<Value>& b) {
    return std::ranges::equal(a.view(), b.view());
}

inline bool same(const CountedRows<double>& a, const CountedRows<double>& b) {
    return same(a.indptr, b.indptr) && same(a.columns, b.columns) && same(a.values, b.values);
}

inline Strings names_of(const Lexicon& lexicon) {
    Strings names;
    for (std::size_t k = 0; k < lexicon.size(); ++k)
        names.push_back(std::string(lexicon.names.name(k)) + " " +
                        std::to_string(lexicon.frequencies[k].documents) + " " +
                        std::to_string(lexicon.frequencies[k].latest));
    return names;
}

inline Strings names_of(const BucketNames& buckets) {
    Strings names;
    buckets.each(
        [&](std::uint32_t bucket, std::string_view name, std::uint32_t hash, std::uint32_t lead) {
            names.push_back(std::to_string(bucket) + std::string(name) + std::to_string(hash) +
                            "/" + std::to_string(lead));
        });
    return names;
}

inline void test_text_threads() {
    const Weighing weighing{false, true, nullptr, Norm::l2};
    test("a lexicon grown on several threads is that of one, and so are the rows", [&] {
        Dice dice(5);
        for (const int count : {1, 2, 3, 10, 200})
            for (const std::size_t threads : {1u, 2u, 3u, 7u}) {
                const RandomDocuments first(dice, count), second(dice, count);
                Lexicon one(9), several(9);
                for (const auto* documents : {&first, &second}) {
                    const Columns a = grow(documents->texts, words(), one, true, no_pause);
                    const Columns b =
                        grow(documents->texts, words(), several, true, threads, no_pause);
                    CHECK(same(a.indptr, b.indptr) && same(a.columns, b.columns));
                    CHECK(names_of(one) == names_of(several) && one.documents == several.documents);
                    std::vector<std::int32_t> numbers;
                    for (std::size_t k = 0; k < one.size(); ++k)
                        numbers.push_back(k % 5 ? static_cast<std::int32_t>(one.size() - k) : -1);
                    CHECK(
                        same(arrange<double>(a.indptr.view(), a.columns.view(), numbers, weighing),
                             arrange<double>(a.indptr.view(), a.columns.view(), numbers, weighing,
                                             threads)));
                }
                CHECK(same(
                    look_up<double>(first.texts, words(), one.names, weighing, no_pause),
                    look_up<double>(first.texts, words(), one.names, weighing, threads, no_pause)));
            }
    });
    test("buckets are called the same on several threads, and rows are hashed the same", [&] {
        Dice dice(6);
        for (const int bits : {1, 4, 12})
            for (const std::size_t threads : {1u, 2u, 3u, 7u}) {
                BucketNames one(bits), several(bits);
                for (const int count : {1, 30, 300}) {
                    const RandomDocuments documents(dice, count);
                    CHECK(same(hash_rows<double>(documents.texts, words(1, 2), bits, false, &one,
                                                 weighing, no_pause),
                               hash_rows<double>(documents.texts, words(1, 2), bits, false,
                                                 &several, weighing, threads, no_pause)));
                    CHECK(names_of(one) == names_of(several));
                }
            }
    });
    test("no documents make no rows on any number of threads", [&] {
        BucketNames names(3);
        for (const std::size_t threads : {1u, 3u})
            CHECK(hash_rows<double>({}, words(), 3, false, &names, weighing, threads, no_pause)
                      .indptr.size() == 1);
    });
    test("what one thread throws, or the pause, ends the others and reaches the caller", [] {
        for (const std::size_t wrong : {0u, 1u, 4u}) {
            std::string message;
            try {
                side_by_side(5, no_pause, [&](std::size_t k, auto pause) {
                    if (k == wrong) throw std::length_error("too long");
                    for (;;) pause();
                });
            } catch (const std::length_error& error) {
                message = error.what();
            }
            CHECK(message == "too long");
        }
        bool interrupted = false;
        try {
            side_by_side(
                3, [] { throw std::runtime_error("interrupted"); },
                [](std::size_t k, auto pause) {
                    while (k > 0) pause();
                });
        } catch (const std::runtime_error&) {
            interrupted = true;
        }
        CHECK(interrupted);
    });
}

}  // namespace core_tests
