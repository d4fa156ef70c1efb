// Reading lines of text: blocks in, labels and where the documents lie out.
#include "read/lines.hpp"

#include <nanobind/stl/vector.h>

#include "blocks.hpp"
#include "names.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

struct LineReader {
    LineSplitter splitter;

    LineReader(LineStyle style, bool labelled, bool several, bool set_aside,
               std::size_t longest_line)
        : splitter(style, labelled, {longest_line, set_aside}, secret(), several) {}

    /// Reads whole lines: how many bytes they take, where documents begin and end, their lines, the
    /// numbers of their labels, and the labels that are new.
    nb::tuple feed(Bytes block, std::size_t length, bool last) {
        const std::size_t known = splitter.labels.size();
        auto [bytes, found] = read_whole_lines(
            block, length, last,
            [&](const char* begin, const char* end) { return splitter.read(begin, end); });
        nb::list labels;
        for (std::size_t k = known; k < splitter.labels.size(); ++k)
            labels.append(string_of(splitter.labels.name(k)));
        return nb::make_tuple(bytes, array_of(std::move(found.begins)),
                              array_of(std::move(found.ends)), array_of(std::move(found.lines)),
                              array_of(std::move(found.labels)), labels);
    }

    std::vector<FaultFound> take_faults() {
        constexpr const char* kinds[] = {"mark",     "several", "tab",   "empty",
                                         "spelling", "utf8",    "length"};
        return rosenblatt::take_faults(splitter.log.bad, kinds);
    }
};

}  // namespace

void bind_lines(nb::module_& m) {
    nb::enum_<LineStyle>(m, "LineStyle")
        .value("fasttext", LineStyle::fasttext)
        .value("tab", LineStyle::tab)
        .value("plain", LineStyle::plain);
    nb::class_<LineReader>(m, "LineReader")
        .def(nb::init<LineStyle, bool, bool, bool, std::size_t>(), "style"_a, nb::kw_only(),
             "labelled"_a, "several"_a = false, "set_aside"_a, "longest_line"_a)
        .def("feed", &LineReader::feed, "block"_a.noconvert(), "length"_a, "last"_a)
        .def("take_faults", &LineReader::take_faults)
        .def_prop_ro("lines", [](const LineReader& self) { return self.splitter.log.lines; });
    m.attr("block_slack") = slack + 1;
}

}  // namespace rosenblatt
