// Names shared by the parts of the bindings that deal with text, and arrays for Python to own.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "../arrays.hpp"
#include "base/buffer.hpp"
#include "guarded.hpp"
#include "text/buckets.hpp"
#include "text/lexicon.hpp"

namespace rosenblatt {

using Int32s = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Int64s = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using UInt8s = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using UInt32s = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using SharedLexicon = Guarded<Lexicon>;
using SharedNames = Guarded<BucketNames>;

/// What keeps others from choosing names that collide.
inline std::uint64_t secret() {
    thread_local std::random_device random;  // slow to begin with
    return std::uint64_t{random()} << 32 | random();
}

template <class Value>
using Array = nb::ndarray<nb::numpy, Value, nb::ndim<1>>;

template <class Value>
Array<Value> array_of(Buffer<Value>&& buffer) {
    auto owned = std::make_unique<Buffer<Value>>(std::move(buffer));
    owned->room(1);  // an array has an address, an empty one too
    owned->fit();
    const std::size_t size = owned->size();
    Value* const data = owned->data();
    const nb::capsule owner(
        owned.release(), [](void* given) noexcept { delete static_cast<Buffer<Value>*>(given); });
    return Array<Value>(data, {size}, owner);
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

}  // namespace rosenblatt
