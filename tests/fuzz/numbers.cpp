// Decimals: read as C reads them, and to the same end.
#include "read/numbers.hpp"

#include <bit>
#include <cstring>

#include "fuzz.hpp"
#include "read/svmlight_tests.hpp"

namespace {

/// Whether a decimal begins here, as every reader would agree.
bool begins_decimal(const char* p) {
    p += *p == '-' || *p == '+';
    p += *p == '.';
    return *p >= '0' && *p <= '9';
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
    return {"0.5",  "-12.25e3", "123456789.123456789",
            "1e-5", "+7",       ".5",
            "5.",   "1e+300",   "0.000000000000000000000000000001e30"};
}

std::vector<std::string> fuzz::words() {
    return {"e", "E+", "e-", ".", "00000000", "99999999", "12345678", "0x1p", "infinity", "nan("};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string text(reinterpret_cast<const char*>(data), size);
    text = text.substr(0, text.find_first_of(std::string_view("\n\0", 2))) + "\n";
    const core_tests::Padded padded(text);
    double value = 0.0;
    const char* const stop = rosenblatt::read_number(padded.begin(), padded.end(), value);
    if (stop == nullptr) {
        HOLDS(!begins_decimal(text.c_str()));
        return 0;
    }
    HOLDS(stop > padded.begin() && stop < padded.end());
    const std::string read(padded.begin(), stop);
    char* end = nullptr;
    const double expected = std::strtod(read.c_str(), &end);
    HOLDS(end == read.c_str() + read.size());
    HOLDS(std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(expected) ||
          (value != value && expected != expected));
    if (text.find_first_not_of("0123456789.eE+-\n") == std::string::npos) {
        std::strtod(text.c_str(), &end);
        HOLDS(static_cast<std::size_t>(end - text.c_str()) == read.size());
    }
    return 0;
}
