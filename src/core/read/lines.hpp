// Lines of text, with their labels before them or without.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "read/bad_line.hpp"
#include "text/utf8.hpp"
#include "text/vocabulary.hpp"

namespace rosenblatt {

inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/// Both skip at most to the end.
inline const char* skip_blanks(const char* p, const char* end) {
    while (p < end && is_blank(*p)) ++p;
    return p;
}
inline const char* skip_token(const char* p, const char* end) {
    while (p < end && !is_blank(*p)) ++p;
    return p;
}

/// Where a line is not UTF-8; null if it is.
inline const char* garbled(const char* begin, const char* end) {
    const auto size = static_cast<std::size_t>(end - begin);
    return is_ascii(begin, size) ? nullptr : not_utf8(begin, size, false);
}

/// What goes on from line to line: their number, how long one may be, and those that are bad.
template <class Kind>
struct LineLog {
    std::size_t longest = std::numeric_limits<std::size_t>::max();
    bool set_aside = false;  // else the first bad line ends all
    std::int64_t lines = 0;
    std::vector<BadLine<Kind>> bad = {};

    /// Calls read(begin, end), without the end of the line, for each line of text whose last byte
    /// is a newline. It returns where the line is at fault, or null, and names the kind of fault.
    template <class Read>
    void each(const char* text, const char* text_end, Kind too_long, Read read) {
        while (text < text_end) {
            const auto left = static_cast<std::size_t>(text_end - text);
            const auto* const newline = static_cast<const char*>(std::memchr(text, '\n', left));
            const char* const end = newline - (newline > text && newline[-1] == '\r');
            ++lines;
            Kind kind = too_long;
            const bool fits = static_cast<std::size_t>(end - text) <= longest;
            const char* const fault = fits ? read(text, end, kind) : text;
            if (fault) {
                constexpr std::ptrdiff_t longest_shown = 80;
                const char* const stop = std::min(skip_token(fault, end), fault + longest_shown);
                bad.push_back({kind, lines, fault - text + 1, std::string(fault, stop),
                               std::string(text, newline)});
                if (!set_aside) return;
            }
            text = newline + 1;
        }
    }
};

enum class LineStyle { fasttext, tab, plain };
enum class LineFault { mark, several, tab, empty, spelling, utf8, length };

/// The documents of some lines: where they begin and end in the text, their lines and labels.
struct TextLines {
    Buffer<std::int64_t> begins, ends, lines;
    Buffer<std::int32_t> labels;
};

/// Splits lines into labels and documents. Labels are numbered in the order in which they come up.
class LineSplitter {
  public:
    LineLog<LineFault> log;
    Vocabulary labels;

    LineSplitter(LineStyle style, bool labelled, LineLog<LineFault> log, std::uint64_t secret,
                 bool several = false)
        : log(std::move(log)), labels(secret), style(style), labelled(labelled), several(several) {}

    /// Reads text whose last byte is a newline; some bytes after it must be readable.
    TextLines read(const char* text, const char* text_end) {
        TextLines found;
        log.each(text, text_end, LineFault::length,
                 [&](const char* begin, const char* end, LineFault& kind) {
                     return split(begin, end, text, found, kind);
                 });
        return found;
    }

  private:
    /// Adds the document of a line, if there is one; else returns where the line is at fault.
    const char* split(const char* begin, const char* end, const char* text, TextLines& found,
                      LineFault& kind) {
        if (labelled && style != LineStyle::plain && skip_blanks(begin, end) == end) return nullptr;
        if (const char* const fault = garbled(begin, end)) {
            kind = LineFault::utf8;
            return fault;
        }
        std::string_view label;
        const char *document = begin, *fault = nullptr;
        if (style == LineStyle::fasttext) fault = split_marked(begin, end, label, document, kind);
        if (style == LineStyle::tab) fault = split_at_tab(begin, end, label, document, kind);
        if (labelled && fault) return fault;
        if (labelled && style != LineStyle::plain) {
            const std::uint32_t number = number_of(label);
            kind = LineFault::spelling;
            if (number == Vocabulary::none) return label.data();
            found.labels.push(static_cast<std::int32_t>(number));
        }
        found.begins.push(document - text);
        found.ends.push(end - text);
        found.lines.push(log.lines);
        return nullptr;
    }

    /// "__label__good A text". Where labels do not matter there may be several, and where all do,
    /// they come as one: "good __label__old", or "" if there is none.
    const char* split_marked(const char* begin, const char* end, std::string_view& label,
                             const char*& document, LineFault& kind) const {
        constexpr std::string_view mark = "__label__";
        const auto is_marked = [&](const char* p) {
            return std::string_view(p, static_cast<std::size_t>(end - p)).starts_with(mark);
        };
        const char* p = skip_blanks(begin, end);
        label = {p, 0};
        kind = LineFault::mark;
        if (!several && !is_marked(p)) return p;
        for (bool first = true; is_marked(p); first = false) {
            kind = LineFault::several;
            if (labelled && !several && !first) return p;
            const char *const name = p + mark.size(), *const stop = skip_token(p, end);
            kind = LineFault::empty;
            if (name == stop && (labelled || first)) return p;
            const char* const from = first ? name : label.data();
            label = {from, static_cast<std::size_t>(stop - from)};
            p = skip_blanks(stop, end);
        }
        document = p;
        return nullptr;
    }

    /// "good<TAB>A text": blanks around the label are not part of it.
    const char* split_at_tab(const char* begin, const char* end, std::string_view& label,
                             const char*& document, LineFault& kind) const {
        const auto* const tab = static_cast<const char*>(
            std::memchr(begin, '\t', static_cast<std::size_t>(end - begin)));
        kind = LineFault::tab;
        if (!tab) return begin;
        begin = skip_blanks(begin, tab);
        const char* stop = tab;
        while (stop > begin && is_blank(stop[-1])) --stop;
        label = {begin, static_cast<std::size_t>(stop - begin)};
        kind = LineFault::empty;
        if (label.empty() && !several) return begin;
        document = tab + 1;
        return nullptr;
    }

    /// The label's number; none if it can't be spelled in a row of strings.
    std::uint32_t number_of(std::string_view label) {
        const Sought sought = labels.sought(label.data(), label.size());
        const std::uint32_t known = labels.find(sought);
        if (known != Vocabulary::none) return known;
        if (label.find('\0') != label.npos) return Vocabulary::none;
        return labels.add(sought);
    }

    LineStyle style;
    bool labelled;  // else labels are left out, and need not be there
    bool several;   // labels, or none
};

}  // namespace rosenblatt
