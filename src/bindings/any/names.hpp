// Names shared by the parts of the bindings that deal with text, and rows of it for Python to own.
#pragma once

#include <random>
#include <string>
#include <string_view>

#include "../arrays.hpp"
#include "guarded.hpp"
#include "text/buckets.hpp"
#include "text/lexicon.hpp"

namespace rosenblatt {

using SharedLexicon = Guarded<Lexicon>;
using SharedNames = Guarded<BucketNames>;

/// What keeps others from choosing names that collide.
inline std::uint64_t secret() {
    thread_local std::random_device random;  // slow to begin with
    return std::uint64_t{random()} << 32 | random();
}

/// The string of some UTF-8.
inline nb::str string_of(std::string_view utf8) {
    auto string = nb::steal<nb::str>(
        PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass"));
    if (!string.is_valid()) throw nb::python_error();
    return string;
}

/// UTF-8, with some readable bytes after it.
inline std::string utf8_of(nb::handle string) {
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

/// Calls make(Value{}), a float or a double, without the interpreter's lock: indptr, columns and
/// values of the rows that it makes.
template <class Make>
nb::tuple arrays_of_rows(bool single, Make make) {
    const auto made = [&](auto value) {
        auto rows = [&] {
            nb::gil_scoped_release release;
            return make(value);
        }();
        return nb::make_tuple(array_of(std::move(rows.indptr)), array_of(std::move(rows.columns)),
                              array_of(std::move(rows.values)));
    };
    return single ? made(float{}) : made(double{});
}

}  // namespace rosenblatt
