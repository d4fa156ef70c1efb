// A document as its grams are cut from it: lower-cased UTF-8, and where its words lie.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "avx2.hpp"
#include "buffer.hpp"
#include "fetch.hpp"
#include "hashes.hpp"
#include "ones.hpp"
#include "unicode.hpp"

namespace rosenblatt {

/// The caller's characters, each one, two or four bytes wide, or UTF-8; borrowed.
struct Text {
    static constexpr std::uint8_t utf8 = 0;
    const void* data;
    std::size_t length;  // of UTF-8, in bytes
    std::uint8_t width;
    bool ascii;
};

/// A piece of the folded document, in bytes.
struct Piece {
    std::uint32_t begin, end;
};

/// Calls visit(units, n) with the characters as numbers of their width.
template <class Visit>
void with_units(const Text& text, Visit visit) {
    if (text.width == 1)
        visit(static_cast<const std::uint8_t*>(text.data), text.length);
    else if (text.width == 2)
        visit(static_cast<const std::uint16_t*>(text.data), text.length);
    else
        visit(static_cast<const std::uint32_t*>(text.data), text.length);
}

using Sixteen = std::uint8_t __attribute__((vector_size(16), may_alias));

/// A bit for each byte that is set, the first lowest.
[[gnu::always_inline]] inline std::uint64_t bits_of(Sixteen set) {
#if defined(__SSE2__)
    return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(set)));
#else
    std::uint64_t bits = 0;
    for (int k = 0; k < 16; ++k) bits |= static_cast<std::uint64_t>(set[k] & 1) << k;
    return bits;
#endif
}

/// Copies 16 bytes of ASCII, in lower case if asked to; returns a bit for each letter, digit or _.
[[gnu::always_inline]] inline std::uint64_t fold_sixteen(const char* from, char* to,
                                                         bool lowercase) {
    Sixteen bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    const auto upper = reinterpret_cast<Sixteen>(bytes - 'A' < 26);
    const Sixteen lowered = bytes | (upper & 0x20);
    const auto word =
        reinterpret_cast<Sixteen>((lowered - 'a' < 26) | (lowered - '0' < 10) | (lowered == '_'));
    const std::uint8_t change = lowercase ? 0x20 : 0;
    const Sixteen folded = bytes | (upper & change);
    std::memcpy(to, &folded, sizeof folded);
    return bits_of(word);
}

/// The words of a document: runs of two or more letters, digits and underscores.
class FoldedWords {
  public:
    Buffer<char> bytes;
    Buffer<Piece> words;

    void fold(const Text& text, const Characters* characters, bool lowercase) {
        words.clear();
        if (text.ascii)
            fold_ascii(static_cast<const char*>(text.data), text.length, lowercase);
        else
            with_units(text, [&](auto units, std::size_t n) {
                fold_units(units, n, *characters, lowercase);
            });
    }

  private:
    static constexpr std::size_t block = 64, text_ahead = 512;

    void fold_ascii(const char* text, std::size_t n, bool lowercase) {
        bytes.resize(n + block + read_ahead);
        char* const folded = bytes.data();
        static_assert(sizeof(Piece) == 2 * sizeof(std::uint32_t));
        std::uint32_t* const edges = &words.room(n / 3 + block)->begin;
        const auto find = [=]() __attribute__((always_inline)) {
            return find_edges(text, n, lowercase, folded, edges);
        };
        words.take((has_avx2 ? with_avx2(find) : find()) / 2);
    }

    /// Writes where words begin and end, in turn; returns how many edges there are.
    [[gnu::always_inline]] static std::size_t find_edges(const char* text, std::size_t n,
                                                         bool lowercase, char* folded,
                                                         std::uint32_t* edges) {
        char rest[block] = {};  // of the text, which may not be read beyond its end
        if (n % block) std::memcpy(rest, text + n - n % block, n % block);
        std::size_t count = 0;
        std::uint64_t last = 0, lone = 0;  // the last byte before a block is in a word, or is one
        for (std::size_t base = 0; base <= n; base += block) {
            const char* const from = base + block <= n ? text + base : rest;
            fetch_near(text, base + text_ahead);
            std::uint64_t inside = 0;
            for (std::size_t k = 0; k < block; k += 16)
                inside |= fold_sixteen(from + k, folded + base + k, lowercase) << k;
            const std::uint64_t not_one = lone & ~inside;  // a letter alone is no word
            count -= not_one;
            last -= not_one;
            inside &= inside << 1 | last | inside >> 1 | std::uint64_t{1} << 63;
            const std::uint64_t changes = inside ^ (inside << 1 | last);
            for (std::size_t k = 0; k < block; k += 8)
                count += write_ones(changes >> k & 0xFF, static_cast<std::uint32_t>(base + k),
                                    edges + count);
            last = inside >> 63;
            lone = last & ~(inside >> 62);
        }
        return count;
    }

    template <class Unit>
    void fold_units(const Unit* text, std::size_t n, const Characters& characters, bool lowercase) {
        bytes.resize(4 * n + read_ahead);
        Piece* const found = words.room(n / 2 + 1);
        std::size_t count = 0, size = 0, letters = 0, begin = 0;
        const auto end_word = [&] {
            if (letters > 1)
                found[count++] = {static_cast<std::uint32_t>(begin),
                                  static_cast<std::uint32_t>(size)};
            letters = 0;
        };
        for (std::size_t k = 0; k < n; ++k) {
            const std::uint32_t c = lowercase ? characters.lower(text[k]) : text[k];
            if (characters.is_word(c)) {
                if (letters++ == 0) begin = size;
            } else {
                end_word();
            }
            size += put_utf8(bytes.data() + size, c);
        }
        end_word();
        words.take(count);
    }
};

/// The characters of a document, a run of white space as one blank.
class FoldedCharacters {
  public:
    Buffer<char> bytes;
    Buffer<std::uint32_t> starts;  // of each character, and the end of the last

    void fold(const Text& text, const Characters& characters, bool lowercase) {
        begin(text);
        with_units(text, [&](auto units, std::size_t n) {
            for (std::size_t k = 0; k < n; ++k) {
                std::uint32_t c = units[k];
                if (characters.is_space(c))
                    for (; k + 1 < n && characters.is_space(units[k + 1]); ++k) c = ' ';
                put(lowercase ? characters.lower(c) : c);
            }
        });
        starts.push(size);
    }

    /// The words alone, a blank before, between and after them.
    void fold_to_words(const Text& text, const Characters& characters, bool lowercase) {
        begin(text);
        with_units(text, [&](auto units, std::size_t n) {
            bool blank = false;
            for (std::size_t k = 0; k < n; ++k) {
                if (characters.is_space(units[k])) {
                    blank = false;
                    continue;
                }
                if (!blank) put(' ');
                blank = true;
                put(lowercase ? characters.lower(units[k]) : units[k]);
            }
            if (size) put(' ');
        });
        starts.push(size);
    }

  private:
    std::uint32_t size = 0;

    void begin(const Text& text) {
        bytes.resize(4 * (text.length + 2) + read_ahead);
        starts.clear();
        starts.room(text.length + 3);
        size = 0;
    }
    void put(std::uint32_t c) {
        starts.push(size);
        size += static_cast<std::uint32_t>(put_utf8(bytes.data() + size, c));
    }
};

}  // namespace rosenblatt
