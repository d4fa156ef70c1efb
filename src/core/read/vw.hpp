// Lines of Vowpal Wabbit: label, importance and tag, then namespaces of named features.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/buffer.hpp"
#include "read/lines.hpp"
#include "read/numbers.hpp"
#include "text/utf8.hpp"

namespace rosenblatt {

enum class VwFault { bar, label, missing, importance, base, weight, feature, utf8, length };

/// Examples of named values: those of example k stand from indptr[k] to indptr[k + 1].
struct NamedExamples {
    Buffer<std::int64_t> indptr, ends, lines;
    Buffer<std::uint8_t> names;  // one behind the other, each up to its end
    Buffer<double> values, labels, importances;

    NamedExamples() { indptr.push(0); }
};

/// Reads `label importance tag|namespace:weight feature:value feature ...`, all but the bar
/// optional. A feature is called namespace^feature, or by its own name outside of namespaces.
class VwLines {
  public:
    enum class Labels { unknown, present, absent };

    LineLog<VwFault> log;
    Labels labels;  // whether lines have them: the first one decides if it is unknown

    VwLines(LineLog<VwFault> log, Labels labels)
        : log(std::move(log)), labels(labels), every_line(labels == Labels::absent) {}

    /// Reads text whose last byte is a newline; `slack` bytes of memory must follow it.
    NamedExamples read(const char* text, const char* text_end) {
        NamedExamples found;
        log.each(text, text_end, VwFault::length,
                 [&](const char* begin, const char* end, VwFault& kind) {
                     const std::size_t names = found.names.size(), values = found.values.size();
                     const char* const fault = read_line(begin, end, found, kind);
                     if (fault) {
                         found.names.resize(names);
                         found.values.resize(values);
                         found.ends.resize(values);
                     }
                     return fault;
                 });
        return found;
    }

  private:
    /// Adds an example, if the line holds one; else returns where it is at fault.
    const char* read_line(const char* begin, const char* end, NamedExamples& found, VwFault& kind) {
        const bool blank = skip_blanks(begin, end) == end;
        if (blank && !every_line) return nullptr;
        double label = 0.0, importance = 1.0;
        const char* const fault =
            blank ? nullptr : read_words(begin, end, label, importance, found, kind);
        if (fault) return fault;
        found.labels.push(label);
        found.importances.push(importance);
        found.lines.push(log.lines);
        found.indptr.push(static_cast<std::int64_t>(found.values.size()));
        return nullptr;
    }

    /// Reads what a line says that is not blank; returns where it is at fault, if it is.
    const char* read_words(const char* begin, const char* end, double& label, double& importance,
                           NamedExamples& found, VwFault& kind) {
        kind = VwFault::utf8;
        if (const char* const fault = garbled(begin, end)) return fault;
        const auto size = static_cast<std::size_t>(end - begin);
        const auto* const bar = static_cast<const char*>(std::memchr(begin, '|', size));
        kind = VwFault::bar;
        if (!bar) return begin;
        const char* fault = read_head(begin, bar, label, importance, kind);
        for (const char* p = bar; !fault && p < end;) fault = read_namespace(p, end, found, kind);
        return fault;
    }

    /// What stands before the first bar. A word that touches the bar, or begins with ', is a tag.
    const char* read_head(const char* begin, const char* bar, double& label, double& importance,
                          VwFault& kind) {
        const char* words[3] = {};
        std::size_t count = 0;
        for (const char* p = skip_blanks(begin, bar); p < bar; p = skip_blanks(p, bar)) {
            const char* const word = p;
            p = skip_token(p, bar);
            if (p == bar || *word == '\'') continue;
            kind = VwFault::base;
            if (count == 2) return word;
            words[count++] = word;
        }
        if (labels == Labels::unknown) labels = count ? Labels::present : Labels::absent;
        if (labels == Labels::absent) return nullptr;
        kind = VwFault::missing;
        if (count == 0) return begin;
        kind = VwFault::label;
        if (!is_number(words[0], bar, label)) return words[0];
        kind = VwFault::importance;
        if (count == 2 && !(is_number(words[1], bar, importance) && importance >= 0.0))
            return words[1];
        return nullptr;
    }

    /// Reads from a bar to the next one or to the end of the line, and moves on to there.
    static const char* read_namespace(const char*& p, const char* end, NamedExamples& found,
                                      VwFault& kind) {
        const char* const name = ++p;
        while (p < end && !is_blank(*p) && *p != ':' && *p != '|') ++p;
        const std::string_view space(name, static_cast<std::size_t>(p - name));
        double weight = 1.0;
        kind = VwFault::weight;
        if (p < end && *p == ':') {
            const char* const stop = number_end(p + 1, end, weight);
            if (!stop) return name;
            p = stop;
        }
        kind = VwFault::feature;
        for (;;) {
            p = skip_blanks(p, end);
            if (p == end || *p == '|') return nullptr;
            const char* const feature = p;
            while (p < end && !is_blank(*p) && *p != ':' && *p != '|') ++p;
            const std::string_view own(feature, static_cast<std::size_t>(p - feature));
            double value = 1.0;
            if (p < end && *p == ':') {
                const char* const stop = number_end(p + 1, end, value);
                if (!stop) return feature;
                p = stop;
            }
            value *= weight;
            if (own.empty() || !std::isfinite(value)) return feature;
            add_name(space, own, found);
            found.values.push(value);
        }
    }

    static void add_name(std::string_view space, std::string_view own, NamedExamples& found) {
        std::uint8_t* to = found.names.room(space.size() + 1 + own.size());
        const std::uint8_t* const first = to;
        if (!space.empty()) {
            std::memcpy(to, space.data(), space.size());
            to += space.size();
            *to++ = '^';
        }
        std::memcpy(to, own.data(), own.size());
        to += own.size();
        found.names.commit(static_cast<std::size_t>(to - first));
        found.ends.push(static_cast<std::int64_t>(found.names.size()));
    }

    /// The end of a finite number that a blank or a bar follows, or null.
    static const char* number_end(const char* p, const char* end, double& value) {
        if (p == end || is_blank(*p)) return nullptr;
        const char* const stop = read_number(p, end, value);
        const bool whole = stop && (stop >= end || is_blank(*stop) || *stop == '|');
        return whole && stop <= end && std::isfinite(value) ? stop : nullptr;
    }
    static bool is_number(const char* word, const char* bar, double& value) {
        const char* const stop = number_end(word, bar, value);
        return stop && stop < bar;
    }

    bool every_line;  // where no labels are expected, a blank line is an example too
};

}  // namespace rosenblatt
