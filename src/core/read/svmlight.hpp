// Lines of svmlight and libsvm: label, perhaps qid:number, then index:value in rising order.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "read/bad_line.hpp"
#include "read/numbers.hpp"

namespace rosenblatt {

struct SvmlightOptions {
    std::int64_t base = 1;     // subtracted from every index
    bool zero_allowed = true;  // an index of zero then becomes column -1, if the base is one
    bool multilabel = false;   // several labels, with commas between them, or none
    bool every_line = false;   // a blank line is a row too, if it need not have a label
    bool query_id = false;     // qid:number is kept
    bool set_aside = false;    // bad lines are noted and left out; else the first one ends all
    std::int64_t largest_index = std::numeric_limits<std::int64_t>::max() - 1;
    std::size_t longest_line = std::numeric_limits<std::size_t>::max();
};

enum class SvmlightFault { label, pair, order, zero, large, query, length };

/// The rows of the lines read so far.
template <class Value>
struct SvmlightRows {
    Buffer<double> labels;
    Buffer<std::int64_t> label_indptr;  // of the labels of each row, if it may have several
    Buffer<std::int64_t> queries;
    Buffer<std::int64_t> indptr;
    Buffer<std::int64_t> places;  // the line of each row, from one
    Buffer<Value> values;
    Buffer<std::int32_t> columns;
    Buffer<std::int64_t> wide_columns;  // all of them, once one has needed it
    bool wide = false;
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    std::int64_t highest = -1;
    std::int64_t lines = 0;
    std::vector<BadLine<SvmlightFault>> faults;
    std::size_t lent = 0;  // where the room that is lent to others ends

    SvmlightRows() {
        indptr.push(0);
        label_indptr.push(0);
    }

    void widen() {
        if (wide) return;
        wide = true;
        wide_columns.room(columns.size());
        std::copy_n(columns.data(), columns.size(), wide_columns.data());
        wide_columns.commit(columns.size());
        columns.clear();  // some of its memory may be lent
    }

    /// Makes room for so many more pairs, so that none need move. What turns out not to be needed
    /// is never touched, and so costs nothing.
    void make_room(std::size_t pairs) {
        lent = values.size();
        values.room(pairs);
        if (wide)
            wide_columns.room(pairs);
        else
            columns.room(pairs);
    }

    /// The same for a guess, which may be wrong.
    void expect(double pairs) {
        if (!(pairs >= 0.0 && pairs < 0x1p53)) return;
        try {
            make_room(static_cast<std::size_t>(pairs) + 1);
        } catch (const std::bad_alloc&) {
        }
    }

    /// Rows for lines that follow, with at most so many pairs, to be read on another thread and
    /// then appended, in the order in which they were lent. Their values and columns lie where
    /// they belong, unless there were fewer pairs before. None if there is no room, which must not
    /// be made before all that are lent are appended.
    std::optional<SvmlightRows> lend(std::size_t pairs) {
        const std::size_t begin = std::max(lent, values.size()), end = begin + pairs;
        const std::size_t room = wide ? wide_columns.capacity() : columns.capacity();
        if (end > std::min(values.capacity(), room)) return {};
        lent = end;
        SvmlightRows next;
        next.values = values.lend(begin, end);
        next.wide = wide;
        if (wide)
            next.wide_columns = wide_columns.lend(begin, end);
        else
            next.columns = columns.lend(begin, end);
        return next;
    }

    /// Adds the rows of the lines that follow these.
    void append(SvmlightRows& next) {
        if (wide || next.wide) {
            widen();
            next.widen();
        }
        append_indptr(indptr, next.indptr, static_cast<std::int64_t>(values.size()));
        append_indptr(label_indptr, next.label_indptr, static_cast<std::int64_t>(labels.size()));
        values.append(next.values.view());
        columns.append(next.columns.view());
        wide_columns.append(next.wide_columns.view());
        labels.append(next.labels.view());
        queries.append(next.queries.view());
        places.room(next.places.size());
        for (const std::int64_t place : next.places.view()) places.push(place + lines);
        lowest = std::min(lowest, next.lowest);
        highest = std::max(highest, next.highest);
        for (auto& fault : next.faults) {
            fault.line += lines;
            faults.push_back(std::move(fault));
        }
        lines += next.lines;
    }

