// Numbers and lines of svmlight: what is read, and that no text can do harm.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "read/numbers.hpp"
#include "read/svmlight.hpp"

namespace core_tests {

using namespace rosenblatt;

/// Text in memory of exactly the size that may be looked at.
struct Padded {
    std::unique_ptr<char[]> memory;
    size_t length;

    explicit Padded(const std::string& text)
        : memory(new char[text.size() + slack]), length(text.size()) {
        std::memcpy(memory.get(), text.data(), length);
        std::memset(memory.get() + length, '7', slack);
    }
    const char* begin() const { return memory.get(); }
    const char* end() const { return begin() + length; }
};

/// Whether the text is read, to its end, as the number that C reads.
inline bool reads_as_c_does(const std::string& number) {
    const Padded text(number + "\n");
    double value = -7.0;
    const char* const stop = read_number(text.begin(), text.end(), value);
    if (stop != text.end() - 1) return false;
    const double expected = std::strtod(number.c_str(), nullptr);
    return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(expected);
}

inline std::string random_decimal(Dice& dice) {
    const auto digits = [&](int most) {
        std::string text;
        for (int k = dice.below(most + 1); k > 0; --k)
            text += static_cast<char>('0' + dice.below(10));
        return text;
    };
    std::string text = dice.below(4) ? "" : dice.coin() ? "-" : "+";
    const int most = dice.below(4) ? 9 : 40;
    text += dice.below(3) ? digits(most) : "0";
    if (text.empty() || text.back() < '0') text += '4';
    if (dice.coin()) text += "." + digits(most);
    if (!dice.below(3)) {
        text += dice.coin() ? "e" : "E";
        text += dice.below(3) ? "-" : dice.coin() ? "+" : "";
        text += std::to_string(dice.below(dice.coin() ? 25 : 400));
    }
    return text;
}

inline void test_numbers() {
    test("every decimal is read as the nearest double", [] {
        Dice dice(1);
        for (int k = 0; k < 200'000; ++k) {
            const std::string number = random_decimal(dice);
            CHECK(reads_as_c_does(number));
            if (!sound) std::printf("    %s\n", number.c_str());
            if (!sound) return;
        }
    });
    test("decimals of 16 to 21 digits are read as the nearest double", [] {
        Dice dice(2);
        for (int k = 0; k < 200'000; ++k) {
            std::string number;
            for (int digit = 16 + dice.below(6); digit > 0; --digit)
                number += static_cast<char>('0' + dice.below(10));
            number.insert(static_cast<size_t>(dice.below(8)), ".");
            if (dice.coin()) number.insert(0, "0");
            if (dice.coin()) number += "e" + std::to_string(dice.below(90) - 60);
            CHECK(reads_as_c_does(number));
            if (!sound) std::printf("    %s\n", number.c_str());
            if (!sound) return;
        }
    });
    test("decimals near a tie, at the ends of the range and beyond are read as C reads them", [] {
        for (const char* number : {"9007199254740993",
                                   "9007199254740992",
                                   "0.1",
                                   "1e22",
                                   "1e23",
                                   "8.5e-22",
                                   ".5",
                                   "5.",
                                   "123456789012345678",
                                   "4.9e-324",
                                   "2e-324",
                                   "1e-400",
                                   "-1e-400",
                                   "1.8e308",
                                   "-1e999",
                                   "1e99999999999999999999",
                                   "1e-99999999999999999999",
                                   "0e99999999999999999999",
                                   "inf",
                                   "-inf",
                                   "0.00000000000000000000000000000000000001e-400",
                                   "+7",
                                   "-0",
                                   "0.30000000000000004",
                                   "2.2250738585072011e-308",
                                   "1234567.12345678",
                                   "0.12500000000000000000",
                                   "0.000000000000000000",
                                   "9007199254740.9930",
                                   "900719925474099.30000",
                                   "1.0000000000000001110",
                                   "1.000000000000000111",
                                   "0.9999999999999999444",
                                   "1844674.4073709551615",
                                   "1844674.4073709551616",
                                   "0.9999999999999999999"})
            CHECK(reads_as_c_does(number));
    });
    test("what is no number is not read", [] {
        for (const char* word :
             {"", ".", "-", "+", "+-1", "++1", "+ 1", "e5", "-.e1", "x", "\n", " 1"}) {
            const Padded text(std::string(word) + "\n");
            double value;
            CHECK(read_number(text.begin(), text.end(), value) == nullptr);
        }
    });
    test("what C takes for a part of a number and Python does not is not read", [] {
        for (const auto& [word, read] : {std::pair{"nan(7)", 3}, {"0x1p3", 1}, {"12e", 2}}) {
            const Padded text(std::string(word) + "\n");
            double value;
            CHECK(read_number(text.begin(), text.end(), value) == text.begin() + read);
        }
    });
}

template <class T>
void show(std::string& shown, const Buffer<T>& buffer) {
    for (const T& value : buffer.view()) shown += std::to_string(value) + " ";
    shown += "\n";
}

/// All that rows hold, as one string.
inline std::string shown(const SvmlightRows<double>& rows) {
    std::string text;
    show(text, rows.labels);
    show(text, rows.indptr);
    show(text, rows.values);
    show(text, rows.columns);
    show(text, rows.wide_columns);
    show(text, rows.queries);
    show(text, rows.label_indptr);
    for (const auto& fault : rows.faults)
        text += std::to_string(fault.line) + "/" + std::to_string(fault.column) + " " +
                fault.token + "|" + fault.text + "\n";
    return text;
}

inline std::string reading_of(const std::string& text, const SvmlightOptions& options) {
    const Padded padded(text);
    SvmlightRows<double> rows;
    read_svmlight(padded.begin(), padded.end(), options, rows);
    return shown(rows);
}

inline bool is_sound(const std::string& text, const SvmlightOptions& options) {
    const Padded padded(text);
    SvmlightRows<float> rows;
    read_svmlight(padded.begin(), padded.end(), options, rows);
    const auto indptr = rows.indptr.view();
    const size_t count = indptr.size() - 1;
    bool good = static_cast<size_t>(indptr[count]) == rows.values.size() &&
                rows.wide_columns.size() + rows.columns.size() == rows.values.size() &&
                (options.multilabel ? rows.label_indptr.size() == indptr.size()
                                    : rows.labels.size() == count) &&
                rows.queries.size() == (options.query_id ? count : 0) &&
                rows.places.size() == count;
    for (size_t k = 0; k < count; ++k)
        good = good && indptr[k] <= indptr[k + 1] && rows.places[k] <= rows.lines &&
               (k == 0 ? 0 : rows.places[k - 1]) < rows.places[k];
    return good;
}

inline std::string random_text(Dice& dice) {
    static const std::vector<std::string> pieces = {"+1 1:0.5 3:2\n",
                                                    "-1 2:1e-3 7:12 900:3.25 # good\n",
                                                    "0 qid:3 1:1\n",
                                                    "1,2 5:1\n",
                                                    "\n",
                                                    "# all comment\n",
                                                    " \t 1 1:1\r\n",
                                                    "1 99999999999:1\n",
                                                    "1 9999999999999999999999:1\n",
                                                    "2 3:1 2:1\n",
                                                    "good\n",
                                                    "1 good\n",
                                                    "1 1:\n",
                                                    "1 :1\n",
                                                    "1 1:1:1\n",
                                                    "1 0:1\n",
                                                    "1 -1:1\n",
                                                    "1 qid:\n",
                                                    "1 qid:99999999999999999999 1:1\n",
                                                    "nan 1:inf\n",
                                                    ",\n",
                                                    "1,\n",
                                                    "1:2\n"};
    static const std::string letters = "0123456789:.,+-eE#qid \t\r\n\v\f\0nainf\x80\xff";
    std::string text;
    for (int k = 1 + dice.below(8); k > 0; --k) {
        std::string piece = pieces[static_cast<size_t>(dice.below(int(pieces.size())))];
        for (int changes = dice.below(4); changes > 0; --changes) {
            const auto place = static_cast<size_t>(dice.below(int(piece.size()) + 1));
            const char letter = letters[static_cast<size_t>(dice.below(int(letters.size())))];
            if (dice.coin())
                piece.insert(place, 1, letter);
            else if (place < piece.size())
                dice.coin() ? void(piece[place] = letter) : void(piece.erase(place, 1));
        }
        text += piece;
    }
    return text + "\n";
}

inline SvmlightOptions random_options(Dice& dice) {
    return {.base = dice.below(2),
            .zero_allowed = dice.coin(),
            .multilabel = dice.coin(),
            .every_line = dice.coin(),
            .query_id = dice.coin(),
            .set_aside = dice.coin(),
            .longest_line = dice.coin() ? 15u : 1000u};
}

inline void test_svmlight() {
    test("a line gives a label, columns and values", [] {
        const std::string shown = reading_of("-1 qid:4 2:0.5 3:-2e1 # x\n", {.query_id = true});
        CHECK(shown == "-1.000000 \n0 2 \n0.500000 -20.000000 \n1 2 \n\n4 \n0 \n");
    });
    test("where labels may be missing every line can be a row, unless it is a comment", [] {
        const std::string text = "1:2\n\n \r\n# none\n1\n";
        const Padded padded(text);
        SvmlightRows<double> rows, skipped;
        read_svmlight(padded.begin(), padded.end(), {.multilabel = true, .every_line = true}, rows);
        read_svmlight(padded.begin(), padded.end(), {.multilabel = true}, skipped);
        const auto at = [](const auto& places) {
            return std::vector<std::int64_t>(places.begin(), places.end());
        };
        CHECK(at(rows.places.view()) == std::vector<std::int64_t>{1, 2, 3, 5});
        CHECK(at(rows.indptr.view()) == std::vector<std::int64_t>{0, 1, 1, 1, 1});
        CHECK(at(skipped.places.view()) == std::vector<std::int64_t>{1, 5});
    });
    test("random text, set aside or not, harms nothing", [] {
        Dice dice(2);
        for (int k = 0; k < 20'000 && sound; ++k)
            CHECK(is_sound(random_text(dice), random_options(dice)));
    });
    test("random bytes harm nothing", [] {
        Dice dice(3);
        for (int k = 0; k < 5'000; ++k) {
            std::string text;
            for (int n = dice.below(200); n > 0; --n) text += static_cast<char>(dice.below(256));
            CHECK(is_sound(text + "\n", {.set_aside = true}));
        }
    });
}

}  // namespace core_tests
