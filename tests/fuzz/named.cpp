// Named values: every name gets the column of its own, and rows hold the sums of its values.
#include "text/named.hpp"

#include <map>

#include "fuzz.hpp"

namespace {

using namespace rosenblatt;

/// Names between line ends, where the byte before a name is its value; a blank line ends an
/// example.
struct Given {
    std::vector<char> bytes;
    std::vector<std::int64_t> begins, ends, indptr{0};
    std::vector<double> values;

    explicit Given(std::string_view text) : bytes(text.begin(), text.end()) {
        bytes.shrink_to_fit();
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            if (end == begin) {
                indptr.push_back(std::ssize(values));
            } else {
                begins.push_back(static_cast<std::int64_t>(begin) + 1);
                ends.push_back(static_cast<std::int64_t>(end));
                values.push_back(static_cast<signed char>(text[begin]));
            }
            begin = end + 1;
        }
        indptr.push_back(std::ssize(values));
    }
    NamedValues view() const { return {bytes, begins, ends, values, indptr}; }
    std::string name(std::size_t k) const {
        return {bytes.data() + begins[k], bytes.data() + ends[k]};
    }
};

}  // namespace

std::vector<std::string> fuzz::seeds() {
    std::string many;
    for (int k = 0; k < 60; ++k)
        many += std::string(1, static_cast<char>(k - 20)) + "name" + std::to_string(k * k % 37) +
                (k % 9 ? "\n" : "\n\n");
    return {
        "\x05\x01one\n\x02two\n\n\x03three\n\xff"
        "one\n",
        "\x02" + many,
        "\x03"
        "1" +
            std::string(300, 'x') + "\n2" + std::string(301, 'x')};
}

std::vector<std::string> fuzz::words() {
    return {"\n",
            "\n\n",
            "\x01"
            "a\n",
            "\xff"
            "a\n",
            std::string(16, 'b'),
            std::string(8, '\0')};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input input(data, size);
    const unsigned renumber = input.byte();
    const Given given(input.rest());
    Lexicon lexicon(3);
    const auto columns = grow_names(given.view(), lexicon);
    HOLDS(columns.size() == given.values.size());
    HOLDS(lexicon.documents == given.view().examples());
    std::map<std::string, std::uint32_t> twin;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto next = static_cast<std::uint32_t>(twin.size());
        HOLDS(columns[k] == twin.emplace(given.name(k), next).first->second);
    }
    HOLDS(lexicon.size() == twin.size());
    const auto found = find_names(given.view(), lexicon.copy().names);
    HOLDS(std::ranges::equal(found.view(), columns.view()));
    std::vector<std::int32_t> numbers;
    for (std::size_t k = 0; k < twin.size(); ++k)
        numbers.push_back(static_cast<std::int32_t>(renumber % 2 ? k : k / 2));
    const std::size_t width = std::max<std::size_t>(1, twin.size());
    const auto rows = named_rows<double>(given.indptr, columns.view(), given.values,
                                         renumber % 3 ? numbers.data() : nullptr, width);
    HOLDS(rows.indptr.size() == given.indptr.size());
    for (std::size_t row = 0; row + 1 < given.indptr.size(); ++row) {
        std::map<std::int32_t, double> expected;
        for (auto k = static_cast<std::size_t>(given.indptr[row]);
             k < static_cast<std::size_t>(given.indptr[row + 1]); ++k)
            expected[renumber % 3 ? numbers[columns[k]] : static_cast<std::int32_t>(columns[k])] +=
                given.values[k];
        auto at = static_cast<std::size_t>(rows.indptr[row]);
        for (const auto& [column, value] : expected) {
            HOLDS(at < static_cast<std::size_t>(rows.indptr[row + 1]));
            HOLDS(rows.columns[at] == column && rows.values[at] == value);
            ++at;
        }
        HOLDS(at == static_cast<std::size_t>(rows.indptr[row + 1]));
    }
    return 0;
}
