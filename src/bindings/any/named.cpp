// Examples of named values: dicts of Python or those of a file, to rows.
#include "text/named.hpp"

#include <cmath>

#include "names.hpp"
#include "parts.hpp"
#include "text/utf8.hpp"

namespace rosenblatt {

namespace {

/// Names and values borrowed from arrays, checked once; the arrays are kept alive.
struct Bags {
    UInt8s data;
    Int64s begins, ends;
    Doubles values;
    Int64s indptr;

    Bags(UInt8s data, Int64s begins, Int64s ends, Doubles values, Int64s indptr)
        : data(data), begins(begins), ends(ends), values(values), indptr(indptr) {
        const auto size = static_cast<std::int64_t>(data.size());
        const auto count = static_cast<std::int64_t>(values.size());
        bool sound = begins.size() == values.size() && ends.size() == values.size();
        for (std::size_t k = 0; sound && k < begins.size(); ++k)
            sound = 0 <= begins(k) && begins(k) <= ends(k) && ends(k) <= size;
        require(sound, "Each value must have a name within the data.");
        sound = indptr.size() > 0 && indptr(0) >= 0 && indptr(indptr.size() - 1) <= count;
        for (std::size_t k = 1; sound && k < indptr.size(); ++k) sound = indptr(k - 1) <= indptr(k);
        require(sound, "The indptr of the examples must rise, from 0 to the number of values.");
        const char* const bytes = reinterpret_cast<const char*>(data.data());
        if (!is_ascii(bytes, data.size()))
            for (std::size_t k = 0; sound && k < begins.size(); ++k)
                sound =
                    is_utf8(bytes + begins(k), static_cast<std::size_t>(ends(k) - begins(k)), true);
        require(sound, "The names of values must be UTF-8.");
    }

    std::size_t count() const { return indptr.size() - 1; }
    NamedValues view() const {
        return {{reinterpret_cast<const char*>(data.data()), data.size()},
                span_of<std::int64_t>(begins),
                span_of<std::int64_t>(ends),
                span_of<double>(values),
                span_of<std::int64_t>(indptr)};
    }
};

Array<std::uint32_t> grow_lexicon(const Bags& bags, SharedLexicon& shared) {
    const SharedLexicon::Writing lexicon(shared);
    return array_of([&] {
        nb::gil_scoped_release release;
        return grow_names(bags.view(), lexicon.value());
    }());
}

Array<std::uint32_t> find_columns(const Bags& bags, const SharedLexicon& shared) {
    const auto lexicon = shared.reading();
    return array_of([&] {
        nb::gil_scoped_release release;
        return find_names(bags.view(), lexicon->names);
    }());
}

nb::tuple rows_of_bags(const Bags& bags, UInt32s columns, std::optional<Int32s> renumbered,
                       std::size_t width, bool single) {
    bool sound = columns.size() == bags.values.size();
    const std::size_t highest = renumbered ? renumbered->size() : width;
    for (std::size_t k = 0; sound && k < columns.size(); ++k)
        sound = columns(k) < highest || columns(k) == Vocabulary::none;
    for (std::size_t k = 0; renumbered && sound && k < renumbered->size(); ++k)
        sound = (*renumbered)(k) >= 0 && static_cast<std::size_t>((*renumbered)(k)) < width;
    require(sound, "the columns must lie below the width");
    return arrays_of_rows(single, [&](auto value) {
        return named_rows<decltype(value)>(
            span_of<std::int64_t>(bags.indptr), span_of<std::uint32_t>(columns),
            span_of<double>(bags.values), renumbered ? renumbered->data() : nullptr, width);
    });
}

/// Names and values of dicts, one behind the other.
struct Dicts {
    Buffer<std::uint8_t> names;
    Buffer<std::int64_t> ends, indptr;
    Buffer<double> values;

    void add(std::string_view text) {
        names.append({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
    void end(double value) {
        ends.push(static_cast<std::int64_t>(names.size()));
        values.push(value);
    }
};

/// Reads dicts of names to numbers or to strings, which then end the name. Says which row, name and
/// value cannot be read, if any.
nb::tuple read_dicts(nb::tuple rows, nb::str separator) {
    const std::string between = utf8_of(separator);
    Dicts read;
    read.indptr.push(0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        PyObject* const dict = PyTuple_GET_ITEM(rows.ptr(), static_cast<Py_ssize_t>(row));
        if (!PyDict_Check(dict)) return nb::make_tuple(row, nb::none(), nb::borrow(dict));
        PyObject *key, *value;
        Py_ssize_t at = 0;
        const Py_ssize_t size = PyDict_Size(dict);
        while (PyDict_Next(dict, &at, &key, &value)) {
            // A number may be the caller's own class, whose code may clear the dict.
            const nb::object held_key = nb::borrow(key), held_value = nb::borrow(value);
            const auto refused = [&] {
                PyErr_Clear();
                return nb::make_tuple(row, nb::borrow(key), nb::borrow(value));
            };
            if (!PyUnicode_Check(key)) return refused();
            read.add(utf8_of(key));
            if (PyUnicode_Check(value)) {
                read.add(between);
                read.add(utf8_of(value));
                read.end(1.0);
                continue;
            }
            const double number = PyFloat_AsDouble(value);
            if (PyDict_Size(dict) != size) {
                PyErr_Clear();
                require(false, "An example must not change while it is read.");
            }
            if (PyErr_Occurred() || !std::isfinite(number)) return refused();
            read.end(number);
        }
        read.indptr.push(static_cast<std::int64_t>(read.values.size()));
    }
    return nb::make_tuple(array_of(std::move(read.names)), array_of(std::move(read.ends)),
                          array_of(std::move(read.values)), array_of(std::move(read.indptr)));
}

}  // namespace

void bind_named(nb::module_& m) {
    nb::class_<Bags>(m, "Bags")
        .def(nb::init<UInt8s, Int64s, Int64s, Doubles, Int64s>(), "data"_a.noconvert(),
             "begins"_a.noconvert(), "ends"_a.noconvert(), "values"_a.noconvert(),
             "indptr"_a.noconvert())
        .def("__len__", &Bags::count);
    m.def("grow_names", &grow_lexicon, "bags"_a, "lexicon"_a);
    m.def("find_names", &find_columns, "bags"_a, "lexicon"_a);
    m.def("named_rows", &rows_of_bags, "bags"_a, "columns"_a.noconvert(),
          "renumbered"_a.noconvert().none(), "width"_a, "single"_a);
    m.def("read_dicts", &read_dicts, "rows"_a, "separator"_a);
}

}  // namespace rosenblatt
