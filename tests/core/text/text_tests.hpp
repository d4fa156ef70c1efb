// Documents cut into grams, named, hashed and counted.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "check.hpp"
#include "text/text.hpp"

namespace core_tests {

using Strings = std::vector<std::string>;

/// Letters of Latin-1 and beyond, enough to tell paths apart: é is a letter, Ā its capital.
inline const Characters& few_characters() {
    static const Characters table(
        [](std::uint32_t c) { return c < 128 ? std::isalnum(int(c)) || c == '_' : c != 0xA0; },
        [](std::uint32_t c) { return c == ' ' || (c >= 9 && c <= 13) || c == 0xA0; },
        [](std::uint32_t c) { return c >= 'A' && c <= 'Z' ? c + 32
                                     : c == 0x100         ? 0xE9
                                                          : c; });
    return table;
}

/// The characters of a text at the least width that the sanitizers can watch the end of.
template <class Unit>
struct Units {
    std::vector<Unit> units;

    Text text() const {
        const bool ascii = std::all_of(units.begin(), units.end(), [](Unit c) { return c < 0x80; });
        return {units.data(), units.size(), sizeof(Unit), ascii && sizeof(Unit) == 1};
    }
};

template <class Unit = std::uint8_t>
Units<Unit> units(const std::string& text) {
    return {{text.begin(), text.end()}};
}

inline Strings grams(const Text& text, Cutting cutting) {
    Cutter cutter(cutting);
    Strings found;
    for (const Piece gram : cutter.cut(text))
        found.emplace_back(cutter.bytes() + gram.begin, gram.end - gram.begin);
    return found;
}

inline Cutting words(std::size_t shortest = 1, std::size_t longest = 1) {
    return {Analyzer::word, shortest, longest, true, nullptr, &few_characters()};
}

using CodePoints = std::vector<std::uint32_t>;

/// Bytes where the sanitizers watch their end.
inline std::vector<char> utf8_of(const CodePoints& text) {
    std::vector<char> bytes(4 * text.size());
    std::size_t size = 0;
    for (const std::uint32_t c : text) size += put_utf8(bytes.data() + size, c);
    return {bytes.begin(), bytes.begin() + std::ptrdiff_t(size)};
}

inline Strings words_one_by_one(const CodePoints& text) {
    const Characters& known = few_characters();
    Strings found;
    CodePoints word;
    const auto end_word = [&] {
        const std::vector<char> bytes = utf8_of(word);
        if (word.size() > 1) found.emplace_back(bytes.begin(), bytes.end());
        word.clear();
    };
    for (const std::uint32_t c : text) {
        const std::uint32_t lower = known.lower(c);
        if (known.is_word(lower))
            word.push_back(lower);
        else
            end_word();
    }
    end_word();
    return found;
}

inline void test_cutting() {
    test("words are found wherever they begin and end, in blocks and across them", [] {
        Dice dice(1);
        for (int k = 0; k < 400; ++k) {
            std::string text;
            for (int n = dice.below(200); n > 0; --n) text += "aZ_9 .\x7F\0@[`{/:"[dice.below(14)];
            const Strings expected = words_one_by_one({text.begin(), text.end()});
            CHECK(grams(units(text).text(), words()) == expected);
            CHECK(grams(units<std::uint16_t>(text).text(), words()) == expected);
            CHECK(grams(units<std::uint32_t>(text).text(), words()) == expected);
        }
    });
    test("a word of one character is none, however many bytes it takes", [] {
        const Units<std::uint16_t> text{{0x100, ' ', 0x100, 0x100, ' ', 0x65E5, 0xA0, 'a', 0x65E5}};
        CHECK(grams(text.text(), words()) == Strings{"\u00e9\u00e9", "a\u65e5"});
    });
    test("runs of words are joined by one blank", [] {
        CHECK(grams(units("Aa, bb\t\tcc").text(), words(1, 3)) ==
              Strings{"aa", "bb", "cc", "aa bb", "bb cc", "aa bb cc"});
        CHECK(grams(units("aa").text(), words(2, 3)).empty());
    });
    test("stop words are left out before runs are made", [] {
        Vocabulary stop_words(7);
        const std::string stop = std::string("bb") + std::string(read_ahead, '\0');
        stop_words.add(stop.data(), 2);
        Cutting cutting = words(2, 2);
        cutting.stop_words = &stop_words;
        CHECK(grams(units("aa bb cc").text(), cutting) == Strings{"aa cc"});
    });
    test("tokens that somebody else has cut are taken as they are, and joined as words are", [] {
        const std::string bytes = "a B  c! ";
        const Piece pieces[] = {{0, 3}, {4, 4}, {5, 7}};
        const Tokenised given{bytes.data(), pieces};
        const Text text{&given, bytes.size(), Text::tokens, true};
        CHECK(grams(text, words(1, 2)) == Strings{"a B", "", "c!", "a B ", " c!"});
        const Tokenised none{nullptr, {}};
        CHECK(grams({&none, 0, Text::tokens, true}, words(1, 2)).empty());
    });
    test("runs of characters see a run of white space as one blank, a single one as it is", [] {
        Cutting cutting{Analyzer::char_, 2, 2, true, nullptr, &few_characters()};
        CHECK(grams(units("A\tb \n c").text(), cutting) == Strings{"a\t", "\tb", "b ", " c"});
        CHECK(grams(units("").text(), cutting).empty());
    });
    test("runs of characters within words have a blank on each side, short words count once", [] {
        Cutting cutting{Analyzer::char_wb, 3, 4, true, nullptr, &few_characters()};
        CHECK(grams(units(" ab  c\n").text(), cutting) == Strings{" ab", "ab ", " ab ", " c "});
        CHECK(grams(units(" \n").text(), cutting).empty());
    });
}

inline void test_utf8() {
    test("every character is read from its UTF-8, within its bytes and no further", [] {
        for (std::uint32_t c = 0; c < code_points; c += c < 0x11000 ? 1 : 97) {
            std::vector<char> bytes(4);
            bytes.resize(put_utf8(bytes.data(), c));
            bytes.shrink_to_fit();
            const bool surrogate = c >= 0xD800 && c < 0xE000;
            const Utf8Character read = read_utf8(bytes.data(), bytes.size(), true);
            CHECK(read.value == c && read.size == bytes.size());
            CHECK(is_utf8(bytes.data(), bytes.size(), false) == !surrogate);
            if (bytes.size() > 1) CHECK(!is_utf8(bytes.data(), bytes.size() - 1, true));
        }
    });
    test("a fault is found where one character after the other finds it, in texts of any length",
         [] {
             const auto one_by_one = [](const std::vector<char>& bytes, bool surrogates) {
                 std::size_t k = 0;
                 while (k < bytes.size()) {
                     const auto next = read_utf8(bytes.data() + k, bytes.size() - k, surrogates);
                     if (next.value == Utf8Character::none) break;
                     k += next.size;
                 }
                 return k;
             };
             const std::uint32_t ends[] = {'a',    0x80,   0x7FF,   0x800,
                                           0xFFFF, 0xD800, 0x10000, 0x10FFFF};
             Dice dice(11);
             for (int round = 0; round < 20'000; ++round) {
                 CodePoints text;
                 for (int n = dice.below(60); n > 0; --n)
                     text.push_back(dice.below(3) ? 'x' : ends[dice.below(8)]);
                 std::vector<char> bytes = utf8_of(text);
                 const auto size = static_cast<int>(bytes.size());
                 for (int n = size ? dice.below(3) : 0; n > 0; --n)
                     bytes[std::size_t(dice.below(size))] = static_cast<char>(dice.below(256));
                 for (const bool surrogates : {false, true}) {
                     const char* const fault = not_utf8(bytes.data(), bytes.size(), surrogates);
                     const std::size_t found =
                         fault ? std::size_t(fault - bytes.data()) : bytes.size();
                     CHECK(found == one_by_one(bytes, surrogates));
                 }
             }
         });
    test("each stretch of bytes that makes no character becomes one replacement", [] {
        const auto decoded = [](std::string_view bytes) {
            const std::vector<char> fitting(bytes.begin(), bytes.end());
            Buffer<std::uint32_t> characters;
            decode_utf8(fitting.data(), fitting.size(), characters);
            return std::vector<std::uint32_t>(characters.data(),
                                              characters.data() + characters.size());
        };
        using Characters = std::vector<std::uint32_t>;
        CHECK(decoded("a\xE2\x82z") == Characters{'a', 0xFFFD, 'z'});
        CHECK(decoded("\xED\xA0\x80") == Characters{0xFFFD, 0xFFFD, 0xFFFD});
        CHECK(decoded("\xC0\xAF\xF4\x90") == Characters{0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD});
        CHECK(decoded("\xF0\x9F\x98") == Characters{0xFFFD});
        CHECK(decoded("\xC3\xA9\xF0\x9F\x98\x80") == Characters{0xE9, 0x1F600});
    });
    test("words are the same among ASCII and other characters, however these are mixed", [] {
        Dice dice(5);
        for (int round = 0; round < 2000; ++round) {
            const int other = 1 << dice.below(8);  // one in so many
            Units<std::uint32_t> text;
            for (int n = dice.below(300); n > 0; --n)
                text.units.push_back(dice.below(other)
                                         ? U"aZ_9 ."[dice.below(6)]
                                         : U"\u0100\u00A0\u65E5\U0001F600"[dice.below(4)]);
            const Strings expected = words_one_by_one(text.units);
            const std::vector<char> bytes = utf8_of(text.units);
            CHECK(grams(text.text(), words()) == expected);
            CHECK(grams({bytes.data(), bytes.size(), Text::utf8, false}, words()) == expected);
        }
    });
    test("a text in UTF-8 is cut as its characters are", [] {
        const std::string bytes = "\u0100\u0100 \u65e5a \xFF\xFF";
        const Text text{bytes.data(), bytes.size(), Text::utf8, false};
        CHECK(grams(text, words()) == Strings{"\u00e9\u00e9", "\u65e5a", "\uFFFD\uFFFD"});
    });
}

inline void test_vocabulary() {
    test("a vocabulary gives each name its own column, and finds it again", [] {
        Dice dice(2);
        Vocabulary vocabulary(5);
        std::map<std::string, std::uint32_t> twin;
        for (int k = 0; k < 20000; ++k) {
            std::string name;
            for (int n = 1 + dice.below(dice.coin() ? 4 : 300); n > 0; --n)
                name += static_cast<char>(dice.below(3));
            const auto column = twin.emplace(name, twin.size()).first->second;
            name.reserve(name.size() + read_ahead);
            CHECK(vocabulary.add(name.data(), name.size()) == column);
            CHECK(vocabulary.find(name.data(), name.size()) == column);
            CHECK(vocabulary.name(column) == name);
        }
        CHECK(vocabulary.size() == twin.size());
        std::vector<std::uint32_t> order;
        for (const auto& [name, column] : twin) order.push_back(column);
        CHECK(vocabulary.sorted() == order);
        CHECK(vocabulary.find("unknown\0\0\0\0\0\0\0\0", 7) == Vocabulary::none);
    });
    test("names are kept in any order, all of them or some, and more can be added", [] {
        Lexicon lexicon(7);
        const auto name_of = [](std::uint32_t k) {
            std::string name = std::to_string(k) + std::string(k % 3 * 9, 'x');
            name.reserve(name.size() + read_ahead);
            return name;
        };
        for (std::uint32_t k = 0; k < 1000; ++k) lexicon.add(name_of(k), k);
        lexicon.documents = 2000;
        for (const std::uint32_t kept : {1000u, 999u, 1u, 0u}) {
            std::vector<std::uint32_t> columns(kept);
            for (std::uint32_t k = 0; k < kept; ++k) columns[k] = 7 * k % 1000;
            Lexicon selected = lexicon.select(columns);
            CHECK(selected.size() == kept && selected.documents == 2000);
            for (std::uint32_t k = 0; k < 1000; ++k) {
                const auto place = std::ranges::find(columns, k) - columns.begin();
                const std::string name = name_of(k);
                const std::uint32_t found = selected.names.find(name.data(), name.size());
                CHECK(found == (place < kept ? place : Vocabulary::none));
                CHECK(place == kept || (selected.names.name(found) == name &&
                                        selected.frequencies[found].documents == k));
            }
            const std::string more = name_of(1000);
            CHECK(selected.names.add(more.data(), more.size()) == kept);
        }
        CHECK(lexicon.select(std::vector<std::uint32_t>(1000, 3)).size() == 1);
    });
    test("MurmurHash3 has its published values", [] {
        const auto hash = [](std::string text) {
            text.reserve(text.size() + read_ahead);
            return murmur3(text.data(), text.size());
        };
        CHECK(hash("") == 0);
        CHECK(hash("a") == 0x3C2569B2u);
        CHECK(hash("abcd") == 0x43ED676Au);
        CHECK(hash("Hello, world!") == 0xC0363E43u);
    });
    test("MurmurHash3 of many strings is that of each, short, long and empty", [] {
        Dice dice(6);
        for (std::size_t count = 0; count < 60; ++count) {
            std::string text;
            std::vector<Piece> pieces;
            for (std::size_t k = 0; k < count; ++k) {
                const auto begin = static_cast<std::uint32_t>(text.size());
                for (int n = dice.below(dice.coin() ? 17 : 40); n > 0; --n)
                    text += static_cast<char>(dice.below(256));
                pieces.push_back({begin, static_cast<std::uint32_t>(text.size())});
            }
            text.resize(text.size() + read_ahead, 'x');
            std::vector<std::uint32_t> hashes(count);
            murmur3_each(text.data(), pieces, hashes.data());
            auto on_any_processor = hashes;
            murmur3_in_eights(text.data(), pieces, on_any_processor.data());
            CHECK(hashes == on_any_processor);
            for (std::size_t k = 0; k < count; ++k)
                CHECK(hashes[k] ==
                      murmur3(text.data() + pieces[k].begin, pieces[k].end - pieces[k].begin));
        }
    });
    test("a bucket keeps the name that makes up most of what it saw", [] {
        BucketNames names(1);
        Strings kept(2);
        for (int k = 0; k < 3000; ++k) {
            const std::string rare = "rare" + std::to_string(k) + std::string(k % 300, 'x');
            names.see(1, 1000 + k, rare);
            names.see(1, 7, "frequent");
            if (k % 3 == 0) names.see(1, 7, "frequent");
        }
        names.each([&](std::uint32_t bucket, std::string_view name, std::uint32_t, std::uint32_t) {
            kept[bucket] = name;
        });
        CHECK(kept == Strings{"", "frequent"});
    });
}

inline void test_counting() {
    test("a row has its columns in order, each once, with the sum of its signs", [] {
        Dice dice(3);
        for (const int width : {1, 3, 50, 1 << 20, 1 << 30})
            for (const int size : {0, 1, 2, 15, 16, 17, 40, 63, 64, 65, 127, 128, 129, 300, 5000}) {
                std::map<std::int32_t, std::int32_t> twin;
                std::vector<std::uint32_t> keys;
                for (int k = 0; k < size; ++k) {
                    const int column = dice.coin() ? dice.below(width) : dice.below(width) >> 10;
                    const bool minus = dice.below(4) == 0;
                    keys.push_back(key_of(static_cast<std::uint32_t>(column), minus));
                    twin[column] += minus ? -1 : 1;
                }
                for (const bool wide : {has_avx2, false}) {
                    Counter counter(wide);
                    std::copy(keys.begin(), keys.end(), counter.room_for(keys.size()));
                    std::vector<std::int32_t> columns(keys.size()), totals(keys.size());
                    CHECK(counter.count(keys.size(), columns.data(), totals.data()) == twin.size());
                    std::size_t at = 0;
                    for (const auto& [column, sum] : twin) {
                        CHECK(columns[at] == column && totals[at] == sum);
                        ++at;
                    }
                }
            }
    });
    test("values are weighed and brought to length one", [] {
        const std::vector keys{key_of(1, false), key_of(0, false), key_of(1, false)};
        const double idf[] = {3.0, 2.0};
        CountedRows<double> table;
        std::copy(keys.begin(), keys.end(), table.keys(keys.size()));
        table.add_row(keys.size(), Weighing{false, false, idf, Norm::l2});
        CHECK(close(table.values[0], 0.6) && close(table.values[1], 0.8));
        table.add_row(0, Weighing{false, true, idf, Norm::l1});
        CHECK(table.indptr.size() == 3 && table.indptr[2] == 2);
    });
    test("small counts are brought to the length that large ones are", [] {
        Dice dice(11);
        for (int most = 1; most <= 40; ++most)
            for (size_t size = 0; size <= 30; ++size) {
                std::vector<std::int32_t> counts(size), columns(size);
                for (std::int32_t& count : counts) count = dice.below(2 * most + 1) - most;
                std::vector<float> scaled(size), twin(counts.begin(), counts.end());
                const Weighing weighing{false, false, nullptr, Norm::l2};
                weighing.weigh<float>(columns, counts, scaled);
                weighing.weigh<float>(columns, twin);
                CHECK(scaled == twin);
            }
    });
    test("a growing lexicon counts the documents of each word", [] {
        const std::vector<Units<std::uint8_t>> owned{units("aa bb aa"), units(""), units("cc aa")};
        std::vector<Text> documents;
        for (const auto& document : owned) documents.push_back(document.text());
        Lexicon lexicon(9);
        const Columns read = grow(documents, words(), lexicon, true, [] {});
        CHECK(std::ranges::equal(std::span(read.columns.data(), read.columns.size()),
                                 std::vector<std::uint32_t>{0, 1, 0, 2, 0}));
        CHECK(lexicon.documents == 3 && lexicon.frequencies[0].documents == 2);
        CHECK(lexicon.frequencies[1].documents == 1 && lexicon.frequencies[2].documents == 1);
        CHECK(look_up<double>(documents, words(), lexicon.names, {}, [] {}).columns.size() == 4);
    });
}

}  // namespace core_tests
