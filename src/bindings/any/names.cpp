// The names of columns, as Python keeps them.
#include "names.hpp"

#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include "parts.hpp"
#include "read/labels.hpp"
#include "text/utf8.hpp"

namespace rosenblatt {

namespace {

/// Names one behind the other, and where each ends.
struct Spelled {
    Buffer<std::uint8_t> bytes;
    Buffer<std::int64_t> ends;

    void add(std::string_view name) {
        bytes.append({reinterpret_cast<const std::uint8_t*>(name.data()), name.size()});
        ends.push(static_cast<std::int64_t>(bytes.size()));
    }
};

/// Calls visit(k, name) with names that were spelled; some bytes after each can be read. They come
/// from files, so nothing about them is taken for granted.
template <class Visit>
void each_spelled(UInt8s bytes, Int64s ends, Visit visit) {
    const std::int64_t size = static_cast<std::int64_t>(bytes.size());
    std::int64_t begin = 0;
    bool sound = ends.size() ? ends(ends.size() - 1) == size : size == 0;
    for (std::size_t k = 0; sound && k < ends.size(); begin = ends(k++))
        sound = begin <= ends(k) && ends(k) <= size;
    require(sound, "The names of the columns must end in rising order where their bytes do.");
    Buffer<char> copy;
    copy.resize(bytes.size() + read_ahead);
    if (bytes.size()) std::memcpy(copy.data(), bytes.data(), bytes.size());
    std::memset(copy.data() + bytes.size(), 0, read_ahead);
    begin = 0;
    for (std::size_t k = 0; k < ends.size(); begin = ends(k++)) {
        const std::string_view name(copy.data() + begin, static_cast<std::size_t>(ends(k) - begin));
        require(is_utf8(name.data(), name.size(), true), "The names of the columns must be UTF-8.");
        visit(k, name);
    }
}

nb::list names_of(const SharedLexicon& shared) {
    const auto lexicon = shared.reading();
    nb::list names;
    for (std::size_t k = 0; k < lexicon->size(); ++k)
        names.append(string_of(lexicon->names.name(k)));
    return names;
}

nb::str name_of(const SharedLexicon& shared, std::size_t column) {
    const auto lexicon = shared.reading();
    require(column < lexicon->size(), "There is no such column.");
    return string_of(lexicon->names.name(column));
}

nb::tuple spell(const SharedLexicon& shared) {
    const auto lexicon = shared.reading();
    Spelled spelled;
    for (std::size_t k = 0; k < lexicon->size(); ++k) spelled.add(lexicon->names.name(k));
    return nb::make_tuple(array_of(std::move(spelled.bytes)), array_of(std::move(spelled.ends)));
}

Array<std::int64_t> frequencies_of(const SharedLexicon& shared) {
    const auto lexicon = shared.reading();
    Buffer<std::int64_t> counts;
    for (std::size_t k = 0; k < lexicon->size(); ++k)
        counts.push(lexicon->frequencies[k].documents);
    return array_of(std::move(counts));
}

/// A lexicon as it was put away: names, documents that each occurs in, documents in all.
void restore(SharedLexicon* self, UInt8s bytes, Int64s ends, Int64s frequencies,
             std::uint32_t documents) {
    require(ends.size() == frequencies.size(),
            "There must be a number of documents for each name of a column.");
    auto lexicon = std::make_unique<Lexicon>(secret(), ends.size());
    each_spelled(bytes, ends, [&](std::size_t k, std::string_view name) {
        require(frequencies(k) >= 0 && frequencies(k) <= documents,
                "A column can't be in fewer than no documents or in more than there are.");
        lexicon->add(name, static_cast<std::uint32_t>(frequencies(k)));
        require(lexicon->size() == k + 1, "The names of the columns must differ.");
    });
    lexicon->documents = documents;
    new (self) SharedLexicon(std::move(*lexicon));
}

/// The names of these columns alone, in this order.
std::unique_ptr<SharedLexicon> select(const SharedLexicon& shared, UInt32s columns) {
    const auto lexicon = shared.reading();
    const auto chosen = span_of<std::uint32_t>(columns);
    nb::gil_scoped_release release;
    require(std::ranges::all_of(chosen, [&](auto column) { return column < lexicon->size(); }),
            "there is no such column");
    return std::make_unique<SharedLexicon>(lexicon->select(chosen));
}

Array<std::uint32_t> sorted(const SharedLexicon& shared) {
    const auto lexicon = shared.reading();
    Buffer<std::uint32_t> order;
    {
        nb::gil_scoped_release release;
        for (const std::uint32_t column : lexicon->names.sorted()) order.push(column);
    }
    return array_of(std::move(order));
}

nb::str bucket_name(const SharedNames& shared, std::size_t bucket) {
    const auto names = shared.reading();
    require(bucket <= names->last, "There is no such column.");
    return string_of(names->name(bucket));
}

/// The buckets that saw a name, what they are called, and the votes for it.
nb::tuple spell_buckets(const SharedNames& shared) {
    const auto names = shared.reading();
    Spelled spelled;
    Buffer<std::uint32_t> buckets, hashes, leads;
    names->each(
        [&](std::uint32_t bucket, std::string_view name, std::uint32_t hash, std::uint32_t lead) {
            buckets.push(bucket);
            spelled.add(name);
            hashes.push(hash);
            leads.push(lead);
        });
    return nb::make_tuple(array_of(std::move(spelled.bytes)), array_of(std::move(spelled.ends)),
                          array_of(std::move(buckets)), array_of(std::move(hashes)),
                          array_of(std::move(leads)));
}

void restore_buckets(SharedNames* self, int bits, UInt8s bytes, Int64s ends, UInt32s buckets,
                     UInt32s hashes, UInt32s leads) {
    require(bits >= 1 && bits <= 30, "bits must be 1 to 30");
    require(ends.size() == buckets.size() && ends.size() == hashes.size() &&
                ends.size() == leads.size(),
            "There must be a column, a hash and a lead for each name.");
    auto names = std::make_unique<BucketNames>(bits);
    each_spelled(bytes, ends, [&](std::size_t k, std::string_view name) {
        require(buckets(k) <= names->last && (k == 0 || buckets(k - 1) < buckets(k)),
                "The columns that have names must rise and lie below 2 ** n_hash_bits.");
        require(1 <= name.size() && name.size() <= BucketNames::longest_name,
                "The name of a hashed column must have 1 to 128 bytes.");
        names->give(buckets(k), name, hashes(k), leads(k));
    });
    new (self) SharedNames(std::move(*names));
}

using StringArray = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

FixedLabels labels_of(const StringArray& strings) {
    return {strings.data(), strings.shape(0), strings.shape(1)};
}

Array<std::int64_t> first_labels(StringArray labels) {
    return array_of(first_of_each(labels_of(labels), secret()));
}

Array<std::int32_t> label_places(StringArray labels, StringArray classes) {
    require(labels.shape(1) == classes.shape(1), "labels and classes must be of the same size");
    return array_of(places_among(labels_of(labels), labels_of(classes), secret()));
}

}  // namespace

void bind_names(nb::module_& m) {
    nb::class_<SharedLexicon>(m, "Lexicon")
        .def("__init__", &restore, "bytes"_a.noconvert(), "ends"_a.noconvert(),
             "frequencies"_a.noconvert(), "documents"_a)
        .def("__len__", [](const SharedLexicon& self) { return self.reading()->size(); })
        .def_prop_ro("documents",
                     [](const SharedLexicon& self) { return self.reading()->documents; })
        .def_prop_ro("version", &SharedLexicon::version)
        .def("snapshot", &SharedLexicon::snapshot)
        .def("names", &names_of)
        .def("name", &name_of, "column"_a)
        .def("spell", &spell)
        .def("frequencies", &frequencies_of)
        .def("select", &select, "columns"_a.noconvert())
        .def("sorted", &sorted);
    nb::class_<SharedNames>(m, "BucketNames")
        .def("__init__", &restore_buckets, "bits"_a, "bytes"_a.noconvert(), "ends"_a.noconvert(),
             "buckets"_a.noconvert(), "hashes"_a.noconvert(), "leads"_a.noconvert())
        .def("snapshot", &SharedNames::snapshot)
        .def("name", &bucket_name, "bucket"_a)
        .def("spell", &spell_buckets);
    m.def("first_of_each", &first_labels, "labels"_a.noconvert());
    m.def("places_among", &label_places, "labels"_a.noconvert(), "classes"_a.noconvert());
}

}  // namespace rosenblatt
