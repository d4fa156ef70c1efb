// Reading svmlight: blocks of text in, arrays out.
#include "read/svmlight_threads.hpp"

#if defined(__unix__) || defined(__APPLE__)
#define HAS_PREAD 1
#include <unistd.h>
#endif

#include <nanobind/stl/vector.h>

#include <cerrno>
#include <string>
#include <variant>
#include <vector>

#include "../signals.hpp"
#include "blocks.hpp"
#include "names.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

/// Bytes that a thread reads before it takes the next that nobody has taken: they stay in the cache
/// until they are parsed.
constexpr std::size_t stretch = std::size_t{1} << 19;

/// Gives the memory of a buffer to a NumPy array.
template <class T>
nb::object as_array(Buffer<T>& buffer) {
    return nb::cast(array_of(std::move(buffer)));
}

/// Reads a file in blocks.
struct SvmlightReader {
    SvmlightOptions options;
    std::variant<SvmlightRows<double>, SvmlightRows<float>> rows;

    SvmlightReader(bool float32, std::int64_t base, bool zero_allowed, bool multilabel,
                   bool every_line, bool query_id, bool set_aside, std::int64_t largest_index,
                   std::size_t longest_line)
        : options{base,     zero_allowed, multilabel,    every_line,
                  query_id, set_aside,    largest_index, longest_line} {
        if (float32) rows.emplace<SvmlightRows<float>>();
    }

    /// Reads the whole lines among the first `length` bytes and returns how many bytes they take.
    /// With `last` a line without an end is whole too.
    std::size_t feed(Bytes block, std::size_t length, bool last, std::size_t threads) {
        require(threads >= 1, "threads");
        const std::size_t whole = whole_lines(block, length, last);
        const char* const text = reinterpret_cast<const char*>(block.data());
        nb::gil_scoped_release release;
        std::visit(
            [&](auto& rows) {
                if (threads == 1) return read_svmlight(text, text + whole, options, rows);
                read_svmlight(SvmlightText{{text, whole}}, stretch, threads, options, no_pause,
                              rows);
            },
            rows);
        return std::min(whole, length);
    }

#if HAS_PREAD
    /// Reads all of an open file between two places. Returns whether that was possible; if not, it
    /// is to be fed, and that tells why.
    bool read_file(int file, std::size_t begin, std::size_t end, std::size_t threads) {
        require(threads >= 1, "threads");
        require(begin <= end, "a file must end behind its beginning");
        const auto read_bytes = [&](char* memory, std::size_t from, std::size_t to) {
            while (from < to) {
                const auto place = static_cast<off_t>(begin + from);
                const ssize_t count = pread(file, memory, to - from, place);
                if (count < 0 && errno == EINTR) continue;
                if (count <= 0) return false;
                memory += count;
                from += static_cast<std::size_t>(count);
            }
            return true;
        };
        const SvmlightFile text{end - begin, options.longest_line, read_bytes};
        nb::gil_scoped_release release;
        try {
            std::visit(
                [&](auto& rows) {
                    read_svmlight(text, stretch, threads, options, look_for_signals, rows);
                },
                rows);
            return true;
        } catch (const SvmlightUnread&) {
            std::visit([]<class Rows>(Rows& rows) { rows = Rows(); }, rows);
            return false;
        }
    }
#endif

    /// So many times as many rows as were read so far are yet to come: a guess.
    void expect(double times) {
        std::visit([&](auto& rows) { rows.expect(times * double(rows.values.size())); }, rows);
    }

    /// Lines that could not be read since the last call: kind, line, column, word, whole line.
    std::vector<FaultFound> take_faults() {
        constexpr const char* kinds[] = {"label", "pair",  "order", "zero",
                                         "large", "query", "length"};
        return std::visit([&](auto& rows) { return rosenblatt::take_faults(rows.faults, kinds); },
                          rows);
    }

    /// Values, columns, indptr, labels, indptr of labels, query numbers and lines of the rows read
    /// since the last call.
    nb::tuple take_rows() {
        return std::visit(
            [](auto& rows) {
                nb::tuple taken = nb::make_tuple(
                    as_array(rows.values),
                    rows.wide ? as_array(rows.wide_columns) : as_array(rows.columns),
                    as_array(rows.indptr), as_array(rows.labels), as_array(rows.label_indptr),
                    as_array(rows.queries), as_array(rows.places));
                rows.indptr.push(0);
                rows.label_indptr.push(0);
                return taken;
            },
            rows);
    }

    std::int64_t lines() const {
        return std::visit([](const auto& rows) { return rows.lines; }, rows);
    }
    std::int64_t lowest() const {
        return std::visit([](const auto& rows) { return rows.lowest; }, rows);
    }
    std::int64_t highest() const {
        return std::visit([](const auto& rows) { return rows.highest; }, rows);
    }
};

}  // namespace

void bind_svmlight(nb::module_& m) {
    nb::class_<SvmlightReader>(m, "SvmlightReader")
        .def(
            nb::init<bool, std::int64_t, bool, bool, bool, bool, bool, std::int64_t, std::size_t>(),
            nb::kw_only(), "float32"_a, "base"_a, "zero_allowed"_a, "multilabel"_a, "every_line"_a,
            "query_id"_a, "set_aside"_a, "largest_index"_a, "longest_line"_a)
        .def("feed", &SvmlightReader::feed, "block"_a.noconvert(), "length"_a, "last"_a,
             "threads"_a)
#if HAS_PREAD
        .def("read_file", &SvmlightReader::read_file, "file"_a, "begin"_a, "end"_a, "threads"_a)
#endif
        .def("expect", &SvmlightReader::expect, "times"_a)
        .def("take_faults", &SvmlightReader::take_faults)
        .def("take_rows", &SvmlightReader::take_rows)
        .def_prop_ro("lines", &SvmlightReader::lines)
        .def_prop_ro("lowest", &SvmlightReader::lowest)
        .def_prop_ro("highest", &SvmlightReader::highest);
    m.attr("svmlight_slack") = slack + 1;
}

}  // namespace rosenblatt
