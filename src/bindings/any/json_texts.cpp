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
        auto [bytes, found] =
            read_whole_lines(block, length, last, [&](const char* begin, const char* end) {
                return read_json_texts(member, begin, end, lines);
            });
        return nb::make_tuple(bytes, array_of(std::move(found.begins)),
                              array_of(std::move(found.ends)), array_of(std::move(found.lines)),
                              array_of(std::move(found.data)), array_of(std::move(found.text_ends)),
                              array_of(std::move(found.doubtful)));
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
