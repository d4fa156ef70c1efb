// What a fuzz target is: it takes any bytes, and ends the process if something does not hold.
//
// libFuzzer can drive a target as well: clang++ -std=c++20 -fsanitize=fuzzer,address,undefined
// -Isrc/core -Itests/core tests/fuzz/numbers.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

/// Inputs to begin with, and words to put into them.
std::vector<std::string> seeds();
std::vector<std::string> words();

#define HOLDS(...) fuzz::require(bool(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

inline void require(bool holds, const char* what, const char* file, int line) {
    if (holds) return;
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    std::abort();
}

/// An input is read from its front: first what decides how, then the text itself.
class Input {
  public:
    Input(const std::uint8_t* data, std::size_t size)
        : left(reinterpret_cast<const char*>(data), size) {}

    unsigned byte() {
        if (left.empty()) return 0;
        const auto first = static_cast<unsigned char>(left.front());
        left.remove_prefix(1);
        return first;
    }
    std::string_view rest() const { return left; }

  private:
    std::string_view left;
};

}  // namespace fuzz
