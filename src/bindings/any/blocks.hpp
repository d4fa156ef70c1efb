// Blocks of text whose lines are read, and the lines that could not be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "../arrays.hpp"
#include "read/numbers.hpp"

namespace rosenblatt {

/// Kind, line, column, word and whole line.
using FaultFound = std::tuple<const char*, std::int64_t, std::int64_t, nb::bytes, nb::bytes>;

/// How many of the first `length` bytes are whole lines. With `last` a line without an end is
/// whole too, and gets one.
inline std::size_t whole_lines(Bytes block, std::size_t length, bool last) {
    require(length <= block.size() && block.size() - length >= slack + 1,
            "a block must end in spare bytes");
    char* const text = reinterpret_cast<char*>(block.data());
    std::size_t whole = length;
    while (whole > 0 && text[whole - 1] != '\n') --whole;
    if (last && whole < length) {
        text[length] = '\n';
        whole = length + 1;
    }
    return whole;
}

/// How many bytes the whole lines take, and what read(begin, end) makes of them without the
/// interpreter's lock.
template <class Read>
auto read_whole_lines(Bytes block, std::size_t length, bool last, Read read) {
    const std::size_t whole = whole_lines(block, length, last);
    const char* const text = reinterpret_cast<const char*>(block.data());
    nb::gil_scoped_release release;
    return std::pair{std::min(whole, length), read(text, text + whole)};
}

/// Hands over the bad lines found since the last call.
template <class BadLines>
std::vector<FaultFound> take_faults(BadLines& bad, std::span<const char* const> kinds) {
    std::vector<FaultFound> found;
    for (const auto& fault : bad)
        found.emplace_back(kinds[static_cast<std::size_t>(fault.kind)], fault.line, fault.column,
                           nb::bytes(fault.token.data(), fault.token.size()),
                           nb::bytes(fault.text.data(), fault.text.size()));
    bad.clear();
    return found;
}

}  // namespace rosenblatt
