// Reading texts from lines of JSON: blocks in, texts and where their lines lie out.
#include "read/json_texts.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "blocks.hpp"
#include "names.hpp"
#include "parts.hpp"

namespace rosenblatt {

namespace {

struct JsonTextReader {
    JsonMember member;
    std::int64_t lines = 0;

    explicit JsonTextReader(const std::string& member) : member(member) {}

    /// Reads whole lines: how many bytes they take; of each that is not blank where it begins and
    /// ends, and its number; all texts, where each ends, and which lines are doubtful.
    nb::tuple feed(Bytes block, std::size_t length, bool last) {
        const std::size_t whole = whole_lines(block, length, last);
        JsonTexts read = [&] {
            nb::gil_scoped_release release;
            const char* const text = reinterpret_cast<const char*>(block.data());
            return read_json_texts(member, text, text + whole, lines);
        }();
        return nb::make_tuple(std::min(whole, length), array_of(std::move(read.begins)),
                              array_of(std::move(read.ends)), array_of(std::move(read.lines)),
                              array_of(std::move(read.data)), array_of(std::move(read.text_ends)),
                              array_of(std::move(read.doubtful)));
    }
};

}  // namespace

void bind_json_texts(nb::module_& m) {
    nb::class_<JsonTextReader>(m, "JsonTextReader")
        .def(nb::init<std::string>(), "member"_a)
        .def("feed", &JsonTextReader::feed, "block"_a.noconvert(), "length"_a, "last"_a)
        .def("take_faults", [](JsonTextReader&) { return std::vector<FaultFound>(); })
        .def_ro("lines", &JsonTextReader::lines);
}

}  // namespace rosenblatt
