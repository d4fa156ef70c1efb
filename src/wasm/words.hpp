// A text as a model of text sees it: its grams, the column of each, and its row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace rosenblatt {

struct WordsWish {
    Analyzer analyzer;
    std::size_t shortest, longest;
    bool lowercase;
    int bits;  // of hashed columns; zero for a vocabulary
    bool alternate_sign;
    bool binary, sublinear_tf;
    Norm norm;
    bool single;  // values of four bytes
};

/// A gram of the last text: where in its folded bytes it lies, its column, -1 if it has none, and
/// the sign with which it counts.
struct Gram {
    std::uint32_t begin, end;
    std::int32_t column, sign;
};

class Words {
  public:
    Vocabulary names{0}, stop_words{0};
    std::vector<double> idf;
    std::string folded;  // the last text
    std::vector<Gram> grams;
    std::vector<std::int32_t> columns;
    std::vector<double> values;

    /// A character is what the table says of it: its lower case, and two bits above.
    Words(const WordsWish& wish, const std::uint32_t* table)
        : wish_(wish),
          characters_([table](std::uint32_t c) { return (table[c] >> 31 & 1) != 0; },
                      [table](std::uint32_t c) { return (table[c] >> 30 & 1) != 0; },
                      [table](std::uint32_t c) { return table[c] & ((1u << 30) - 1); }) {}

    void read(std::string_view given) {
        // What looks for words reads a little further than the text.
        std::string text(given);
        text.append(64, '\0');
        const Text document{text.data(), given.size(), Text::utf8, false};
        const std::span<const Text> documents(&document, 1);
        cut(document);
        columns.clear();
        values.clear();
        wish_.single ? row<float>(documents) : row<double>(documents);
    }

  private:
    Cutting cutting() const {
        return {wish_.analyzer,
                wish_.shortest,
                wish_.longest,
                wish_.lowercase,
                stop_words.size() ? &stop_words : nullptr,
                &characters_};
    }

    void cut(const Text& document) {
        Cutter cutter(cutting());
        const std::span<const Piece> pieces = cutter.cut(document);
        grams.clear();
        std::size_t size = 0;
        for (const Piece& piece : pieces) {
            size = std::max<std::size_t>(size, piece.end);
            grams.push_back(gram(cutter.bytes(), piece));
        }
        folded.assign(cutter.bytes(), size);
    }

    Gram gram(const char* bytes, const Piece& piece) const {
        const char* const at = bytes + piece.begin;
        const std::size_t size = piece.end - piece.begin;
        if (wish_.bits) {
            const std::uint32_t hash = murmur3(at, size);
            const auto bucket = static_cast<std::int32_t>(bucket_of(hash, (1u << wish_.bits) - 1));
            return {piece.begin, piece.end, bucket, wish_.alternate_sign && hash >> 31 ? -1 : 1};
        }
        const std::uint32_t found = names.find(at, size);
        const auto column = found == Vocabulary::none ? -1 : static_cast<std::int32_t>(found);
        return {piece.begin, piece.end, column, 1};
    }

    template <class Value>
    void row(std::span<const Text> documents) {
        const Weighing weighing{wish_.binary, wish_.sublinear_tf,
                                idf.empty() ? nullptr : idf.data(), wish_.norm};
        const auto go_on = [] {};
        BucketNames* const nobody = nullptr;
        const CountedRows<Value> made =
            wish_.bits ? hash_rows<Value>(documents, cutting(), wish_.bits, wish_.alternate_sign,
                                          nobody, weighing, go_on)
                       : look_up<Value>(documents, cutting(), names, weighing, go_on);
        for (std::size_t k = 0; k < made.columns.size(); ++k) {
            columns.push_back(made.columns.data()[k]);
            values.push_back(static_cast<double>(made.values.data()[k]));
        }
    }

    WordsWish wish_;
    Characters characters_;
};

}  // namespace rosenblatt
