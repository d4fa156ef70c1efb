// Reading Vowpal Wabbit's lines: blocks in, examples of named values out.
#include "read/vw.hpp"

#include <nanobind/stl/vector.h>

#include "blocks.hpp"
#include "names.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

struct VwReader {
    VwLines lines;

    VwReader(std::optional<bool> labelled, bool set_aside, std::size_t longest_line)
        : lines({longest_line, set_aside}, !labelled   ? VwLines::Labels::unknown
                                           : *labelled ? VwLines::Labels::present
                                                       : VwLines::Labels::absent) {}

    /// Reads whole lines: how many bytes they take, names and their ends, values, indptr of the
    /// examples, their labels, importances and lines.
    nb::tuple feed(Bytes block, std::size_t length, bool last) {
        auto [bytes, found] = read_whole_lines(
            block, length, last,
            [&](const char* begin, const char* end) { return lines.read(begin, end); });
        return nb::make_tuple(bytes, array_of(std::move(found.names)),
                              array_of(std::move(found.ends)), array_of(std::move(found.values)),
                              array_of(std::move(found.indptr)), array_of(std::move(found.labels)),
                              array_of(std::move(found.importances)),
                              array_of(std::move(found.lines)));
    }

    std::vector<FaultFound> take_faults() {
        constexpr const char* kinds[] = {"bar",    "label",   "missing", "importance", "base",
                                         "weight", "feature", "utf8",    "length"};
        return rosenblatt::take_faults(lines.log.bad, kinds);
    }
};

}  // namespace

void bind_vw(nb::module_& m) {
    nb::class_<VwReader>(m, "VwReader")
        .def(nb::init<std::optional<bool>, bool, std::size_t>(), "labelled"_a.none(), nb::kw_only(),
             "set_aside"_a, "longest_line"_a)
        .def("feed", &VwReader::feed, "block"_a.noconvert(), "length"_a, "last"_a)
        .def("take_faults", &VwReader::take_faults)
        .def_prop_ro("lines", [](const VwReader& self) { return self.lines.log.lines; })
        .def_prop_ro("labelled", [](const VwReader& self) {
            return self.lines.labels == VwLines::Labels::present;
        });
}

}  // namespace rosenblatt
