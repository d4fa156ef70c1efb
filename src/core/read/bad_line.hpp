// What is told of a line that cannot be read, in any format.
#pragma once

#include <cstdint>
#include <string>

namespace rosenblatt {

template <class Kind>
struct BadLine {
    Kind kind;
    std::int64_t line;    // from one
    std::int64_t column;  // from one, in bytes
    std::string token;
    std::string text;
};

}  // namespace rosenblatt
