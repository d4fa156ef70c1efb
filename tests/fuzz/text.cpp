// Documents: grams lie within the text, do not depend on how its characters are stored, and are
// found again.
#include "text/text.hpp"

#include <numeric>

#include "fuzz.hpp"
#include "text/text_tests.hpp"

namespace {

using namespace rosenblatt;
using core_tests::few_characters, core_tests::grams, core_tests::Strings, core_tests::Units,
    core_tests::utf8_of;

template <class Unit>
Units<Unit> as(const std::vector<std::uint32_t>& characters) {
    return {{characters.begin(), characters.end()}};
}

/// Bytes as characters of Latin-1, or two or four of them as one of a larger script.
std::vector<std::uint32_t> characters_of(std::string_view bytes, unsigned size) {
    std::vector<std::uint32_t> found;
    for (std::size_t k = 0; k + size <= bytes.size(); k += size) {
        std::uint32_t c = 0;
        for (std::size_t j = 0; j < size; ++j)
            c = c << 8 | static_cast<unsigned char>(bytes[k + j]);
        found.push_back(c % code_points);
    }
    return found;
}

Strings grams_of_utf8(const std::vector<char>& bytes, const Cutting& cutting) {
    return grams({bytes.data(), bytes.size(), Text::utf8, false}, cutting);
}

/// What is no UTF-8 is read as something, and what it is read as stands for itself.
void check_any_bytes(std::string_view text, const Cutting& cutting) {
    const std::vector<char> bytes(text.begin(), text.end());
    Buffer<std::uint32_t> decoded;
    decode_utf8(bytes.data(), bytes.size(), decoded);
    const std::vector<std::uint32_t> characters(decoded.data(), decoded.data() + decoded.size());
    const std::vector<char> again = utf8_of(characters);
    HOLDS(is_utf8(again.data(), again.size(), false));
    HOLDS((bytes == again) == is_utf8(bytes.data(), bytes.size(), false));
    HOLDS(grams_of_utf8(bytes, cutting) == grams_of_utf8(again, cutting));
}

/// The grams, the same at every width that holds the characters.
Strings cut(const std::vector<std::uint32_t>& text, const Cutting& cutting) {
    const Strings found = grams(as<std::uint32_t>(text).text(), cutting);
    const std::uint32_t highest = text.empty() ? 0 : *std::ranges::max_element(text);
    if (highest < 0x10000) HOLDS(grams(as<std::uint16_t>(text).text(), cutting) == found);
    const std::vector<char> bytes = utf8_of(text);
    if (is_utf8(bytes.data(), bytes.size(), false)) HOLDS(grams_of_utf8(bytes, cutting) == found);
    if (highest < 0x100) HOLDS(grams(as<std::uint8_t>(text).text(), cutting) == found);
    return found;
}

void check_runs(const std::vector<std::uint32_t>& text, Cutting cutting, std::size_t found) {
    cutting.shortest = cutting.longest = 1;
    const std::size_t single = cut(text, cutting).size();
    HOLDS(cutting.analyzer == Analyzer::char_wb || found >= single);
}

/// All grams of two documents become columns, and are found there again.
void check_columns(const std::vector<std::uint32_t>& text, const Cutting& cutting) {
    const auto middle = text.begin() + std::ssize(text) / 2;
    const Units<std::uint32_t> first{{text.begin(), middle}}, second{{middle, text.end()}};
    const std::vector<Text> documents{first.text(), second.text()};
    Lexicon lexicon(7);
    const Columns columns = grow(documents, cutting, lexicon, true, [] {});
    HOLDS(lexicon.documents == 2);
    for (std::size_t k = 0; k < columns.columns.size(); ++k)
        HOLDS(columns.columns[k] < lexicon.size());
    for (std::size_t k = 0; k < lexicon.size(); ++k) {
        std::string name(lexicon.names.name(k));
        name.reserve(name.size() + read_ahead);
        HOLDS(lexicon.names.find(name.data(), name.size()) == k);
        HOLDS(lexicon.frequencies[k].documents >= 1 && lexicon.frequencies[k].documents <= 2);
    }
    const auto rows = look_up<double>(documents, cutting, lexicon.names, {}, [] {});
    const std::span counts(rows.values.data(), rows.values.size());
    HOLDS(std::accumulate(counts.begin(), counts.end(), 0.0) == double(columns.columns.size()));
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
    std::vector<std::string> found;
    for (const char how : {0, 1, 2, 8, 13, 26, 33, 40, 64, 80, 97})
        for (const char* text :
             {"A good film, GOOD plot", "a b cc_dd 99 \t\n x", "caf\xe9 \xa0 na\xefve"})
            found.push_back(std::string(1, how) + text);
    // Long enough for blocks of 64 bytes, and words enough for the largest sorting networks.
    std::string words, letters;
    for (int k = 0; k < 150; ++k) words += "w" + std::to_string(k * k % 97) + (k % 7 ? " " : ", ");
    for (int k = 0; k < 90; ++k) letters += k % 11 ? "Word-" : "caf\xc3\xa9 \xe2\x82\xac ";
    for (const char how : {0, 1, 2, 20, 33, 64})
        for (const std::string& text : {words, letters}) found.push_back(how + text);
    return found;
}

std::vector<std::string> fuzz::words() {
    return {" the ",
            "_",
            "\xc3\xa9",
            "\xa0",
            std::string("\x01\x00", 2),
            std::string(70, 'a'),
            std::string("\x00\x01\xF6\x00", 4),
            "\xd8\x00"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input input(data, size);
    const unsigned how = input.byte();
    const auto text = characters_of(input.rest(), how & 64 ? 4 : how & 32 ? 2 : 1);
    Vocabulary stop_words(3);
    const std::string the = std::string("the") + std::string(read_ahead, '\0');
    stop_words.add(the.data(), 3);
    const std::size_t shortest = 1 + (how >> 2) % 3;
    const Cutting cutting{how % 3 == 0   ? Analyzer::word
                          : how % 3 == 1 ? Analyzer::char_
                                         : Analyzer::char_wb,
                          shortest,
                          shortest + (how >> 4) % 3,
                          how < 128,
                          how & 16 ? &stop_words : nullptr,
                          &few_characters()};
    const Strings found = cut(text, cutting);
    for (const std::string& gram : found) HOLDS(!gram.empty());
    if (cutting.shortest == 1) check_runs(text, cutting, found.size());
    check_columns(text, cutting);
    check_any_bytes(input.rest(), cutting);
    return 0;
}
