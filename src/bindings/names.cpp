// The names of columns, as Python keeps them.
#include "names.hpp"

#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <string_view>

#include "parts.hpp"

namespace rosenblatt {

namespace {

nb::object string_of(std::string_view utf8) {
    return nb::steal(
        PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass"));
}

nb::list names_of(const SharedLexicon& shared) {
    const auto lock = shared.reading();
    const Lexicon& lexicon = shared.value;
    nb::list names;
    for (std::size_t k = 0; k < lexicon.size(); ++k) names.append(string_of(lexicon.names.name(k)));
    return names;
}

Array<std::int64_t> frequencies_of(const SharedLexicon& shared) {
    const auto lock = shared.reading();
    const Lexicon& lexicon = shared.value;
    Buffer<std::int64_t> counts;
    for (std::size_t k = 0; k < lexicon.size(); ++k) counts.push(lexicon.frequencies[k].documents);
    return array_of(std::move(counts));
}

/// A lexicon as it was put away: names, documents that each occurs in, documents in all.
void restore(SharedLexicon* self, nb::iterable names, Int64s frequencies, std::uint32_t documents) {
    new (self) SharedLexicon(secret());
    Lexicon& lexicon = self->value;
    std::size_t column = 0;
    each_name(names, [&](const std::string& name) {
        require(column < frequencies.size() && frequencies(column) >= 0 &&
                    frequencies(column) <= documents,
                "there must be a number of documents for each name");
        lexicon.add(name, static_cast<std::uint32_t>(frequencies(column++)));
        require(lexicon.size() == column, "names must differ");
    });
    require(column == frequencies.size(), "there must be a name for each number of documents");
    lexicon.documents = documents;
}

/// The names of these columns alone, in this order.
std::unique_ptr<SharedLexicon> select(const SharedLexicon& shared, UInt32s columns) {
    const auto lock = shared.reading();
    const Lexicon& lexicon = shared.value;
    auto selected = std::make_unique<SharedLexicon>(secret());
    for (std::size_t k = 0; k < columns.size(); ++k) {
        require(columns(k) < lexicon.size(), "there is no such column");
        selected->value.add(lexicon.names.name(columns(k)),
                            lexicon.frequencies[columns(k)].documents);
    }
    selected->value.documents = lexicon.documents;
    return selected;
}

Array<std::uint32_t> sorted(const SharedLexicon& shared) {
    const auto lock = shared.reading();
    Buffer<std::uint32_t> order;
    for (const std::uint32_t column : shared.value.names.sorted()) order.push(column);
    return array_of(std::move(order));
}

nb::list list_buckets(const SharedNames& shared) {
    const auto lock = shared.reading();
    nb::list all;
    shared.value.each(
        [&](std::uint32_t bucket, std::string_view name, std::uint32_t hash, std::uint32_t lead) {
            all.append(nb::make_tuple(bucket, string_of(name), hash, lead));
        });
    return all;
}

}  // namespace

void bind_names(nb::module_& m) {
    nb::class_<SharedLexicon>(m, "Lexicon")
        .def("__init__", &restore, "names"_a, "frequencies"_a.noconvert(), "documents"_a)
        .def("__len__",
             [](const SharedLexicon& self) {
                 const auto lock = self.reading();
                 return self.value.size();
             })
        .def_prop_ro("documents",
                     [](const SharedLexicon& self) {
                         const auto lock = self.reading();
                         return self.value.documents;
                     })
        .def("names", &names_of)
        .def("frequencies", &frequencies_of)
        .def("select", &select, "columns"_a.noconvert())
        .def("sorted", &sorted);
    nb::class_<SharedNames>(m, "BucketNames")
        .def(
            "__init__",
            [](SharedNames* self, int bits) {
                require(bits >= 1 && bits <= 30, "bits must be 1 to 30");
                new (self) SharedNames(bits);
            },
            "bits"_a)
        .def("list", &list_buckets)
        .def(
            "give",
            [](SharedNames& self, std::uint32_t bucket, nb::str name, std::uint32_t hash,
               std::uint32_t lead) {
                const std::string text = utf8_of(name);
                const auto lock = self.writing();
                require(bucket <= self.value.last, "there is no such bucket");
                self.value.give(bucket, text, hash, lead);
            },
            "bucket"_a, "name"_a, "hash"_a, "lead"_a);
}

}  // namespace rosenblatt
