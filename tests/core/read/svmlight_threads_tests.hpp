// Svmlight on several threads: the rows of one, whether the text is in memory or in a file.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "check.hpp"
#include "read/svmlight_tests.hpp"
#include "read/svmlight_threads.hpp"

namespace core_tests {

/// A text as if it were in a file.
inline auto as_file(std::string_view text, size_t longest_line) {
    const auto read_bytes = [text](char* memory, size_t from, size_t to) {
        if (to > text.size()) return false;
        std::memcpy(memory, text.data() + from, to - from);
        return true;
    };
    return SvmlightFile{text.size(), longest_line, read_bytes};
}

template <class Text>
std::string reading_of(const Text& text, const SvmlightOptions& options, size_t stretch,
                       size_t threads) {
    SvmlightRows<double> rows;
    read_svmlight(text, stretch, threads, options, no_pause, rows);
    return shown(rows);
}

template <class Text>
bool is_unread(const Text& text, const SvmlightOptions& options) {
    try {
        reading_of(text, options, 4, 2);
        return false;
    } catch (const SvmlightUnread&) {
        return true;
    }
}

inline void test_svmlight_threads() {
    test("rows depend neither on the threads nor on the stretches that they read", [] {
        Dice dice(4);
        for (int k = 0; k < 500 && sound; ++k) {
            std::string text;
            for (int n = 1 + dice.below(5); n > 0; --n)
                text += random_text(dice) + (dice.below(9) ? "" : "1 5000000000:1\n");
            const SvmlightOptions options = random_options(dice);
            const Padded padded(text);
            const SvmlightText whole{{padded.begin(), padded.length}};
            const std::string expected = reading_of(text, options);
            for (const size_t threads : {1u, 2u, 5u}) {
                const auto stretch = static_cast<size_t>(1 + dice.below(60));
                CHECK(reading_of(whole, options, stretch, threads) == expected);
                const auto file = as_file(text, text.size());
                CHECK(reading_of(file, options, stretch, threads) == expected);
            }
        }
    });
    test("the last line of a file may have no end, and be longer than a stretch", [] {
        const std::string text = "1 1:1\n\n2 1:2 3:4 " + std::string(20'000, ' ') + "7:8";

        for (const size_t stretch : {1u, 6u, 7u, 10u, 9'000u, 50'000u})
            CHECK(reading_of(as_file(text, text.size()), {}, stretch, 2) ==
                  reading_of(text + "\n", {}));
    });
    test("rows are added to those that are there, also where colons are no pairs", [] {
        const std::string text = "1 qid:3 1:1 # at 12:30\n2 qid:4 5:1\n# 1:1\n3 qid:5 7:1 8:2\n";
        const Padded padded(text);
        const SvmlightText whole{{padded.begin(), padded.length}};
        SvmlightRows<double> rows;

        for (int k = 0; k < 3; ++k) read_svmlight(whole, 9, 2, {}, no_pause, rows);

        CHECK(shown(rows) == reading_of(text + text + text, {}));
        CHECK(rows.lines == 12 && rows.places[8] == 12);
    });
    test("a file that is cut short, or has a line beyond the limit, is left to one thread", [] {
        const std::string text = "1 1:1\n2 1:2" + std::string(10'000, ' ') + "\n3 1:3\n";
        auto cut_short = as_file(text, text.size());
        cut_short.length += 1;

        CHECK(!is_unread(as_file(text, text.size()), {}));
        CHECK(is_unread(as_file(text, 100), {.longest_line = 100}));
        CHECK(is_unread(cut_short, {}));
    });
    test("what interrupts one thread ends all", [] {
        std::string text;
        for (int k = 0; k < 20'000; ++k) text += "1 1:1\n";
        const Padded padded(text);
        SvmlightRows<double> rows;
        int pauses = 0;
        const auto pause = [&] {
            if (++pauses == 3) throw std::runtime_error("interrupted");
        };

        bool interrupted = false;
        try {
            const SvmlightText whole{{padded.begin(), padded.length}};
            read_svmlight(whole, 6, 3, {}, pause, rows);
        } catch (const std::runtime_error&) {
            interrupted = true;
        }

        CHECK(interrupted && pauses == 3);
    });
}

}  // namespace core_tests
