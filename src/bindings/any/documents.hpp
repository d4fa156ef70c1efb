// Documents as Python holds them.
#pragma once

#include <nanobind/stl/variant.h>

#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

#include "../arrays.hpp"
#include "names.hpp"
#include "text/grams.hpp"
#include "text/utf8.hpp"

namespace rosenblatt {

/// The characters as the running Python knows them; made when they are first needed.
inline const Characters& characters() {
    static const Characters table([](std::uint32_t c) { return Py_UNICODE_ISALNUM(c) || c == '_'; },
                                  [](std::uint32_t c) { return Py_UNICODE_ISSPACE(c); },
                                  [](std::uint32_t c) { return Py_UNICODE_TOLOWER(c); });
    return table;
}

/// Whether one of these, whose lower case is not a single character of its own, is in the text. All
/// of it is looked at, in numbers as wide as its units, as vector code likes it.
inline bool needs_python_to_lower(const Text& text) {
    constexpr std::uint32_t capital_sigma = 0x3A3, dotted_capital_i = 0x130;
    if (text.width == 1) return false;
    if (text.width == Text::utf8) {
        const auto* const bytes = static_cast<const std::uint8_t*>(text.data);
        std::uint8_t found = 0;
        for (std::size_t k = 1; k < text.length; ++k)
            found |= ((bytes[k - 1] == 0xCE) & (bytes[k] == 0xA3)) |
                     ((bytes[k - 1] == 0xC4) & (bytes[k] == 0xB0));
        return found;
    }
    bool any = false;
    with_units(text, [&](auto units, std::size_t n) {
        std::remove_cvref_t<decltype(*units)> found = 0;
        for (std::size_t k = 0; k < n; ++k)
            found |= (units[k] == capital_sigma) | (units[k] == dotted_capital_i);
        any = found;
    });
    return any;
}

inline void require_short(std::size_t length) {
    require(length < (1u << 30), "A document must be shorter than 2**30 characters.");
}

inline Text text_of(PyObject* string) {
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(string) < 0) throw nb::python_error();
#endif
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(string));
    require_short(length);
    return {PyUnicode_DATA(string), length, static_cast<std::uint8_t>(PyUnicode_KIND(string)),
            static_cast<bool>(PyUnicode_IS_ASCII(string))};
}

/// How to cut, as Python sets it once.
struct CuttingSettings {
    Analyzer analyzer;
    std::size_t shortest, longest;
    bool lowercase;
    std::unique_ptr<Vocabulary> stop_words;
};

/// Documents as pieces of UTF-8 in one array, checked once; the arrays are kept alive.
struct Pieces {
    UInt8s data;
    Int64s begins, ends;

    Pieces(UInt8s data, Int64s begins, Int64s ends) : data(data), begins(begins), ends(ends) {
        bool sound = begins.size() == ends.size();
        const auto size = static_cast<std::int64_t>(data.size());
        for (std::size_t k = 0; sound && k < begins.size(); ++k)
            sound = 0 <= begins(k) && begins(k) <= ends(k) && ends(k) <= size;
        require(sound,
                "Each document must begin and end within the data, and not end before it "
                "begins.");
    }

    std::size_t count() const { return begins.size(); }
    Text text(std::size_t k) const {
        const char* const bytes = reinterpret_cast<const char*>(data.data()) + begins(k);
        const auto size = static_cast<std::size_t>(ends(k) - begins(k));
        require_short(size);
        const bool ascii = is_ascii(bytes, size);
        return {bytes, size, ascii ? std::uint8_t{1} : Text::utf8, ascii};
    }
};

