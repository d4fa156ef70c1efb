// Documents as Python holds them, and the rows they become.
#include "text.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

using Int32s = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Int64s = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using UInt32s = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The characters as the running Python knows them; made when they are first needed.
const Characters& characters() {
    static const Characters table([](std::uint32_t c) { return Py_UNICODE_ISALNUM(c) || c == '_'; },
                                  [](std::uint32_t c) { return Py_UNICODE_ISSPACE(c); },
                                  [](std::uint32_t c) { return Py_UNICODE_TOLOWER(c); });
    return table;
}

/// Whether one of these, whose lower case is not a single character of its own, is in the text.
bool needs_python_to_lower(const Text& text) {
    constexpr std::uint32_t capital_sigma = 0x3A3, dotted_capital_i = 0x130;
    bool found = false;
    if (text.width > 1)
        with_units(text, [&](auto units, std::size_t n) {
            for (std::size_t k = 0; k < n; ++k)
                found |= units[k] == capital_sigma || units[k] == dotted_capital_i;
        });
    return found;
}

Text text_of(PyObject* string) {
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

std::uint64_t secret() {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
}

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

/// Lets Ctrl-C through.
void look_for_signals() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

template <class Value>
using Array = nb::ndarray<nb::numpy, Value, nb::ndim<1>>;

template <class Value>
Array<Value> array_of(Buffer<Value>&& buffer) {
    const std::size_t size = buffer.size();
    buffer.room(1);
    Value* const data = buffer.release();
    const nb::capsule owner(data, [](void* memory) noexcept { std::free(memory); });
    return Array<Value>(data, {size}, owner);
}

template <class Value>
nb::tuple rows_of(CountedRows<Value>&& table) {
    return nb::make_tuple(array_of(std::move(table.ends)), array_of(std::move(table.columns)),
                          array_of(std::move(table.values)));
}

/// Weights of columns borrowed from an array, and the type of the values to make.
struct WeighingSettings {
    Weighing weighing;
    std::size_t columns;
    bool single;
    nb::object owner;

    void require_columns(std::size_t count) const {
        require(!weighing.idf || columns == count, "there must be a weight for each column");
    }

    /// Calls visit(Value{}), a float or a double, without the interpreter's lock.
    template <class Visit>
    nb::tuple with_value(Visit visit) const {
        const auto run = [&](auto value) {
            auto table = [&] {
                nb::gil_scoped_release release;
                return visit(value);
            }();
            return rows_of(std::move(table));
        };
        return single ? run(float{}) : run(double{});
    }
};

nb::object string_of(std::string_view utf8) {
    return nb::steal(
        PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass"));
}

nb::list names_of(const Lexicon& lexicon) {
    nb::list names;
    for (std::size_t k = 0; k < lexicon.size(); ++k) names.append(string_of(lexicon.names.name(k)));
    return names;
}

Array<std::int64_t> frequencies_of(const Lexicon& lexicon) {
    Buffer<std::int64_t> counts;
    for (std::size_t k = 0; k < lexicon.size(); ++k) counts.push(lexicon.frequencies[k].documents);
    return array_of(std::move(counts));
}

/// UTF-8, with some readable bytes after it.
std::string utf8_of(nb::handle string) {
    nb::object encoded =
        nb::steal(PyUnicode_AsEncodedString(string.ptr(), "utf-8", "surrogatepass"));
    if (!encoded.is_valid()) throw nb::python_error();
    const auto size = static_cast<std::size_t>(PyBytes_GET_SIZE(encoded.ptr()));
    std::string text(size + read_ahead, '\0');
    std::copy_n(PyBytes_AS_STRING(encoded.ptr()), size, text.data());
    text.resize(size);
    return text;
}

/// Calls visit(text) with each name.
template <class Visit>
void each_name(nb::iterable names, Visit visit) {
    for (const nb::handle name : names) {
        require(PyUnicode_Check(name.ptr()), "names must be strings");
        visit(utf8_of(name));
    }
}

/// A lexicon as it was put away: names, documents that each occurs in, documents in all.
void restore(Lexicon* self, nb::iterable names, Int64s frequencies, std::uint32_t documents) {
    new (self) Lexicon(secret());
    std::size_t column = 0;
    each_name(names, [&](const std::string& name) {
        require(column < frequencies.size() && frequencies(column) >= 0 &&
                    frequencies(column) <= documents,
                "there must be a number of documents for each name");
        self->add(name, static_cast<std::uint32_t>(frequencies(column++)));
        require(self->size() == column, "names must differ");
    });
    require(column == frequencies.size(), "there must be a name for each number of documents");
    self->documents = documents;
}

/// The names of these columns alone, in this order.
Lexicon select(const Lexicon& lexicon, UInt32s columns) {
    Lexicon selected(secret());
    for (std::size_t k = 0; k < columns.size(); ++k) {
        require(columns(k) < lexicon.size(), "there is no such column");
        selected.add(lexicon.names.name(columns(k)), lexicon.frequencies[columns(k)].documents);
    }
    selected.documents = lexicon.documents;
    return selected;
}

/// The first of the documents that is not a string, or -1.
std::int64_t first_other(nb::tuple documents) {
    for (std::size_t k = 0; k < documents.size(); ++k)
        if (!PyUnicode_Check(PyTuple_GET_ITEM(documents.ptr(), static_cast<Py_ssize_t>(k))))
            return static_cast<std::int64_t>(k);
    return -1;
}

nb::tuple grow_lexicon(nb::tuple strings, const CuttingSettings& settings, Lexicon& lexicon,
                       bool keep, bool interruptible) {
    const Documents documents(strings, settings.lowercase);
    const Cutting cutting = documents.cutting(settings);
    Columns read;
    {
        nb::gil_scoped_release release;
        read = grow(documents.texts, cutting, lexicon, keep, [&] {
            if (interruptible) look_for_signals();
        });
    }
    return nb::make_tuple(array_of(std::move(read.ends)), array_of(std::move(read.columns)));
}

nb::tuple arrange_columns(Int64s ends, UInt32s columns, Int32s renumbered, std::size_t width,
                          const WeighingSettings& settings) {
    settings.require_columns(width);
    bool sound = ends.size() > 0 && ends(0) == 0 &&
                 ends(ends.size() - 1) == static_cast<std::int64_t>(columns.size());
    for (std::size_t k = 1; k < ends.size(); ++k) sound &= ends(k - 1) <= ends(k);
    for (std::size_t k = 0; k < columns.size(); ++k) sound &= columns(k) < renumbered.size();
    for (std::size_t k = 0; k < renumbered.size(); ++k)
        sound &= renumbered(k) < static_cast<std::int64_t>(width);
    require(sound, "the columns must have new numbers below the width");
    return settings.with_value([&](auto value) {
        return arrange<decltype(value)>(span_of<std::int64_t>(ends),
                                        span_of<std::uint32_t>(columns),
                                        span_of<std::int32_t>(renumbered), settings.weighing);
    });
}

nb::tuple look_up_documents(nb::tuple strings, const CuttingSettings& settings,
                            const Lexicon& lexicon, const WeighingSettings& weighing) {
    weighing.require_columns(lexicon.size());
    const Documents documents(strings, settings.lowercase);
    const Cutting cutting = documents.cutting(settings);
    return weighing.with_value([&](auto value) {
        return look_up<decltype(value)>(documents.texts, cutting, lexicon.names, weighing.weighing,
                                        look_for_signals);
    });
}

nb::tuple hash_documents(nb::tuple strings, const CuttingSettings& settings, int bits,
                         bool alternate_sign, BucketNames* names,
                         const WeighingSettings& weighing) {
    require(bits >= 1 && bits <= 30, "bits must be 1 to 30");
    require(!names || names->last == (1u << bits) - 1, "names must have as many bits");
    weighing.require_columns(std::size_t{1} << bits);
    const Documents documents(strings, settings.lowercase);
    const Cutting cutting = documents.cutting(settings);
    return weighing.with_value([&](auto value) {
        return hash_rows<decltype(value)>(documents.texts, cutting, bits, alternate_sign, names,
                                          weighing.weighing, look_for_signals);
    });
}

template <class Value>
void weigh_rows(Int64s ends, Int32s columns,
                nb::ndarray<Value, nb::ndim<1>, nb::c_contig, nb::device::cpu> values,
                const WeighingSettings& settings) {
    bool sound = ends.size() > 0 && ends(0) == 0 && columns.size() == values.size() &&
                 ends(ends.size() - 1) == static_cast<std::int64_t>(columns.size());
    for (std::size_t k = 1; k < ends.size(); ++k) sound &= ends(k - 1) <= ends(k);
    for (std::size_t k = 0; k < columns.size(); ++k)
        sound &= columns(k) >= 0 && (!settings.weighing.idf ||
                                     static_cast<std::size_t>(columns(k)) < settings.columns);
    require(sound, "the rows must be sound");
    const auto all_columns = span_of<std::int32_t>(columns);
    const std::span<Value> all_values(values.data(), values.size());
    nb::gil_scoped_release release;
    for (std::size_t row = 0; row + 1 < ends.size(); ++row) {
        const auto begin = static_cast<std::size_t>(ends(row));
        const auto count = static_cast<std::size_t>(ends(row + 1)) - begin;
        settings.weighing.weigh(all_columns.subspan(begin, count),
                                all_values.subspan(begin, count));
    }
}

nb::list list_buckets(const BucketNames& names) {
    nb::list all;
    names.each(
        [&](std::uint32_t bucket, std::string_view name, std::uint32_t hash, std::uint32_t lead) {
            all.append(nb::make_tuple(bucket, string_of(name), hash, lead));
        });
    return all;
}

}  // namespace

void bind_text(nb::module_& m) {
    nb::enum_<Analyzer>(m, "Analyzer")
        .value("word", Analyzer::word)
        .value("char", Analyzer::char_)
        .value("char_wb", Analyzer::char_wb);
    nb::enum_<Norm>(m, "Norm")
        .value("none", Norm::none)
        .value("l1", Norm::l1)
        .value("l2", Norm::l2);
    nb::class_<Lexicon>(m, "Lexicon")
        .def("__init__", &restore, "names"_a, "frequencies"_a.noconvert(), "documents"_a)
        .def("__len__", &Lexicon::size)
        .def_ro("documents", &Lexicon::documents)
        .def("names", &names_of)
        .def("frequencies", &frequencies_of)
        .def("select", &select, "columns"_a.noconvert())
        .def("sorted", [](const Lexicon& self) {
            Buffer<std::uint32_t> order;
            for (const std::uint32_t column : self.names.sorted()) order.push(column);
            return array_of(std::move(order));
        });
    nb::class_<BucketNames>(m, "BucketNames")
        .def(
            "__init__",
            [](BucketNames* self, int bits) {
                require(bits >= 1 && bits <= 30, "bits must be 1 to 30");
                new (self) BucketNames(bits);
            },
            "bits"_a)
        .def("list", &list_buckets)
        .def(
            "give",
            [](BucketNames& self, std::uint32_t bucket, nb::str name, std::uint32_t hash,
               std::uint32_t lead) {
                require(bucket <= self.last, "there is no such bucket");
                self.give(bucket, utf8_of(name), hash, lead);
            },
            "bucket"_a, "name"_a, "hash"_a, "lead"_a);
    nb::class_<CuttingSettings>(m, "Cutting")
        .def(
            "__init__",
            [](CuttingSettings* self, Analyzer analyzer, std::size_t shortest, std::size_t longest,
               bool lowercase, std::optional<nb::iterable> stop_words) {
                require(1 <= shortest && shortest <= longest, "grams must have a length");
                auto stops = stop_words ? std::make_unique<Vocabulary>(secret()) : nullptr;
                if (stops)
                    each_name(*stop_words, [&](const std::string& name) {
                        stops->add(name.data(), name.size());
                    });
                new (self)
                    CuttingSettings{analyzer, shortest, longest, lowercase, std::move(stops)};
            },
            "analyzer"_a, "shortest"_a, "longest"_a, "lowercase"_a, "stop_words"_a.none());
    nb::class_<WeighingSettings>(m, "Weighing")
        .def(
            "__init__",
            [](WeighingSettings* self, bool binary, bool sublinear_tf, std::optional<Doubles> idf,
               Norm norm, bool single) {
                new (self)
                    WeighingSettings{{binary, sublinear_tf, idf ? idf->data() : nullptr, norm},
                                     idf ? idf->size() : 0,
                                     single,
                                     nb::cast(idf)};
            },
            "binary"_a, "sublinear_tf"_a, "idf"_a.noconvert().none(), "norm"_a, "single"_a);
    m.def("first_other", &first_other, "documents"_a);
    m.def("grow", &grow_lexicon, "documents"_a, "cutting"_a, "lexicon"_a, "keep"_a,
          "interruptible"_a);
    m.def("arrange", &arrange_columns, "ends"_a.noconvert(), "columns"_a.noconvert(),
          "renumbered"_a.noconvert(), "width"_a, "weighing"_a);
    m.def("look_up", &look_up_documents, "documents"_a, "cutting"_a, "lexicon"_a, "weighing"_a);
    m.def("hash_rows", &hash_documents, "documents"_a, "cutting"_a, "bits"_a, "alternate_sign"_a,
          "names"_a.none(), "weighing"_a);
    m.def("weigh", &weigh_rows<double>, "ends"_a.noconvert(), "columns"_a.noconvert(),
          "values"_a.noconvert(), "weighing"_a);
    m.def("weigh", &weigh_rows<float>, "ends"_a.noconvert(), "columns"_a.noconvert(),
          "values"_a.noconvert(), "weighing"_a);
}

}  // namespace rosenblatt
