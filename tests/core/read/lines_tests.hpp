// Lines of text and of Vowpal Wabbit, within their memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "read/lines.hpp"
#include "read/vw.hpp"
#include "text/named.hpp"

namespace core_tests {

/// Text in memory that ends as far behind its last newline as readers may look.
inline std::vector<char> with_slack(const std::string& text) {
    std::vector<char> memory(text.begin(), text.end());
    memory.resize(memory.size() + slack, '7');
    return memory;
}

struct SplitLines {
    std::vector<std::string> documents, labels;
    std::vector<std::int64_t> bad;
};

inline SplitLines split_lines(const std::string& text, LineStyle style, bool set_aside = true,
                              std::size_t longest = 1000, bool labelled = true,
                              bool several = false) {
    const std::vector<char> memory = with_slack(text);
    LineSplitter splitter(style, labelled, {longest, set_aside}, 3, several);
    const TextLines found = splitter.read(memory.data(), memory.data() + text.size());
    SplitLines split;
    for (std::size_t k = 0; k < found.begins.size(); ++k) {
        split.documents.emplace_back(memory.data() + found.begins[k],
                                     memory.data() + found.ends[k]);
        if (labelled && style != LineStyle::plain)
            split.labels.emplace_back(
                splitter.labels.name(static_cast<std::size_t>(found.labels[k])));
    }
    for (const auto& fault : splitter.log.bad) split.bad.push_back(fault.line);
    return split;
}

inline void test_lines() {
    using Strings = std::vector<std::string>;
    using Numbers = std::vector<std::int64_t>;
    test("labels stand before documents, and lines without are set aside", [] {
        const auto marked =
            split_lines("__label__a one\r\n\n__label__b two \nnone\n__label__a\n__label__ x\n",
                        LineStyle::fasttext);
        CHECK(marked.documents == Strings{"one", "two ", ""});
        CHECK(marked.labels == Strings{"a", "b", "a"});
        CHECK(marked.bad == Numbers{4, 6});
        const auto tabbed = split_lines(" a \tone\ttwo\n\tx\nnone\n \n", LineStyle::tab);
        CHECK(tabbed.documents == Strings{"one\ttwo"} && tabbed.labels == Strings{"a"});
        CHECK(tabbed.bad == Numbers{2, 3});
        CHECK(split_lines("\na\n", LineStyle::plain).documents == Strings{"", "a"});
    });
    test("a line of several labels is bad, unless labels do not matter", [] {
        const std::string text = "__label__a __label__b one\n__label__a two\n";
        const auto labelled = split_lines(text, LineStyle::fasttext);
        CHECK(labelled.documents == Strings{"two"} && labelled.bad == Numbers{1});
        const auto unlabelled = split_lines(text, LineStyle::fasttext, true, 1000, false);
        CHECK(unlabelled.documents == Strings{"one", "two"} && unlabelled.bad.empty());
    });
    test("several labels come as one, and a line may have none", [] {
        const auto marked = split_lines("__label__a  __label__b one\ntwo\n__label__a __label__ x\n",
                                        LineStyle::fasttext, true, 1000, true, true);
        CHECK(marked.documents == Strings{"one", "two"});
        CHECK(marked.labels == Strings{"a  __label__b", ""} && marked.bad == Numbers{3});
        const auto tabbed =
            split_lines("a;b\tone\n\ttwo\nnone\n", LineStyle::tab, true, 1000, true, true);
        CHECK(tabbed.labels == Strings{"a;b", ""} && tabbed.bad == Numbers{3});
    });
    test("a line that is not UTF-8 is bad", [] {
        for (const bool labelled : {true, false}) {
            const auto split =
                split_lines("a\tcaf\xE9\nb\tcaf\xC3\xA9\n", LineStyle::tab, true, 1000, labelled);
            CHECK(split.documents == Strings{"caf\xC3\xA9"} && split.bad == Numbers{1});
        }
    });
    test("the first bad line ends all if none are set aside", [] {
        const auto split = split_lines("a\tb\nnone\nc\td\nnone\n", LineStyle::tab, false);
        CHECK(split.documents == Strings{"b"} && split.bad == Numbers{2});
        CHECK(split_lines("abc\nabcd\r\nabcde\n", LineStyle::plain, true, 4).bad == Numbers{3});
    });
    test("any bytes are split within their memory", [] {
        Dice dice(11);
        for (int round = 0; round < 3000; ++round) {
            std::string text;
            for (int n = dice.below(60); n > 0; --n)
                text += dice.below(9) ? std::string(1, "_label \t\r\n\0\xFF\xC3"[dice.below(13)])
                                      : std::string("__label__");
            text += '\n';
            for (const LineStyle style : {LineStyle::fasttext, LineStyle::tab, LineStyle::plain}) {
                const auto split = split_lines(text, style);
                CHECK(split.documents.size() + split.bad.size() <=
                      std::size_t(std::ranges::count(text, '\n')));
            }
        }
    });
}

inline void test_vw() {
    const auto read = [](const std::string& text, NamedExamples& found,
                         VwLines::Labels labels = VwLines::Labels::unknown) {
        const std::vector<char> memory = with_slack(text);
        VwLines lines({1000, true}, labels);
        found = lines.read(memory.data(), memory.data() + text.size());
        return lines.log.bad.size();
    };
    test("namespaces stand before their features and weigh them", [&] {
        NamedExamples found;
        CHECK(read("2 0.5 'id |ab:2 x:3 y|c z\n\n-1 | w:1e1\n1 |a x:\n", found) == 1);
        const std::string names(found.names.data(), found.names.data() + found.names.size());
        CHECK(names == "ab^xab^yc^zw");
        CHECK(found.values.size() == 4 && found.values[0] == 6 && found.values[3] == 10);
        CHECK(found.indptr.size() == 3 && found.indptr[1] == 3 && found.lines[1] == 3);
        CHECK(found.labels[0] == 2 && found.importances[0] == 0.5 && found.importances[1] == 1);
    });
    test("where no labels are expected a blank line is an example too", [&] {
        NamedExamples found, skipped;
        const std::string text = "| a\n\n1 | b\n";
        CHECK(read(text, found, VwLines::Labels::absent) == 0 && found.lines.size() == 3);
        CHECK(found.indptr[1] == 1 && found.indptr[2] == 1 && found.indptr[3] == 2);
        CHECK(read(text, skipped) == 0 && skipped.lines.size() == 2);
    });
    test("any bytes are read within their memory, and become examples of sound indptr", [&] {
        Dice dice(12);
        for (int round = 0; round < 5000; ++round) {
            std::string text;
            for (int n = dice.below(50); n > 0; --n)
                text += "1.5e-| :ax'\t\n\xC3\xA9"[dice.below(14)];
            text += '\n';
            NamedExamples found;
            read(text, found);
            const std::size_t examples = found.lines.size(), values = found.values.size();
            CHECK(found.indptr.size() == examples + 1 && found.labels.size() == examples);
            CHECK(std::size_t(found.indptr[examples]) == values && found.ends.size() == values);
            CHECK(values == 0 || std::size_t(found.ends[values - 1]) == found.names.size());
        }
    });
    test("named values become rows: columns in order, the same ones summed", [] {
        const std::string names = "babz";
        const std::int64_t begins[] = {0, 1, 2, 3}, ends[] = {1, 2, 3, 4}, indptr[] = {0, 3, 4};
        const double values[] = {1, 2, 4, 8};
        const std::vector<char> memory(names.begin(), names.end());
        const NamedValues given{memory, begins, ends, values, indptr};
        Lexicon lexicon(5);
        const auto columns = grow_names(given, lexicon);
        const std::int32_t renumbered[] = {1, 0, 2};
        const auto table = named_rows<double>(indptr, columns.view(), values, renumbered, 3);
        CHECK(table.columns.size() == 3 && table.indptr[1] == 2);
        CHECK(table.columns[0] == 0 && table.values[0] == 2);
        CHECK(table.columns[1] == 1 && table.values[1] == 5);
        CHECK(lexicon.frequencies[0].documents == 1 && lexicon.documents == 2);
        Vocabulary other(6);
        const std::string a("a" + std::string(read_ahead, '\0'));
        other.add(a.data(), 1);
        const auto known = find_names(given, other);
        CHECK(known[0] == Vocabulary::none && known[1] == 0);
        CHECK(named_rows<float>(indptr, known.view(), values, nullptr, 1).columns.size() == 1);
    });
}

}  // namespace core_tests
