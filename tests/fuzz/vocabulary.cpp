// Names: each has a column of its own, is found again, and sorts as its bytes do.
#include "text/vocabulary.hpp"

#include <map>

#include "fuzz.hpp"

std::vector<std::string> fuzz::seeds() {
    std::string many;
    for (int k = 0; k < 300; ++k) many += std::to_string(k * 7919 % 1000) + "\n";
    return {"\x02" + many, "\x01one\ntwo\nthree\nthirteen\nthirteenth\none\n",
            std::string(300, 'x') + "\nx\nxx\n"};
}

std::vector<std::string> fuzz::words() {
    return {"\n", "aaaaaaaa", "aaaaaaaab", std::string(8, '\0'), std::string(255, 'b'), "\n\n"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using rosenblatt::Vocabulary;
    fuzz::Input input(data, size);
    Vocabulary vocabulary(input.byte());
    std::map<std::string, std::uint32_t> twin;
    for (std::string_view left = input.rest(); !left.empty();) {
        const std::size_t end = std::min(left.find('\n'), left.size() - 1);
        const std::string_view name = left.substr(0, end);
        std::vector<char> exact(name.begin(), name.end());
        exact.resize(name.size() + rosenblatt::read_ahead, '?');
        const auto [known, fresh] =
            twin.emplace(name, static_cast<std::uint32_t>(vocabulary.size()));
        const std::uint32_t before = vocabulary.find(exact.data(), name.size());
        HOLDS(before == (fresh ? Vocabulary::none : known->second));
        HOLDS(vocabulary.add(exact.data(), name.size()) == known->second);
        HOLDS(vocabulary.name(known->second) == name);
        left.remove_prefix(end + 1);
    }
    HOLDS(vocabulary.size() == twin.size());
    const std::vector<std::uint32_t> order = vocabulary.sorted();
    std::size_t at = 0;
    for (const auto& [name, column] : twin) HOLDS(order[at++] == column);
    return 0;
}
