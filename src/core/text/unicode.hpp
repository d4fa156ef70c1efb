// What is to be known of characters: which belong to words, which are space, and their lower case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rosenblatt {

inline constexpr std::uint32_t code_points = 0x110000;

/// A table of all characters, filled in by the caller from the Unicode database that it goes by.
class Characters {
  public:
    /// The lower case of a character is one character here; where it is not, as for the capital
    /// sigma, which depends on its place in the word, the caller lower-cases the text beforehand.
    template <class IsWord, class IsSpace, class Lower>
    Characters(IsWord is_word, IsSpace is_space, Lower lower) : entries(code_points) {
        for (std::uint32_t c = 0; c < code_points; ++c)
            entries[c] = lower(c) | (is_word(c) ? word : 0) | (is_space(c) ? space : 0);
    }

    bool is_word(std::uint32_t c) const { return entries[c] & word; }
    bool is_space(std::uint32_t c) const { return entries[c] & space; }
    std::uint32_t lower(std::uint32_t c) const { return entries[c] & (space - 1); }

  private:
    static constexpr std::uint32_t space = 1u << 30, word = 1u << 31;
    std::vector<std::uint32_t> entries;
};

/// Bytes in UTF-8 of a character that begins with this one.
inline std::size_t utf8_size(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// Writes a character as UTF-8, lone surrogates like any other; returns the number of bytes.
inline std::size_t put_utf8(char* to, std::uint32_t c) {
    const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
    if (c < 0x80) {
        to[0] = byte(c);
        return 1;
    }
    if (c < 0x800) {
        to[0] = byte(0xC0 | (c >> 6));
        to[1] = byte(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = byte(0xE0 | (c >> 12));
        to[1] = byte(0x80 | ((c >> 6) & 0x3F));
        to[2] = byte(0x80 | (c & 0x3F));
        return 3;
    }
    to[0] = byte(0xF0 | (c >> 18));
    to[1] = byte(0x80 | ((c >> 12) & 0x3F));
    to[2] = byte(0x80 | ((c >> 6) & 0x3F));
    to[3] = byte(0x80 | (c & 0x3F));
    return 4;
}

}  // namespace rosenblatt
