// A vocabulary, and the number of documents that each of its names occurs in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "buffer.hpp"
#include "vocabulary.hpp"

namespace rosenblatt {

struct Lexicon {
    struct Frequency {
        std::uint32_t documents, latest;
    };
    Vocabulary names;
    Buffer<Frequency> frequencies;
    std::uint32_t documents = 0;

    explicit Lexicon(std::uint64_t secret) : names(secret) {}

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

    /// Adds a name that occurs in so many of the documents counted so far.
    void add(std::string_view name, std::uint32_t frequency) {
        if (names.add(name.data(), name.size()) + std::size_t{1} > frequencies.size())
            frequencies.push({frequency, 0});
    }
};

}  // namespace rosenblatt