/// Documents that Python has cut into tokens, one after the other in a few arrays.
class Tokens {
  public:
    /// Adds a document. If one of its tokens is no string, its position, and nothing is added; or
    /// -1.
    std::int64_t add(nb::list tokens) {
        const std::size_t first = ends.empty() ? 0 : ends.back().byte;
        bytes.resize(first);
        Buffer<Piece> found;
        for (nb::handle token : tokens) {
            if (!PyUnicode_Check(token.ptr())) return static_cast<std::int64_t>(found.size());
            const std::string text = utf8_of(token);
            require_short(bytes.size() - first + text.size());
            const auto begin = static_cast<std::uint32_t>(bytes.size() - first);
            found.push({begin, begin + static_cast<std::uint32_t>(text.size())});
            bytes.append({text.data(), text.size()});
            bytes.push(' ');
        }
        std::ranges::copy(found.view(), pieces.room(found.size()));
        pieces.commit(found.size());
        ends.push_back({bytes.size(), pieces.size()});
        return -1;
    }

    std::size_t count() const { return ends.size(); }

    /// Calls visit(tokenised, size) for each document; what it is given lies in this.
    template <class Visit>
    void each(Visit visit) const {
        End begin{0, 0};
        for (const End& end : ends) {
            const auto tokens = pieces.view().subspan(begin.piece, end.piece - begin.piece);
            visit(Tokenised{bytes.data() + begin.byte, tokens}, end.byte - begin.byte);
            begin = end;
        }
    }

  private:
    struct End {
        std::size_t byte, piece;
    };
    Buffer<char> bytes;
    Buffer<Piece> pieces;
    std::vector<End> ends;
};

using AnyDocuments = std::variant<nb::tuple, const Pieces*, const Tokens*>;

/// Documents borrowed for one call: the caller keeps them alive, and this those that Python had to
/// lower-case.
struct Documents {
    std::vector<Text> texts;
    std::vector<nb::object> lowered;
    std::vector<Tokenised> tokenised;
    bool ascii = true;

    Documents(const AnyDocuments& documents, const CuttingSettings& settings) {
        const bool lowercase = settings.lowercase;
        if (const auto* const tokens = std::get_if<const Tokens*>(&documents)) {
            require(settings.analyzer == Analyzer::word, "tokens are words");
            tokenised.reserve((*tokens)->count());
            (*tokens)->each([&](Tokenised document, std::size_t size) {
                tokenised.push_back(document);
                texts.push_back({&tokenised.back(), size, Text::tokens, true});
            });
            return;
        }
        if (const auto* const strings = std::get_if<nb::tuple>(&documents)) {
            texts.reserve(strings->size());
            for (std::size_t k = 0; k < strings->size(); ++k) {
                PyObject* const string =
                    PyTuple_GET_ITEM(strings->ptr(), static_cast<Py_ssize_t>(k));
                require(PyUnicode_Check(string), "documents must be strings");
                const Text text = text_of(string);
                add(text, lowercase, [&](const Text&) { return nb::borrow(string); });
            }
            return;
        }
        const Pieces& pieces = *std::get<const Pieces*>(documents);
        texts.reserve(pieces.count());
        for (std::size_t k = 0; k < pieces.count(); ++k)
            add(pieces.text(k), lowercase, [](const Text& text) {
                return nb::steal(PyUnicode_DecodeUTF8(static_cast<const char*>(text.data),
                                                      static_cast<Py_ssize_t>(text.length),
                                                      "replace"));
            });
    }

    Cutting cutting(const CuttingSettings& settings) const {
        const bool plain = ascii && settings.analyzer == Analyzer::word;
        return {settings.analyzer,  settings.shortest,         settings.longest,
                settings.lowercase, settings.stop_words.get(), plain ? nullptr : &characters()};
    }

  private:
    template <class AsString>
    void add(Text text, bool lowercase, AsString as_string) {
        if (lowercase && needs_python_to_lower(text)) {
            nb::object string = as_string(text);
            if (!string.is_valid()) throw nb::python_error();
            lowered.push_back(string.attr("lower")());
            require(PyUnicode_Check(lowered.back().ptr()), "lower must give a string");
            text = text_of(lowered.back().ptr());
        }
        ascii &= text.ascii;
        texts.push_back(text);
    }
};

}  // namespace rosenblatt
