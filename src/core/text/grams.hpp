// What is counted in a document: words, or runs of words or characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "text/folding.hpp"
#include "text/utf8.hpp"
#include "text/vocabulary.hpp"

namespace rosenblatt {

enum class Analyzer { word, char_, char_wb };

/// How documents are cut into grams. The table of characters may be missing while all documents
/// are ASCII, or tokens, and words are counted.
struct Cutting {
    Analyzer analyzer;
    std::size_t shortest, longest;  // words or characters in a gram
    bool lowercase;
    const Vocabulary* stop_words;
    const Characters* characters;
};

/// Cuts one document after the other; memory is kept from one to the next.
class Cutter {
  public:
    explicit Cutter(const Cutting& cutting) : how(cutting) {}

    /// The grams of the last document are pieces of these bytes.
    const char* bytes() const {
        return how.analyzer == Analyzer::word ? words.bytes.data() : characters.bytes.data();
    }

    std::span<const Piece> cut(const Text& text) {
        grams.clear();
        if (how.analyzer == Analyzer::word) return cut_words(text);
        if (text.width == Text::utf8) {
            decode_utf8(static_cast<const char*>(text.data), text.length, decoded);
            return cut({decoded.data(), decoded.size(), 4, false});
        }
        if (how.analyzer == Analyzer::char_)
            cut_characters(text);
        else
            cut_within_words(text);
        return {grams.data(), grams.size()};
    }

  private:
    std::span<const Piece> cut_words(const Text& text) {
        words.fold(text, how.characters, how.lowercase);
        if (how.stop_words) leave_out_stop_words();
        const std::span<Piece> found(words.words.data(), words.words.size());
        if (how.longest == 1) return found;
        join(found);
        for (std::size_t n = how.shortest; n <= std::min(how.longest, found.size()); ++n)
            for (std::size_t k = 0; k + n <= found.size(); ++k)
                grams.push({found[k].begin, found[k + n - 1].end});
        return {grams.data(), grams.size()};
    }

    void leave_out_stop_words() {
        auto& found = words.words;
        std::size_t kept = 0;
        for (std::size_t k = 0; k < found.size(); ++k) {
            const Piece word = found[k];
            const bool stop = how.stop_words->find(words.bytes.data() + word.begin,
                                                   word.end - word.begin) != Vocabulary::none;
            found[kept] = word;
            kept += !stop;
        }
        found.resize(kept);
    }

    /// Moves the words together, one blank between them, so that runs of them are pieces.
    void join(std::span<Piece> found) {
        char* const text = words.bytes.data();
        std::uint32_t at = 0;
        for (Piece& word : found) {
            const std::uint32_t size = word.end - word.begin;
            std::memmove(text + at, text + word.begin, size);
            word = {at, at + size};
            text[at + size] = ' ';
            at += size + 1;
        }
    }

    void cut_characters(const Text& text) {
        characters.fold(text, *how.characters, how.lowercase);
        const std::size_t length = characters.starts.size() - 1;
        for (std::size_t n = how.shortest; n <= std::min(how.longest, length); ++n)
            cut_runs(0, length, n);
    }

    void cut_within_words(const Text& text) {
        characters.fold_to_words(text, *how.characters, how.lowercase);
        const auto& starts = characters.starts;
        const auto is_blank = [&](std::size_t k) { return bytes()[starts[k]] == ' '; };
        const std::size_t length = starts.size() - 1;
        for (std::size_t begin = 0, end = 1; end < length; begin = end++) {
            while (!is_blank(end)) ++end;
            const std::size_t size = end + 1 - begin;
            for (std::size_t n = how.shortest; n <= how.longest; ++n) {
                cut_runs(begin, end + 1, std::min(n, size));
                if (n >= size) break;  // a short word counts once
            }
        }
    }

    /// All runs of n characters from begin to end.
    void cut_runs(std::size_t begin, std::size_t end, std::size_t n) {
        const std::uint32_t* const starts = characters.starts.data();
        const std::size_t count = end - begin - n + 1;
        Piece* const to = grams.room(count);
        for (std::size_t k = 0; k < count; ++k) to[k] = {starts[begin + k], starts[begin + k + n]};
        grams.commit(count);
    }

    Cutting how;
    Buffer<std::uint32_t> decoded;
    FoldedWords words;
    FoldedCharacters characters;
    Buffer<Piece> grams;
};

}  // namespace rosenblatt
