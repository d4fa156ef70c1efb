// Texts of lines of JSON: UTF-8 that is in its line, and the same in blocks.
#include "read/json_texts.hpp"

#include "fuzz.hpp"
#include "in_blocks.hpp"
#include "read/svmlight_tests.hpp"

namespace {

using namespace rosenblatt;

struct Found {
    std::vector<std::string> texts, lines;
    std::vector<std::int64_t> numbers;
    std::vector<bool> doubtful;

    bool operator==(const Found&) const = default;
};

Found find(std::string_view text, std::string_view name, std::size_t block) {
    Found found;
    JsonMember member(name);
    std::int64_t count = 0;
    fuzz::in_blocks(text, block, [&](std::string_view lines) {
        const core_tests::Padded padded{std::string(lines)};
        const JsonTexts read = read_json_texts(member, padded.begin(), padded.end(), count);
        const std::size_t rows = read.lines.size(), before = found.lines.size();
        HOLDS(read.begins.size() == rows && read.ends.size() == rows);
        HOLDS(read.text_ends.size() == rows);
        std::int64_t begin = 0;
        for (std::size_t k = 0; k < rows; ++k) {
            HOLDS(0 <= read.begins[k] && read.begins[k] < read.ends[k]);
            HOLDS(read.ends[k] <= std::ssize(lines));
            HOLDS(begin <= read.text_ends[k]);
            const auto* const data = reinterpret_cast<const char*>(read.data.data());
            found.texts.emplace_back(data + begin, data + read.text_ends[k]);
            HOLDS(is_utf8(found.texts.back().data(), found.texts.back().size(), false));
            HOLDS(read.text_ends[k] - begin <= read.ends[k] - read.begins[k]);
            begin = read.text_ends[k];
            found.lines.emplace_back(padded.begin() + read.begins[k],
                                     padded.begin() + read.ends[k]);
            HOLDS(found.lines.back().find('\n') == found.lines.back().size() - 1);
            found.numbers.push_back(read.lines[k]);
            found.doubtful.push_back(false);
        }
        for (const std::int64_t place : read.doubtful.view()) {
            HOLDS(0 <= place && place < static_cast<std::int64_t>(rows));
            const std::size_t at = before + static_cast<std::size_t>(place);
            HOLDS(found.texts[at].empty());
            found.doubtful[at] = true;
        }
        return true;
    });
    HOLDS(count == std::ranges::count(text, '\n'));
    return found;
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
    return {
        "\x20{\"text\": \"a b\", \"b\": [1, -2.5e3, null, true, {}]}\n",
        "\xff{\"a\": {\"text\": 1}, \"text\": \"caf\xc3\xa9 \\u00e9\\ud83c\\udf89\\n\"}\r\n\n[]\n",
        "\x08{\"text\": \"x\", \"text\": \"y\"}\n{\"text\": \"\xff\"}\n{\"text\": \"\\ud83c\"}"};
}

std::vector<std::string> fuzz::words() {
    return {"\"text\"",       "\"text\": \"", "{",    "}",       "[",    "]",        "\\u", "\\\"",
            "\\ud83c\\udf89", "null",         "true", "-0.5e+3", "\r\n", "\xc3\xa9", "\xff"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input input(data, size);
    const std::size_t block = 1 + input.byte();
    const std::string text = std::string(input.rest()) + "\n";
    HOLDS(find(text, "text", text.size()) == find(text, "text", block));
    return 0;
}
