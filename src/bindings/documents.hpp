// Documents as Python holds them.
#pragma once

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "grams.hpp"

namespace rosenblatt {

/// The characters as the running Python knows them; made when they are first needed.
inline const Characters& characters() {
    static const Characters table([](std::uint32_t c) { return Py_UNICODE_ISALNUM(c) || c == '_'; },
                                  [](std::uint32_t c) { return Py_UNICODE_ISSPACE(c); },
                                  [](std::uint32_t c) { return Py_UNICODE_TOLOWER(c); });
    return table;
}

/// Whether one of these, whose lower case is not a single character of its own, is in the text.
inline bool needs_python_to_lower(const Text& text) {
    constexpr std::uint32_t capital_sigma = 0x3A3, dotted_capital_i = 0x130;
    bool found = false;
    if (text.width > 1)
        with_units(text, [&](auto units, std::size_t n) {
            for (std::size_t k = 0; k < n; ++k)
                found |= units[k] == capital_sigma || units[k] == dotted_capital_i;
        });
    return found;
}

inline Text text_of(PyObject* string) {
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(string) < 0) throw nb::python_error();
#endif
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(string));
    require(length < (1u << 30), "a document must be shorter than 2**30 characters");
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

/// Strings borrowed for one call: the tuple keeps them alive, and so do the lower-cased.
struct Documents {
    std::vector<Text> texts;
    std::vector<nb::object> lowered;
    bool ascii = true;

    Documents(nb::tuple strings, bool lowercase) {
        texts.reserve(strings.size());
        for (std::size_t k = 0; k < strings.size(); ++k) {
            PyObject* const string = PyTuple_GET_ITEM(strings.ptr(), static_cast<Py_ssize_t>(k));
            require(PyUnicode_Check(string), "documents must be strings");
            Text text = text_of(string);
            if (lowercase && needs_python_to_lower(text)) {
                lowered.push_back(nb::handle(string).attr("lower")());
                require(PyUnicode_Check(lowered.back().ptr()), "lower must give a string");
                text = text_of(lowered.back().ptr());
            }
            ascii &= text.ascii;
            texts.push_back(text);
        }
    }

    Cutting cutting(const CuttingSettings& settings) const {
        const bool plain = ascii && settings.analyzer == Analyzer::word;
        return {settings.analyzer,  settings.shortest,         settings.longest,
                settings.lowercase, settings.stop_words.get(), plain ? nullptr : &characters()};
    }
};

}  // namespace rosenblatt
