// A document as its grams are cut from it: lower-cased UTF-8, and where its words lie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/avx2.hpp"
#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/hashes.hpp"
#include "base/unaligned.hpp"
#include "base/vectors.hpp"
#include "fast/prefetch.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"

namespace rosenblatt {

/// The caller's characters, each one, two or four bytes wide, or UTF-8; borrowed.
struct Text {
    static constexpr std::uint8_t utf8 = 0;
    static constexpr std::uint8_t tokens = 3;  // data is a Tokenised
    const void* data;
    std::size_t length;  // of UTF-8 and tokens, in bytes
    std::uint8_t width;
    bool ascii;
};

/// A document that somebody else has cut: tokens in UTF-8, in order, a byte or more apart.
struct Tokenised {
    const char* bytes;
    std::span<const Piece> tokens;
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

/// A bit for each of 64 bytes: a letter, digit or underscore of ASCII; none of ASCII.
struct Kinds {
    static constexpr std::size_t size = 64;
    std::uint64_t word = 0, other = 0;
};

/// Copies 64 bytes, of ASCII or not, in lower case if asked to.
[[gnu::always_inline]] inline Kinds fold_block(const char* from, char* to, bool lowercase) {
    Kinds kinds;
    for (std::size_t k = 0; k < Kinds::size; k += sizeof(Sixteen)) {
        const auto bytes = load<Sixteen>(from + k);
        const auto upper = reinterpret_cast<Sixteen>(bytes - 'A' < 26);
        const Sixteen lowered = bytes | (upper & 0x20);
        const auto word = reinterpret_cast<Sixteen>((lowered - 'a' < 26) | (lowered - '0' < 10) |
                                                    (lowered == '_'));
        const std::uint8_t change = lowercase ? 0x20 : 0;
        const Sixteen folded = bytes | (upper & change);
        store(folded, to + k);
        kinds.word |= bits_of(word) << k;
        kinds.other |= bits_of(bytes) << k;
    }
    return kinds;
}

/// Characters of one, two or four bytes.
template <class Unit>
struct Units {
    const Unit* units;
    std::size_t n;

    /// Up to 64 of them from the k-th on, in bytes, the highest bit set for what is not ASCII.
    [[gnu::always_inline]] const char* block(std::size_t k, char* room) const {
        const Unit* const from = units + k;
        const std::size_t size = std::min(Kinds::size, n - k);
        prefetch_near(from, 8 * Kinds::size);
        if (size < Kinds::size) std::memset(room, 0, Kinds::size);
        if constexpr (sizeof(Unit) > 1) {
            for (std::size_t j = 0; j < size; ++j)
                room[j] = static_cast<char>(std::min<Unit>(from[j], 0x80));
        } else {
            if (size == Kinds::size) return reinterpret_cast<const char*>(from);
            std::memcpy(room, from, size);
        }
        return room;
    }
    Utf8Character next(std::size_t k) const { return {units[k], 1}; }
};

/// Characters in UTF-8.
struct Utf8Units : Units<std::uint8_t> {
    Utf8Character next(std::size_t k) const {
        return read_replaced(reinterpret_cast<const char*>(units) + k, n - k);
    }
};

/// Where words begin and end, in turn, as their characters come.
class Edges {
  public:
    explicit Edges(std::uint32_t* places) : places(places) {}

    /// The next character stands at `place`.
    void add(bool word, std::size_t place) {
        places[count] = static_cast<std::uint32_t>(place);
        count += word != last;
        count -= 2 * (lone & !word);
        lone = word & !last;
        last = word;
    }

    /// The next n characters, 1 to 64, stand from `first` on; a bit for each that is in a word.
    [[gnu::always_inline]] void add(std::uint64_t words, unsigned n, std::size_t first) {
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - n);
        words &= all;
        const std::uint64_t not_one = lone & ~words;
        count -= not_one;
        last -= not_one;
        words &= words << 1 | last | words >> 1 | std::uint64_t{1} << (n - 1);
        const std::uint64_t before = words << 1 | last, changes = (words ^ before) & all;
        for (std::size_t k = 0; k < 64; k += 8)
            count += write_ones(changes >> k & 0xFF, static_cast<std::uint32_t>(first + k),
                                places + count);
        last = words >> (n - 1);
        lone = last & ~(before >> (n - 1));
    }

    std::size_t number() const { return count; }

  private:
    std::uint32_t* places;
    std::size_t count = 0;
    // Whether the last character is in a word, and is the only one of it so far: if it stays alone,
    // it is no word, and its beginning is forgotten.
    std::uint64_t last = 0, lone = 0;
};

/// The words of a document: runs of two or more letters, digits and underscores.
class FoldedWords {
  public:
    Buffer<char> bytes;
    Buffer<Piece> words;

    /// The words of one that is cut are its tokens as they are.
    void fold(const Text& text, const Characters* characters, bool lowercase) {
        words.clear();
        if (text.width == Text::tokens) return copy(text);
        const auto fold = [&](auto source) { fold_all(source, text.ascii, characters, lowercase); };
        if (text.width == Text::utf8)
            fold(Utf8Units{{static_cast<const std::uint8_t*>(text.data), text.length}});
        else
            with_units(text, [&](auto units, std::size_t n) { fold(Units{units, n}); });
    }

  private:
    void copy(const Text& text) {
        const auto& given = *static_cast<const Tokenised*>(text.data);
        bytes.resize(text.length + read_ahead);
        std::copy_n(given.bytes, text.length, bytes.data());
        std::ranges::copy(given.tokens, words.room(given.tokens.size()));
        words.commit(given.tokens.size());
    }

    template <class Source>
    void fold_all(const Source& source, bool ascii, const Characters* characters, bool lowercase) {
        bytes.resize((ascii ? 1 : 4) * source.n + Kinds::size + read_ahead);
        static_assert(sizeof(Piece) == 2 * sizeof(std::uint32_t));
        std::uint32_t* const places = &words.room(source.n / 3 + Kinds::size)->begin;
        char* const to = bytes.data();
        const auto find = [=]() __attribute__((always_inline)) {
            return find_edges(source, to, places, characters, lowercase);
        };
        words.commit((has_avx2 ? with_avx2(find) : find()) / 2);
    }

    /// ASCII is taken in blocks; from another character on, one after the other is taken until
    /// there is ASCII for a while.
    template <class Source>
    [[gnu::always_inline]] static std::size_t find_edges(const Source& source, char* to,
                                                         std::uint32_t* places,
                                                         const Characters* characters,
                                                         bool lowercase) {
        Edges edges(places);
        std::size_t size = 0;
        for (std::size_t k = 0; k < source.n;) {
            char room[Kinds::size];
            const Kinds kinds = fold_block(source.block(k, room), to + size, lowercase);
            const auto left = static_cast<unsigned>(std::min(Kinds::size, source.n - k));
            const unsigned n = kinds.other ? __builtin_ctzll(kinds.other) : left;
            if (n) edges.add(kinds.word, n, size);
            k += n;
            size += n;
            if (n == left) continue;
            for (int ascii = 0; k < source.n && ascii < 16;) {
                const Utf8Character next = source.next(k);
                const std::uint32_t c = lowercase ? characters->lower(next.value) : next.value;
                ascii = next.value < 0x80 ? ascii + 1 : 0;
                edges.add(characters->is_word(c), size);
                size += put_utf8(to + size, c);
                k += next.size;
            }
        }
        edges.add(false, size);
        return edges.number();
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
