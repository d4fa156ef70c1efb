// Examples of named values to rows: with a vocabulary that grows, or one that stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/buffer.hpp"
#include "rows/one_row.hpp"
#include "text/counting.hpp"
#include "text/lexicon.hpp"
#include "text/vocabulary.hpp"

namespace rosenblatt {

/// Names that lie anywhere in some bytes, and the values of examples that they are of.
struct NamedValues {
    std::span<const char> bytes;
    std::span<const std::int64_t> begins, ends;  // of the names
    std::span<const double> values;
    std::span<const std::int64_t> indptr;  // of the examples

    std::size_t examples() const { return indptr.size() - 1; }

    /// Calls visit(k, name, size) for each name; some bytes after it can be read.
    template <class Visit>
    void each(std::size_t from, std::size_t to, Visit visit) const {
        Buffer<char> copy;
        for (std::size_t k = from; k < to; ++k) {
            const auto begin = static_cast<std::size_t>(begins[k]);
            const std::size_t size = static_cast<std::size_t>(ends[k]) - begin;
            const char* name = bytes.data() + begin;
            if (bytes.size() - begin - size < read_ahead) {
                copy.resize(size + read_ahead);
                std::memset(copy.data() + size, 0, read_ahead);
                if (size) std::memcpy(copy.data(), name, size);
                name = copy.data();
            }
            visit(k, name, size);
        }
    }
    std::size_t first(std::size_t example) const {
        return static_cast<std::size_t>(indptr[example]);
    }
};

/// Gives each name that is new the next column; the columns of all names.
inline Buffer<std::uint32_t> grow_names(const NamedValues& given, Lexicon& lexicon) {
    lexicon.require_room(given.examples());
    Buffer<std::uint32_t> columns;
    std::uint32_t* const to = columns.room(given.values.size());
    for (std::size_t row = 0; row < given.examples(); ++row) {
        const std::size_t begin = given.first(row), end = given.first(row + 1);
        given.each(begin, end, [&](std::size_t k, const char* name, std::size_t size) {
            to[k] = lexicon.names.add(name, size);
        });
        lexicon.count({to + begin, end - begin});
    }
    columns.commit(given.values.size());
    return columns;
}

/// The columns of all names; those that the vocabulary lacks are none.
inline Buffer<std::uint32_t> find_names(const NamedValues& given, const Vocabulary& vocabulary) {
    Buffer<std::uint32_t> columns;
    std::uint32_t* const to = columns.room(given.values.size());
    given.each(0, given.values.size(), [&](std::size_t k, const char* name, std::size_t size) {
        to[k] = vocabulary.find(name, size);
    });
    columns.commit(given.values.size());
    return columns;
}

/// Rows of these columns, renumbered if they are to be; what has no column is left out. Values of
/// the same column are summed.
template <class Value>
CountedRows<Value> named_rows(std::span<const std::int64_t> indptr,
                              std::span<const std::uint32_t> columns,
                              std::span<const double> values, const std::int32_t* renumbered,
                              std::size_t width) {
    CountedRows<Value> table(values.size());
    Gathered gathered;
    for (std::size_t row = 0; row + 1 < indptr.size(); ++row) {
        const auto begin = static_cast<std::size_t>(indptr[row]);
        const auto end = static_cast<std::size_t>(indptr[row + 1]);
        gathered.start(end - begin);
        for (std::size_t k = begin; k < end; ++k)
            if (columns[k] != Vocabulary::none)
                gathered.add(renumbered ? renumbered[columns[k]] : columns[k], values[k]);
        const auto sorted = gathered.row(width);
        for (std::size_t k = 0; k < sorted.length(0); ++k) {
            table.columns.push(static_cast<std::int32_t>(sorted.columns[k]));
            table.values.push(static_cast<Value>(sorted.values[k]));
        }
        table.indptr.push(static_cast<std::int64_t>(table.columns.size()));
    }
    return table;
}

}  // namespace rosenblatt
