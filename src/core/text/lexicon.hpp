// A vocabulary, and the number of documents that each of its names occurs in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/buffer.hpp"
#include "text/vocabulary.hpp"

namespace rosenblatt {

struct Lexicon {
    struct Frequency {
        std::uint32_t documents, latest;
    };
    Vocabulary names;
    Buffer<Frequency> frequencies;
    std::uint32_t documents = 0;

    explicit Lexicon(std::uint64_t secret, std::size_t likely = 0) : names(secret, likely) {}
    explicit Lexicon(Vocabulary names) : names(std::move(names)) {}

    Lexicon without_names() const { return Lexicon(names.without_names()); }

    Lexicon copy() const {
        Lexicon same = without_names();
        same.join(*this);
        return same;
    }

    /// The names of these columns alone, in this order; all of them need not be hashed again.
    Lexicon select(std::span<const std::uint32_t> columns) const {
        const bool all = are_all(columns);
        Lexicon selected(all ? names.reordered(columns) : names.without_names(columns.size()));
        for (const std::uint32_t column : columns) {
            const std::uint32_t frequency = frequencies[column].documents;
            if (all)
                selected.frequencies.push({frequency, 0});
            else
                selected.add(names.name(column), frequency);
        }
        selected.documents = documents;
        return selected;
    }

    std::size_t size() const { return names.size(); }

    void require_room(std::size_t more) const {
        if (more >= UINT32_MAX - documents)
            throw std::length_error("a vocabulary counts 2**32 documents at most");
    }

    /// Counts one more document, made of these columns.
    void count(std::span<const std::uint32_t> columns) {
        while (frequencies.size() < names.size()) frequencies.push({0, 0});
        ++documents;
        for (const std::uint32_t column : columns) {
            Frequency& frequency = frequencies[column];
            frequency.documents += frequency.latest != documents;
            frequency.latest = documents;
        }
    }

    /// Adds the names and documents of one that read on from here; returns the columns of its
    /// names.
    Buffer<std::uint32_t> join(const Lexicon& next) {
        Buffer<std::uint32_t> columns;
        for (std::size_t k = 0; k < next.size(); ++k) {
            const std::string_view name = next.names.name(k);
            columns.push(names.add(name.data(), name.size()));
        }
        while (frequencies.size() < names.size()) frequencies.push({0, 0});
        for (std::size_t k = 0; k < next.size(); ++k) {
            Frequency& frequency = frequencies[columns[k]];
            frequency.documents += next.frequencies[k].documents;
            frequency.latest = documents + next.frequencies[k].latest;
        }
        documents += next.documents;
        return columns;
    }

    /// Adds a name that occurs in so many of the documents counted so far.
    void add(std::string_view name, std::uint32_t frequency) {
        if (names.add(name.data(), name.size()) + std::size_t{1} > frequencies.size())
            frequencies.push({frequency, 0});
    }

  private:
    /// Whether every column is there once.
    bool are_all(std::span<const std::uint32_t> columns) const {
        if (columns.size() != size()) return false;
        std::vector<char> there(size());
        for (const std::uint32_t column : columns) there[column] = 1;
        return std::ranges::all_of(there, [](char each) { return each; });
    }
};

}  // namespace rosenblatt
