// Texts of lines of JSON, within their memory.
#pragma once

#include <string>
#include <vector>

#include "check.hpp"
#include "read/json_texts.hpp"
#include "read/lines_tests.hpp"

namespace core_tests {

struct TextsFound {
    std::vector<std::string> texts, lines;
    std::vector<std::int64_t> numbers, doubtful;
};

inline TextsFound find_texts(const std::string& text, const std::string& name = "text") {
    const std::vector<char> memory = with_slack(text);
    JsonMember member(name);
    std::int64_t count = 0;
    const JsonTexts read =
        read_json_texts(member, memory.data(), memory.data() + text.size(), count);
    TextsFound found;
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < read.lines.size(); ++k) {
        const auto* const data = reinterpret_cast<const char*>(read.data.data());
        found.texts.emplace_back(data + begin, data + read.text_ends[k]);
        begin = read.text_ends[k];
        found.lines.emplace_back(memory.data() + read.begins[k], memory.data() + read.ends[k]);
        found.numbers.push_back(read.lines[k]);
    }
    for (const std::int64_t place : read.doubtful.view()) found.doubtful.push_back(place);
    return found;
}

inline void test_json_texts() {
    using Strings = std::vector<std::string>;
    using Numbers = std::vector<std::int64_t>;
    test("texts stand under their name, in whatever place", [] {
        const auto found = find_texts(
            "{\"a\": {\"text\": 1}, \"text\" :\t\"one\"}\r\n\n "
            "\r\n{\"text\":\"\",\"b\":[-0.5e+3,{}]}\n");
        CHECK(found.texts == (Strings{"one", ""}));
        CHECK(found.lines == (Strings{"{\"a\": {\"text\": 1}, \"text\" :\t\"one\"}\r\n",
                                      "{\"text\":\"\",\"b\":[-0.5e+3,{}]}\n"}));
        CHECK(found.numbers == (Numbers{1, 4}) && found.doubtful.empty());
    });
    test("escapes become what they stand for", [] {
        const auto found =
            find_texts("{\"text\": \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83c\\uDF89\"}\n");
        CHECK(found.texts == Strings{"\"\\/\b\f\n\r\t\xC3\xA9\xF0\x9F\x8E\x89"});
    });
    test("strings end where they end, however long they are", [] {
        for (std::size_t size = 0; size < 70; ++size) {
            const std::string text(size, 'x');
            CHECK(find_texts("{\"text\":\"" + text + "\"}\n").texts == Strings{text});
            CHECK(find_texts("{\"text\":\"" + text + "\n").doubtful == Numbers{0});
            CHECK(find_texts("{\"text\":\"" + text + "\\n\"}\n").texts == Strings{text + "\n"});
        }
    });
    test("what is not beyond doubt leaves nothing behind", [] {
        const auto found = find_texts(
            "{\"text\": \"a\"} b\n{\"text\": \"a\", \"text\": \"b\"}\n{\"text\": \"\\ud83c\"}\n"
            "{\"text\": \"\xFF\"}\n{}\n{\"te\\u0078t\": \"a\"}\n{\"text\": \"last\"}\n");
        CHECK(found.texts == (Strings{"", "", "", "", "", "", "last"}));
        CHECK(found.doubtful == (Numbers{0, 1, 2, 3, 4, 5}));
    });
}

}  // namespace core_tests
