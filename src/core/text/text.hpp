// Documents to rows: with a vocabulary that grows, with one that stays, or by hashing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "text/buckets.hpp"
#include "text/counting.hpp"
#include "text/grams.hpp"
#include "text/lexicon.hpp"
#include "text/murmur.hpp"
#include "text/vocabulary.hpp"

namespace rosenblatt {

/// Calls visit(bytes, grams) for each document, and pause() every now and then.
template <class Pause, class Visit>
void each_document(std::span<const Text> documents, const Cutting& cutting, Pause pause,
                   Visit visit) {
    constexpr std::size_t between_pauses = 1 << 22;
    Cutter cutter(cutting);
    std::size_t characters = 0;
    for (const Text& text : documents) {
        const std::span<const Piece> grams = cutter.cut(text);
        visit(cutter.bytes(), grams);
        characters += text.length + 1;
        if (characters >= between_pauses) {
            characters = 0;
            pause();
        }
    }
}

/// As many grams as documents in most languages have words, or a few more; memory for them that
/// turns out not to be needed is never touched, and so costs nothing.
inline std::size_t likely_grams(std::span<const Text> documents) {
    std::size_t characters = 0;
    for (const Text& text : documents) characters += text.length;
    return characters / 5;
}

/// Makes all grams of a document ready before the first is looked up: memory is on its way by then.
class Lookups {
  public:
    std::span<const Sought> of(const Vocabulary& vocabulary, const char* bytes,
                               std::span<const Piece> grams) {
        names.resize(grams.size());
        for (std::size_t k = 0; k < grams.size(); ++k) {
            names[k] = vocabulary.sought(bytes + grams[k].begin, grams[k].end - grams[k].begin);
            vocabulary.prefetch(names[k]);
        }
        return names.view();
    }

  private:
    Buffer<Sought> names;
};

/// The columns of the grams that documents are made of, document by document.
struct Columns {
    Buffer<std::int64_t> indptr;
    Buffer<std::uint32_t> columns;
};

/// Gives each gram that is new the next column. The columns are kept if asked for.
template <class Pause>
Columns grow(std::span<const Text> documents, const Cutting& cutting, Lexicon& lexicon, bool keep,
             Pause pause) {
    lexicon.require_room(documents.size());
    Columns read;
    Lookups lookups;
    Vocabulary& names = lexicon.names;
    const std::size_t likely = likely_grams(documents);
    read.indptr.push(0);
    if (keep) read.columns.room(likely);
    each_document(documents, cutting, pause, [&](const char* bytes, std::span<const Piece> grams) {
        if (!keep) read.columns.clear();
        std::uint32_t* const columns = read.columns.room(grams.size());
        std::ranges::transform(lookups.of(names, bytes, grams), columns,
                               [&](const Sought& name) { return names.add(name); });
        read.columns.commit(grams.size());
        lexicon.count({columns, grams.size()});
        if (keep) read.indptr.push(static_cast<std::int64_t>(read.columns.size()));
    });
    if (!keep) read.columns.clear();
    return read;
}

/// Rows of the columns that were kept, renumbered: what is now negative is left out.
template <class Value>
CountedRows<Value> arrange(std::span<const std::int64_t> indptr,
                           std::span<const std::uint32_t> columns,
                           std::span<const std::int32_t> renumbered, const Weighing& weighing) {
    CountedRows<Value> table(columns.size());
    for (std::size_t row = 0; row + 1 < indptr.size(); ++row) {
        const auto begin = static_cast<std::size_t>(indptr[row]);
        const auto end = static_cast<std::size_t>(indptr[row + 1]);
        std::uint32_t* const keys = table.keys(end - begin);
        std::size_t count = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const std::int32_t column = renumbered[columns[k]];
            keys[count] = key_of(static_cast<std::uint32_t>(column), false);
            count += column >= 0;
        }
        table.add_row(count, weighing);
    }
    return table;
}

/// Rows of the grams that the vocabulary has; others are left out.
template <class Value, class Pause>
CountedRows<Value> look_up(std::span<const Text> documents, const Cutting& cutting,
                           const Vocabulary& vocabulary, const Weighing& weighing, Pause pause) {
    CountedRows<Value> table(likely_grams(documents));
    Lookups lookups;
    each_document(documents, cutting, pause, [&](const char* bytes, std::span<const Piece> grams) {
        std::uint32_t* const keys = table.keys(grams.size());
        std::size_t count = 0;
        for (const Sought& name : lookups.of(vocabulary, bytes, grams)) {
            const std::uint32_t column = vocabulary.find(name);
            keys[count] = key_of(column, false);
            count += column != Vocabulary::none;
        }
        table.add_row(count, weighing);
    });
    return table;
}

/// Rows of hashed grams; if names are to be kept, they see every gram.
template <class Value, class Names, class Pause>
CountedRows<Value> hash_rows(std::span<const Text> documents, const Cutting& cutting, int bits,
                             bool alternate_sign, Names* names, const Weighing& weighing,
                             Pause pause) {
    const std::uint32_t last = (1u << bits) - 1;
    CountedRows<Value> table(likely_grams(documents));
    Buffer<std::uint32_t> hashes;
    each_document(documents, cutting, pause, [&](const char* bytes, std::span<const Piece> grams) {
        hashes.resize(grams.size());
        murmur3_each(bytes, grams, hashes.data());
        std::uint32_t* const keys = table.keys(grams.size());
        for (std::size_t k = 0; k < grams.size(); ++k) {
            const std::uint32_t bucket = bucket_of(hashes[k], last);
            keys[k] = key_of(bucket, hashes[k] >> 31 & alternate_sign);
            if (names) names->prefetch(bucket);
        }
        for (std::size_t k = 0; names && k < grams.size(); ++k)
            names->see(keys[k] >> 1, hashes[k],
                       {bytes + grams[k].begin, grams[k].end - grams[k].begin});
        table.add_row(grams.size(), weighing);
    });
    return table;
}

}  // namespace rosenblatt
