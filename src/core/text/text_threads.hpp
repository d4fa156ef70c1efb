// Documents to rows on several threads: the same rows, names and numbers as on one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "text/sightings.hpp"
#include "text/text.hpp"

namespace rosenblatt {

/// Cuts documents into so many stretches, in order, of about as many characters each.
inline std::vector<std::span<const Text>> stretches(std::span<const Text> documents,
                                                    std::size_t count) {
    std::size_t characters = documents.size();
    for (const Text& text : documents) characters += text.length;
    std::vector<std::span<const Text>> found;
    std::size_t begin = 0, end = 0, before = 0;
    for (std::size_t k = 1; k < count; ++k, begin = end) {
        while (end < documents.size() && before < characters / count * k)
            before += documents[end++].length + 1;
        found.push_back(documents.subspan(begin, end - begin));
    }
    found.push_back(documents.subspan(begin));
    return found;
}

/// One table of the rows of all, which are used up.
template <class Value>
CountedRows<Value> joined(std::vector<CountedRows<Value>> tables, std::size_t threads) {
    CountedRows<Value>& all = tables.front();
    struct Place {
        std::size_t row, value;
    };
    std::vector<Place> places;
    Place place{0, 0};
    for (const auto& table : tables) {
        places.push_back(place);
        place.row += table.indptr.size() - 1;
        place.value += table.columns.size();
    }
    all.indptr.resize(place.row + 1);
    all.columns.resize(place.value);
    all.values.resize(place.value);
    side_by_side(threads, no_pause, [&](std::size_t k, auto&&) {
        for (std::size_t t = k ? k : threads; t < tables.size(); t += threads) {
            const CountedRows<Value> table = std::move(tables[t]);
            const auto [row, value] = places[t];
            for (std::size_t r = 1; r < table.indptr.size(); ++r)
                all.indptr[row + r] = table.indptr[r] + static_cast<std::int64_t>(value);
            std::copy_n(table.columns.data(), table.columns.size(), all.columns.data() + value);
            std::copy_n(table.values.data(), table.values.size(), all.values.data() + value);
        }
    });
    return std::move(all);
}

/// The rows of stretches, one behind the other; make(stretch, pause) makes those of one.
template <class Value, class Pause, class Make>
CountedRows<Value> rows_of_stretches(std::span<const Text> documents, std::size_t threads,
                                     Pause pause, Make make) {
    const auto parts = stretches(documents, threads);
    std::vector<CountedRows<Value>> tables(threads);
    side_by_side(threads, pause,
                 [&](std::size_t k, auto pause) { tables[k] = make(parts[k], pause); });
    return joined(std::move(tables), threads);
}

template <class Value, class Pause>
CountedRows<Value> look_up(std::span<const Text> documents, const Cutting& cutting,
                           const Vocabulary& vocabulary, const Weighing& weighing,
                           std::size_t threads, Pause pause) {
    return rows_of_stretches<Value>(documents, threads, pause, [&](auto stretch, auto pause) {
        return look_up<Value>(stretch, cutting, vocabulary, weighing, pause);
    });
}

/// Every thread grows a lexicon of its own. Its names, in the order in which they first appear,
/// are then added to those of the stretches before, so that they get the columns of one thread.
template <class Pause>
Columns grow(std::span<const Text> documents, const Cutting& cutting, Lexicon& lexicon, bool keep,
             std::size_t threads, Pause pause) {
    lexicon.require_room(documents.size());
    const auto parts = stretches(documents, threads);
    std::vector<Lexicon> later;
    for (std::size_t k = 1; k < threads; ++k) later.push_back(lexicon.without_names());
    std::vector<Columns> read(threads);
    side_by_side(threads, pause, [&](std::size_t k, auto pause) {
        read[k] = grow(parts[k], cutting, k ? later[k - 1] : lexicon, keep, pause);
    });
    std::vector<Buffer<std::uint32_t>> renumbered;
    for (const Lexicon& each : later) renumbered.push_back(lexicon.join(each));
    if (!keep) return std::move(read.front());

    std::vector<std::size_t> begins(threads);
    Columns& all = read.front();
    for (std::size_t k = 1; k < threads; ++k) {
        begins[k] = begins[k - 1] + read[k - 1].columns.size();
        const auto indptr = read[k].indptr.view().subspan(1);
        all.indptr.room(indptr.size());
        for (const std::int64_t end : indptr)
            all.indptr.push(end + static_cast<std::int64_t>(begins[k]));
    }
    const std::size_t first = all.columns.size();
    all.columns.resize(threads == 1 ? first : begins.back() + read.back().columns.size());
    side_by_side(threads, no_pause, [&](std::size_t k, auto&&) {
        if (k == 0) return;
        const auto& numbers = renumbered[k - 1];
        std::ranges::transform(read[k].columns.view(), all.columns.data() + begins[k],
                               [&](std::uint32_t column) { return numbers[column]; });
    });
    return std::move(all);
}

/// Rows of columns that were kept, as above.
template <class Value>
CountedRows<Value> arrange(std::span<const std::int64_t> indptr,
                           std::span<const std::uint32_t> columns,
                           std::span<const std::int32_t> renumbered, const Weighing& weighing,
                           std::size_t threads) {
    const std::size_t rows = indptr.size() - 1;
    const auto cut = [&](std::size_t k) {
        const auto goal = static_cast<std::int64_t>(columns.size() / threads * k);
        return k == threads ? rows
                            : static_cast<std::size_t>(std::ranges::lower_bound(indptr, goal) -
                                                       indptr.begin());
    };
    std::vector<CountedRows<Value>> tables(threads);
    side_by_side(threads, no_pause, [&](std::size_t k, auto&&) {
        const std::size_t begin = cut(k);
        tables[k] = arrange<Value>(indptr.subspan(begin, cut(k + 1) - begin + 1), columns,
                                   renumbered, weighing);
    });
    return joined(std::move(tables), threads);
}

/// Buckets are called by votes that depend on the order of the grams, so every thread first notes
/// what it meets in its stretch, and then votes for a share of the buckets.
template <class Value, class Pause>
CountedRows<Value> hash_rows(std::span<const Text> documents, const Cutting& cutting, int bits,
                             bool alternate_sign, BucketNames* names, const Weighing& weighing,
                             std::size_t threads, Pause pause) {
    const auto make = [&](auto stretch, auto* names, auto pause) {
        return hash_rows<Value>(stretch, cutting, bits, alternate_sign, names, weighing, pause);
    };
    if (threads == 1 || !names)
        return rows_of_stretches<Value>(documents, threads, pause, [&](auto stretch, auto pause) {
            return make(stretch, names, pause);
        });
    std::vector<CountedRows<Value>> tables;
    std::vector<Sightings> met;
    for (std::size_t k = 0; k < threads; ++k) met.emplace_back(bits, threads);
    std::vector<Buffer<Called>> called(threads);
    for (const auto round : rounds(documents, threads)) {
        const auto parts = stretches(round, threads);
        const std::size_t done = tables.size();
        tables.resize(done + threads);
        side_by_side(threads, pause, [&](std::size_t k, auto pause) {
            met[k].clear();
            tables[done + k] = make(parts[k], &met[k], pause);
        });
        side_by_side(threads, no_pause, [&](std::size_t share, auto&&) {
            called[share].clear();
            for (const Sightings& each : met) each.vote(share, *names, called[share]);
        });
        for (const auto& share : called)
            for (const Called& each : share.view()) names->call(each.bucket, each.name);
    }
    if (tables.empty()) tables.resize(1);
    return joined(std::move(tables), threads);
}

}  // namespace rosenblatt
