// Drives a fuzz target without coverage: seeds, changed again and again, the same for a seed.
//
//     build/fuzz/TARGET [executions] [seed]     what ends the process is kept in TARGET.found
//     build/fuzz/TARGET FILE                    once, on what was kept
#include <sanitizer/common_interface_defs.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>

#include "check.hpp"
#include "fuzz.hpp"

namespace fuzz {

namespace {

constexpr std::size_t longest = 2000;

const std::vector<std::string> numbers{"0",
                                       "-0",
                                       "1",
                                       "-1",
                                       "+1",
                                       "255",
                                       "65536",
                                       "2147483647",
                                       "2147483648",
                                       "4294967296",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "18446744073709551616",
                                       "1e22",
                                       "1e23",
                                       "1e308",
                                       "1e309",
                                       "4.9e-324",
                                       "1e-400",
                                       "9007199254740993",
                                       "0.30000000000000004",
                                       "nan",
                                       "inf",
                                       "-inf"};

std::string input, place_for_input;

void keep_input() {
    std::ofstream(place_for_input, std::ios::binary).write(input.data(), std::ssize(input));
    std::fprintf(stderr, "The input is kept in %s.\n", place_for_input.c_str());
}

void keep_input_of_abort(int) {
    keep_input();
    std::_Exit(1);
}

/// Changes inputs: bits, bytes, words and numbers, fields that repeat, pieces of other inputs.
class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : dice(seed), pool(seeds()), vocabulary(words()) {
        vocabulary.insert(vocabulary.end(), numbers.begin(), numbers.end());
    }

    std::string next() {
        std::string text = one_of(pool);
        for (int left = 1 + dice.below(6); left > 0; --left) change(text);
        if (text.size() > longest) text.resize(longest);
        if (dice.below(50) == 0) take_in(text);
        return text;
    }

  private:
    static constexpr std::size_t largest_pool = 500;

    const std::string& one_of(const std::vector<std::string>& list) {
        return list[static_cast<std::size_t>(dice.below(int(list.size())))];
    }
    std::size_t place(const std::string& text) {
        return static_cast<std::size_t>(dice.below(int(text.size()) + 1));
    }
    std::size_t some(std::size_t most) {
        const std::size_t bound = dice.below(4) ? std::min<std::size_t>(most, 16) : most;
        return static_cast<std::size_t>(dice.below(int(bound) + 1));
    }

    void take_in(const std::string& text) {
        if (pool.size() < largest_pool)
            pool.push_back(text);
        else
            pool[static_cast<std::size_t>(dice.below(int(pool.size())))] = text;
    }

    void change(std::string& text) {
        const std::size_t at = place(text), size = some(text.size() - at);
        switch (dice.below(9)) {
            case 0:
                if (at < text.size()) text[at] = static_cast<char>(text[at] ^ 1 << dice.below(8));
                break;
            case 1:
                if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
                break;
            case 2: text.insert(at, one_of(vocabulary)); break;
            case 3: text.erase(at, size); break;
            case 4: text.resize(at); break;
            case 5: repeat(text, at, size); break;
            case 6: {
                const std::string& other = one_of(pool);
                const std::size_t from = place(other);
                text.replace(at, size, other, from, some(other.size() - from));
                break;
            }
            case 7: text.insert(at, 1, " \n\t\r:,|#"[dice.below(8)]); break;
            default: replace_number(text, at);
        }
    }

    void repeat(std::string& text, std::size_t at, std::size_t size) {
        const std::string piece = text.substr(at, size);
        for (int left = 1 + dice.below(dice.coin() ? 3 : 40); left > 0; --left) {
            if (text.size() + piece.size() > longest) return;
            text.insert(at, piece);
        }
    }

    void replace_number(std::string& text, std::size_t at) {
        const std::size_t begin = text.find_first_of("0123456789", at);
        if (begin == std::string::npos) return;
        const std::size_t end = text.find_first_not_of("0123456789.", begin);
        text.replace(begin, std::min(end, text.size()) - begin, one_of(numbers));
    }

    core_tests::Dice dice;
    std::vector<std::string> pool, vocabulary;
};

int run(const std::string& target, long executions, std::uint64_t seed) {
    Mutator mutator(seed);
    std::size_t bytes = 0;
    const auto start = std::chrono::steady_clock::now();
    for (long k = 0; k < executions; ++k) {
        input = mutator.next();
        bytes += input.size();
        const std::vector<std::uint8_t> exact(input.begin(), input.end());  // its end is watched
        LLVMFuzzerTestOneInput(exact.data(), exact.size());
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("fuzz %s: %ld executions, %.0f bytes each, %.0f a second, seed %llu: all held\n",
                target.c_str(), executions, double(bytes) / double(std::max(1L, executions)),
                double(executions) / taken.count(), static_cast<unsigned long long>(seed));
    return 0;
}

int replay(const char* path) {
    std::ifstream file(path, std::ios::binary);
    input.assign(std::istreambuf_iterator<char>(file), {});
    const std::vector<std::uint8_t> exact(input.begin(), input.end());
    return LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

}  // namespace fuzz

int main(int count, char** arguments) {
    const std::string path = arguments[0];
    fuzz::place_for_input = path + ".found";
    std::signal(SIGABRT, fuzz::keep_input_of_abort);
    __sanitizer_set_death_callback(fuzz::keep_input);
    if (count == 2 && std::ifstream(arguments[1])) return fuzz::replay(arguments[1]);
    return fuzz::run(path.substr(path.rfind('/') + 1), count > 1 ? std::atol(arguments[1]) : 10'000,
                     count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
}
