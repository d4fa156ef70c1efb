// Lines of text with labels: documents lie within their lines, and are the same in blocks.
#include "read/lines.hpp"

#include "fuzz.hpp"
#include "in_blocks.hpp"
#include "read/svmlight_tests.hpp"

namespace {

using namespace rosenblatt;

struct Found {
    std::vector<std::string> documents, labels;
    std::vector<std::int64_t> lines;
    std::vector<BadLine<LineFault>> bad;

    bool operator==(const Found& other) const {
        return documents == other.documents && labels == other.labels && lines == other.lines &&
               fuzz::same_faults(bad, other.bad);
    }
};

Found split(std::string_view text, LineStyle style, bool labelled, const LineLog<LineFault>& log,
            std::size_t block) {
    Found found;
    LineSplitter splitter(style, labelled, log, 5);
    const bool numbered = labelled && style != LineStyle::plain;
    fuzz::in_blocks(text, block, [&](std::string_view lines) {
        const core_tests::Padded padded{std::string(lines)};
        const TextLines read = splitter.read(padded.begin(), padded.end());
        const std::size_t count = read.begins.size();
        HOLDS(read.ends.size() == count && read.lines.size() == count);
        HOLDS(read.labels.size() == (numbered ? count : 0));
        for (std::size_t k = 0; k < count; ++k) {
            HOLDS(0 <= read.begins[k] && read.begins[k] <= read.ends[k]);
            HOLDS(read.ends[k] < std::ssize(lines));
            found.documents.emplace_back(padded.begin() + read.begins[k],
                                         padded.begin() + read.ends[k]);
            HOLDS(found.documents.back().find('\n') == std::string::npos);
            found.lines.push_back(read.lines[k]);
            if (!numbered) continue;
            HOLDS(read.labels[k] >= 0 &&
                  static_cast<std::size_t>(read.labels[k]) < splitter.labels.size());
            const auto label = splitter.labels.name(static_cast<std::size_t>(read.labels[k]));
            HOLDS(!label.empty() && is_utf8(label.data(), label.size(), false));
            found.labels.emplace_back(label);
        }
        return log.set_aside || splitter.log.bad.empty();
    });
    found.bad = splitter.log.bad;
    if (log.set_aside) HOLDS(splitter.log.lines == std::ranges::count(text, '\n'));
    return found;
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
    std::string line;
    for (int k = 0; k < 80; ++k) line += k % 9 ? "plain words " : "\xc3\xa9t\xc3\xa9 ";
    return {std::string("\x00\xff", 2) + "__label__a " + line + "\n__label__b " + line + "\n",
            std::string("\x00\x07", 2) + "__label__good __label__new A text\r\n__label__bad x\n",
            "\x01\x09good\tA text\n bad \t another\n\n",
            "\x02\x03plain\n\nlines\r\n",
            "\x05\x10good A text\n\tempty\n",
            std::string("\x0c\x20") + "__label__ x\nno label\n"};
}

std::vector<std::string> fuzz::words() {
    return {"__label__", "\t", "\r\n", "\xc3\xa9", "\xff", std::string(1, '\0'), "__label__a "};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input input(data, size);
    const unsigned how = input.byte(), block = 1 + input.byte();
    const std::string text = std::string(input.rest()) + "\n";
    const LineStyle style = how % 3 == 0   ? LineStyle::fasttext
                            : how % 3 == 1 ? LineStyle::tab
                                           : LineStyle::plain;
    const LineLog<LineFault> log{.longest = how & 32 ? 20u : 100'000u,
                                 .set_aside = (how & 16) != 0};
    const bool labelled = (how & 64) == 0;
    HOLDS(split(text, style, labelled, log, text.size()) ==
          split(text, style, labelled, log, block));
    return 0;
}
