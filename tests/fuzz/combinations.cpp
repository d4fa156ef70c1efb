// Combinations of features: those that occur are found, and rows of them are written into just
// enough room, whether all have columns, those that were seen, or as they are hashed.
#include "combine/combinations_tests.hpp"
#include "fuzz.hpp"

std::vector<std::string> fuzz::seeds() {
    std::vector<std::string> found;
    for (const char how : {0, 1, 2, 3, 6, 9, 27, 90}) {
        std::string text{how, '\x07'};
        for (int k = 0; k < 70; ++k) text += static_cast<char>(k % 3 ? 0 : k * 11);
        found.push_back(text);
    }
    return found;
}

std::vector<std::string> fuzz::words() {
    return {std::string(7, '\0'), "\x01\x01\x01\x01\x01\x01\x01", "\x02", "\xff"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace core_tests;
    fuzz::Input input(data, size);
    const unsigned how = input.byte(), width = input.byte() % 7;
    const std::string_view text = input.rest();
    const std::size_t count = width ? std::min<std::size_t>(5, text.size() / width) : 0;
    Table table{count, width, {}, {}, {}};
    for (std::size_t k = 0; k < count * width; ++k)
        table.values.push_back(static_cast<signed char>(text[k]) % 5);
    const bool original = how & 1, triples = how & 2;
    const std::size_t least = 1 + (how >> 2) % 4;
    const auto expected = counted(table, triples, least);
    const CsrCopy<double, std::int32_t> copy(table);
    const auto rows = copy.rows();
    FrequentCombinations search(width, triples ? 3 : 2, least);
    for (std::size_t row = 0; row < count; ++row) search.add(rows, row);
    HOLDS(std::ranges::equal(search.find([] {}).view(), expected));
    const Index seen(expected, width, triples, static_cast<int>((how >> 4) % 5));
    const std::size_t all = combinations_among(width, triples);
    HOLDS(writes_rows(table, rows, Ranked{width}, all, original, triples));
    HOLDS(writes_rows(table, rows, seen.places, expected.size(), original, triples));
    const int bits = 1 + static_cast<int>((how >> 4) % 6);
    HOLDS(writes_rows(table, rows, Hashed{bits}, std::size_t{1} << bits, original, triples));
    return 0;
}
