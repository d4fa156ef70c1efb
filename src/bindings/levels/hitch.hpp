// Why an example was not taken at once.
#pragma once

#include "../arrays.hpp"

namespace rosenblatt {

/// Nothing has been done: Python overcomes the hitch and tries again, or puts it in words.
enum class Hitch {
    form,
    key,
    number,
    column,
    length,
    sizes,
    presence,
    absence,
    importance,
    label,
    room,
    mistakes,
    overflow,
    rule,
    replaced
};

/// What a call returns that met a hitch, and nothing else does.
struct Hitched {
    nb::tuple why;  // the kind of hitch, and what it is about
};

inline void bind_hitches(nb::module_& m) {
    nb::class_<Hitched>(m, "Hitched").def_ro("why", &Hitched::why);
    nb::enum_<Hitch>(m, "Hitch")
        .value("form", Hitch::form, "Not a form of examples that the core reads.")
        .value("key", Hitch::key, "A name, where columns have numbers: which.")
        .value("number", Hitch::number, "NaN, infinite or too large: name or column, and value.")
        .value("column", Hitch::column, "There can be no such column: its number.")
        .value("length", Hitch::length, "A row longer or shorter than the others: how long.")
        .value("sizes", Hitch::sizes, "Not as many columns as values: both numbers.")
        .value("presence", Hitch::presence, "Neither 0 nor 1: name or column, and value.")
        .value("absence", Hitch::absence, "What is left out would be 1: above what number.")
        .value("importance", Hitch::importance, "Not a finite number of zero or more.")
        .value("label", Hitch::label, "A label that is new.")
        .value("room", Hitch::room, "Too few rows of weights: how many features there will be.")
        .value("mistakes", Hitch::mistakes, "No room to list a step: how many values its row has.")
        .value("overflow", Hitch::overflow, "The weights would grow too large.")
        .value("rule", Hitch::rule, "Held ready only to score.")
        .value("replaced", Hitch::replaced, "What was held ready is not the model any more.");
}

}  // namespace rosenblatt
