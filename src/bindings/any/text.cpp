// Documents to rows.
#include "../signals.hpp"
#include "documents.hpp"
#include "names.hpp"
#include "parts.hpp"
#include "text/text_threads.hpp"

namespace rosenblatt {

namespace {

/// Weights of columns borrowed from an array, and the type of the values to make.
struct WeighingSettings {
    Weighing weighing;
    std::size_t columns;
    bool single;
    nb::object owner;

    void require_columns(std::size_t count) const {
        require(!weighing.idf || columns == count, "there must be a weight for each column");
    }
};

std::size_t require_threads(std::size_t threads, std::size_t documents) {
    require(1 <= threads && threads <= 1024, "threads must be 1 to 1024");
    return std::min(threads, std::max<std::size_t>(1, documents));
}

/// The first of the documents that is not a string, or -1.
std::int64_t first_other(nb::tuple documents) {
    for (std::size_t k = 0; k < documents.size(); ++k)
        if (!PyUnicode_Check(PyTuple_GET_ITEM(documents.ptr(), static_cast<Py_ssize_t>(k))))
            return static_cast<std::int64_t>(k);
    return -1;
}

nb::tuple grow_lexicon(const AnyDocuments& given, const CuttingSettings& settings,
                       SharedLexicon& shared, bool keep, bool interruptible, std::size_t threads) {
    const Documents documents(given, settings);
    const Cutting cutting = documents.cutting(settings);
    threads = require_threads(threads, documents.texts.size());
    Columns read;
    const SharedLexicon::Writing lexicon(shared);
    {
        nb::gil_scoped_release release;
        read = grow(documents.texts, cutting, lexicon.value(), keep, threads, [&] {
            if (interruptible) look_for_signals();
        });
    }
    return nb::make_tuple(array_of(std::move(read.indptr)), array_of(std::move(read.columns)));
}

/// Whether these cut so many values into rows.
bool is_indptr(Int64s indptr, std::size_t values) {
    bool sound = indptr.size() > 0 && indptr(0) == 0 &&
                 indptr(indptr.size() - 1) == static_cast<std::int64_t>(values);
    for (std::size_t k = 1; k < indptr.size(); ++k) sound &= indptr(k - 1) <= indptr(k);
    return sound;
}

nb::tuple arrange_columns(Int64s indptr, UInt32s columns, Int32s renumbered, std::size_t width,
                          const WeighingSettings& settings, std::size_t threads) {
    settings.require_columns(width);
    bool sound = is_indptr(indptr, columns.size());
    std::uint32_t outside = 0;  // no early end, as vector code likes it
    const auto known = static_cast<std::uint32_t>(renumbered.size());
    for (const std::uint32_t column : span_of<std::uint32_t>(columns)) outside |= column >= known;
    for (std::size_t k = 0; k < renumbered.size(); ++k)
        sound &= renumbered(k) < static_cast<std::int64_t>(width);
    require(sound && !outside, "the columns must have new numbers below the width");
    threads = require_threads(threads, indptr.size() - 1);
    return arrays_of_rows(settings.single, [&](auto value) {
        return arrange<decltype(value)>(
            span_of<std::int64_t>(indptr), span_of<std::uint32_t>(columns),
            span_of<std::int32_t>(renumbered), settings.weighing, threads);
    });
}

nb::tuple look_up_documents(const AnyDocuments& given, const CuttingSettings& settings,
                            const SharedLexicon& shared, const WeighingSettings& weighing,
                            std::size_t threads) {
    const auto lexicon = shared.reading();
    weighing.require_columns(lexicon->size());
    const Documents documents(given, settings);
    const Cutting cutting = documents.cutting(settings);
    threads = require_threads(threads, documents.texts.size());
    return arrays_of_rows(weighing.single, [&](auto value) {
        return look_up<decltype(value)>(documents.texts, cutting, lexicon->names, weighing.weighing,
                                        threads, look_for_signals);
    });
}

nb::tuple hash_documents(const AnyDocuments& given, const CuttingSettings& settings, int bits,
                         bool alternate_sign, SharedNames* shared, const WeighingSettings& weighing,
                         std::size_t threads) {
    require(bits >= 1 && bits <= 30, "bits must be 1 to 30");
    weighing.require_columns(std::size_t{1} << bits);
    const Documents documents(given, settings);
    const Cutting cutting = documents.cutting(settings);
    threads = require_threads(threads, documents.texts.size());
    std::optional<SharedNames::Writing> writing;
    if (shared) writing.emplace(*shared);
    BucketNames* const names = writing ? &writing->value() : nullptr;
    require(!names || names->last == (1u << bits) - 1, "names must have as many bits");
    return arrays_of_rows(weighing.single, [&](auto value) {
        return hash_rows<decltype(value)>(documents.texts, cutting, bits, alternate_sign, names,
                                          weighing.weighing, threads, look_for_signals);
    });
}

/// Adds how often each column is named.
void count_columns(Int32s columns,
                   nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> counts) {
    std::int64_t* const of = counts.data();
    const std::size_t size = counts.size();
    for (const std::int32_t column : span_of<std::int32_t>(columns)) {
        require(static_cast<std::uint32_t>(column) < size, "each column must have a count");
        ++of[column];
    }
}

template <class Value>
void weigh_rows(Int64s indptr, Int32s columns,
                nb::ndarray<Value, nb::ndim<1>, nb::c_contig, nb::device::cpu> values,
                const WeighingSettings& settings) {
    bool sound = is_indptr(indptr, columns.size()) && columns.size() == values.size();
    const auto all_columns = span_of<std::int32_t>(columns);
    std::uint32_t last = 0;
    for (const std::int32_t column : all_columns)
        last = std::max(last, static_cast<std::uint32_t>(column));
    sound &= last < (settings.weighing.idf ? settings.columns : std::size_t{1} << 31);
    require(sound, "the rows must be sound");
    const std::span<Value> all_values(values.data(), values.size());
    nb::gil_scoped_release release;
    for (std::size_t row = 0; row + 1 < indptr.size(); ++row) {
        const auto begin = static_cast<std::size_t>(indptr(row));
        const auto count = static_cast<std::size_t>(indptr(row + 1)) - begin;
        settings.weighing.weigh(all_columns.subspan(begin, count),
                                all_values.subspan(begin, count));
    }
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
    nb::class_<Pieces>(m, "Pieces")
        .def(nb::init<UInt8s, Int64s, Int64s>(), "data"_a.noconvert(), "begins"_a.noconvert(),
             "ends"_a.noconvert())
        .def("__len__", &Pieces::count);
    nb::class_<Tokens>(m, "Tokens")
        .def(nb::init<>())
        .def("add", &Tokens::add, "tokens"_a)
        .def("__len__", &Tokens::count);
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
          "interruptible"_a, "threads"_a);
    m.def("arrange", &arrange_columns, "ends"_a.noconvert(), "columns"_a.noconvert(),
          "renumbered"_a.noconvert(), "width"_a, "weighing"_a, "threads"_a);
    m.def("look_up", &look_up_documents, "documents"_a, "cutting"_a, "lexicon"_a, "weighing"_a,
          "threads"_a);
    m.def("hash_rows", &hash_documents, "documents"_a, "cutting"_a, "bits"_a, "alternate_sign"_a,
          "names"_a.none(), "weighing"_a, "threads"_a);
    m.def("count_columns", &count_columns, "columns"_a.noconvert(), "counts"_a.noconvert());
    m.def("weigh", &weigh_rows<double>, "ends"_a.noconvert(), "columns"_a.noconvert(),
          "values"_a.noconvert(), "weighing"_a);
    m.def("weigh", &weigh_rows<float>, "ends"_a.noconvert(), "columns"_a.noconvert(),
          "values"_a.noconvert(), "weighing"_a);
}

}  // namespace rosenblatt