  private:
    static void append_indptr(Buffer<std::int64_t>& mine, const Buffer<std::int64_t>& next,
                              std::int64_t offset) {
        mine.room(next.size());
        for (const std::int64_t bound : next.view().subspan(1)) mine.push(bound + offset);
    }
};

/// Reads lines into rows.
template <class Value>
class SvmlightLines {
  public:
    SvmlightLines(const SvmlightOptions& options, SvmlightRows<Value>& rows)
        : options(options), rows(rows) {}

    /// Reads text whose last byte is a newline, with at most so many pairs; `slack` bytes of memory
    /// must follow it.
    void read(const char* p, const char* text_end, std::size_t pairs) {
        rows.make_room(pairs);
        while (p < text_end) {
            line = p;
            end = text_end;
            const char* next = rows.wide ? read_line(rows.wide_columns) : read_line(rows.columns);
            if (next == widen) {
                rows.widen();
                rows.wide_columns.room(pairs);
                continue;
            }
            ++rows.lines;
            if (next == failed) {
                next = newline(line) + 1;
                note(next - 1);
                if (!options.set_aside) return;
            }
            p = next;
        }
    }

  private:
    using Kind = SvmlightFault;
    static constexpr const char* failed = nullptr;
    static inline const char widen_mark = 0;
    static constexpr const char* widen = &widen_mark;

    static bool is_blank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
    }
    static bool ends_token(char c) { return c == ' ' || c == '\n' || c == '#' || is_blank(c); }
    static const char* skip_blanks(const char* p) {
        while (is_blank(*p)) ++p;
        return p;
    }
    static const char* token_end(const char* p) {
        while (!ends_token(*p)) ++p;
        return p;
    }
    const char* newline(const char* p) const {
        return static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    }

    /// Adds a row, if the line holds one, and returns the beginning of the next line.
    template <class Index>
    const char* read_line(Buffer<Index>& columns) {
        const std::size_t labels_before = rows.labels.size();
        const char* p = skip_blanks(line);
        const bool blank = *p == '\n';
        if (blank && !(options.every_line && options.multilabel)) return finish(p);
        if (*p == '#') return finish(newline(p));
        if (!blank) p = options.multilabel ? read_labels(p) : read_label(p);
        if (p != failed) p = skip_blanks(p);
        std::int64_t query = 0;
        if (p != failed) p = read_query(p, query);
        if (p != failed) p = read_pairs(p, columns);
        if (p == failed || p == widen) {
            rows.labels.resize(labels_before);
            return p;
        }
        if (options.multilabel) rows.label_indptr.push(std::int64_t(rows.labels.size()));
        if (options.query_id) rows.queries.push(query);
        return p;
    }

    const char* read_label(const char* p) {
        double label;
        const char* const stop = read_number(p, end, label);
        if (stop == nullptr || !ends_token(*stop)) return fail(Kind::label, p);
        rows.labels.push(label);
        return stop;
    }

    /// Labels with commas between them; none if the line begins with its features. Sorted, as a
    /// set of labels has no order.
    const char* read_labels(const char* p) {
        const char* const token = p;
        if (std::find(p, token_end(p), ':') != token_end(p)) return p;
        const std::size_t before = rows.labels.size();
        for (;; ++p) {
            double label;
            p = read_number(p, end, label);
            if (p == nullptr || (*p != ',' && !ends_token(*p))) {
                rows.labels.resize(before);
                return fail(Kind::label, token);
            }
            rows.labels.push(label);
            if (*p != ',') break;
        }
        std::sort(rows.labels.data() + before, rows.labels.data() + rows.labels.size());
        return p;
    }

    const char* read_query(const char* p, std::int64_t& query) {
        const bool given = std::string_view(p, 4) == "qid:";
        const char* const stop = given ? token_end(p) : p;
        if (!options.query_id) return stop;
        if (!given) return fail(Kind::query, p);
        const auto read = std::from_chars(p + 4 + (p[4] == '+'), stop, query);
        return read.ec == std::errc() && read.ptr == stop ? stop : fail(Kind::query, p);
    }

