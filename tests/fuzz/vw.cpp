// Lines of Vowpal Wabbit: examples are sound, their numbers finite, and the same in blocks.
#include "read/vw.hpp"

#include <cmath>

#include "fuzz.hpp"
#include "in_blocks.hpp"
#include "read/svmlight_tests.hpp"

namespace {

using namespace rosenblatt;

struct Found {
    std::vector<std::string> names;
    std::vector<double> values, labels, importances;
    std::vector<std::int64_t> lines, lengths;
    std::vector<BadLine<VwFault>> bad;

    bool operator==(const Found& other) const {
        return names == other.names && values == other.values && labels == other.labels &&
               importances == other.importances && lines == other.lines &&
               lengths == other.lengths && fuzz::same_faults(bad, other.bad);
    }
};

void add(const NamedExamples& read, Found& found) {
    const std::size_t count = read.lines.size(), stored = read.values.size();
    HOLDS(read.indptr.size() == count + 1 && read.indptr[0] == 0);
    HOLDS(static_cast<std::size_t>(read.indptr[count]) == stored && read.ends.size() == stored);
    HOLDS(read.labels.size() == count && read.importances.size() == count);
    HOLDS(stored == 0 ? read.names.size() == 0
                      : static_cast<std::size_t>(read.ends[stored - 1]) == read.names.size());
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < stored; ++k) {
        HOLDS(read.ends[k] > begin && std::isfinite(read.values[k]));
        found.names.emplace_back(read.names.data() + begin, read.names.data() + read.ends[k]);
        found.values.push_back(read.values[k]);
        begin = read.ends[k];
    }
    for (std::size_t k = 0; k < count; ++k) {
        HOLDS(read.indptr[k] <= read.indptr[k + 1]);
        HOLDS(std::isfinite(read.labels[k]) && std::isfinite(read.importances[k]));
        HOLDS(read.importances[k] >= 0.0);
        found.labels.push_back(read.labels[k]);
        found.importances.push_back(read.importances[k]);
        found.lines.push_back(read.lines[k]);
        found.lengths.push_back(read.indptr[k + 1] - read.indptr[k]);
    }
}

Found read(std::string_view text, const LineLog<VwFault>& log, VwLines::Labels labels,
           std::size_t block) {
    Found found;
    VwLines reader(log, labels);
    fuzz::in_blocks(text, block, [&](std::string_view lines) {
        const core_tests::Padded padded{std::string(lines)};
        add(reader.read(padded.begin(), padded.end()), found);
        return log.set_aside || reader.log.bad.empty();
    });
    found.bad = reader.log.bad;
    return found;
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
    std::string plain = "1 2 'tag |words", spaced = "-1 |a", several;
    for (int k = 0; k < 60; ++k) {
        plain += " w" + std::to_string(k) + (k % 3 ? "" : ":0.25");
        spaced +=
            k % 8 ? " name" + std::to_string(k * k) + ":-1.5e-3" : " |space" + std::to_string(k);
        several += (k % 2 ? "1 |n a:" : "-1 0.5 | b c ") + std::to_string(k) + "\n";
    }
    return {std::string("\x02\xff") + plain + "\n" + plain + "\n",
            std::string("\x01\x80") + spaced + "\r\n" + plain.substr(6) + "\n",
            std::string("\x02\x40") + several,
            std::string("\x00\x07", 2) + "1 0.5 'tag|words a b:2 |more:0.5 c\r\n" + spaced + "\n",
            std::string("\x01\x03") + "| plain words\n" + plain.substr(6) + "\n|a c\n",
            std::string("\x04\x21") + "1 2 3 | x\nno bar\n1 | :3\n2 |n:x a\n" + several};
}

std::vector<std::string> fuzz::words() {
    return {"|", " |ns ", ":", ":0.5", "'tag", "\r\n", "\xc3\xa9", "\xff", "1 | a b:2\n"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input input(data, size);
    const unsigned how = input.byte(), block = 1 + input.byte();
    const std::string text = std::string(input.rest()) + "\n";
    const auto labels = how % 3 == 0   ? VwLines::Labels::unknown
                        : how % 3 == 1 ? VwLines::Labels::absent
                                       : VwLines::Labels::present;
    const LineLog<VwFault> log{.longest = how & 8 ? 30u : 100'000u, .set_aside = (how & 4) != 0};
    HOLDS(read(text, log, labels, text.size()) == read(text, log, labels, block));
    return 0;
}