    template <class Index>
    const char* read_pairs(const char* p, Buffer<Index>& columns) {
        Value* value = rows.values.data() + rows.values.size();
        Index* column = columns.data() + columns.size();
        const Value* const first_value = value;
        std::int64_t last = -1, first = std::numeric_limits<std::int64_t>::max();
        for (;;) {
            if (*p == ' ') ++p;
            if (is_blank(*p)) p = skip_blanks(p);
            const Digits digits = digits_at(p);
            const char* stop = p + digits.count;
            std::int64_t index = static_cast<std::int64_t>(digits.value);
            if (digits.count == 0 || digits.count == 8 || *stop != ':') {
                if (*p == '\n' || *p == '#') break;
                const auto read = std::from_chars(p, end, index);
                stop = read.ptr;
                if (read.ec == std::errc::result_out_of_range && *p != '-')
                    return fail(Kind::large, p);
                if (read.ec != std::errc() || *stop != ':' || *p == '-') return fail(Kind::pair, p);
            }
            double number;
            stop = read_number(stop + 1, end, number);
            if (stop == nullptr || !ends_token(*stop)) return fail(Kind::pair, p);
            if (index <= last) return fail(Kind::order, p);
            if (last < 0) {
                if (index == 0 && !options.zero_allowed) return fail(Kind::zero, p);
                first = index;
            }
            if (index > options.largest_index) return fail(Kind::large, p);
            if constexpr (sizeof(Index) == 4)
                if (index > std::numeric_limits<Index>::max()) return widen;
            *value++ = static_cast<Value>(number);
            *column++ = static_cast<Index>(index - options.base);
            last = index;
            p = stop;
        }
        const char* const next = finish(*p == '#' ? newline(p) : p);
        if (next == failed) return failed;
        const auto count = static_cast<std::size_t>(value - first_value);
        rows.values.commit(count);
        columns.commit(count);
        rows.indptr.push(std::int64_t(rows.values.size()));
        rows.places.push(rows.lines + 1);
        rows.lowest = std::min(rows.lowest, first);
        rows.highest = std::max(rows.highest, last);
        return next;
    }

    /// What follows the newline, unless the line is too long.
    const char* finish(const char* stop) {
        if (static_cast<std::size_t>(stop - line) > options.longest_line)
            return fail(Kind::length, line);
        return stop + 1;
    }

    const char* fail(Kind kind, const char* token) {
        why = kind;
        where = token;
        return failed;
    }

    void note(const char* stop) {
        constexpr std::ptrdiff_t longest_shown = 80;
        const char* const token_stop = std::min(token_end(where), where + longest_shown);
        rows.faults.push_back({why, rows.lines, where - line + 1, std::string(where, token_stop),
                               std::string(line, stop)});
    }

    SvmlightOptions options;
    SvmlightRows<Value>& rows;
    const char* line = nullptr;
    const char* end = nullptr;
    Kind why = Kind::label;
    const char* where = nullptr;
};

/// How many pairs a text has at most: as many as it has colons.
inline std::size_t most_pairs(const char* text, const char* end) {
    constexpr std::ptrdiff_t most_at_once = 240;  // a byte can count them
    std::size_t count = 0;
    while (text < end) {
        const char* const stop = text + std::min(end - text, most_at_once);
        std::uint8_t some = 0;
        for (; text < stop; ++text) some += *text == ':';
        count += some;
    }
    return count;
}

/// Reads text whose last byte is a newline; `slack` bytes of memory must follow it.
template <class Value>
void read_svmlight(const char* text, const char* end, const SvmlightOptions& options,
                   SvmlightRows<Value>& rows) {
    constexpr std::size_t shortest_pair = 4;  // as in "1:2 "
    const std::size_t pairs = static_cast<std::size_t>(end - text) / shortest_pair + 1;
    SvmlightLines<Value>(options, rows).read(text, end, pairs);
}

}  // namespace rosenblatt
