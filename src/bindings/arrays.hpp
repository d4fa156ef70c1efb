// What the parts of the bindings share: arrays that Python passes, and those that it gets to own.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

#include "base/buffer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rosenblatt {

using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Vector = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FixedWeights = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OrderArray = nb::ndarray<std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Measures = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Int32s = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Int64s = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using UInt8s = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using UInt32s = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

template <class Value, class Array>
std::span<const Value> span_of(const Array& array) {
    return {static_cast<const Value*>(array.data()), array.size()};
}

template <class Value, class Array>
bool holds(const Array& array) {
    return array.dtype() == nb::dtype<Value>();
}

/// Calls visit(Value{}) with the type of these numbers, a float or a double.
template <class Array, class Visit>
auto with_value(const Array& values, Visit visit) {
    require(holds<float>(values) || holds<double>(values), "values must be float32 or float64");
    return holds<float>(values) ? visit(float{}) : visit(double{});
}

/// The same with the type of the index as well, which columns and indptr share.
template <class Array, class Visit>
auto with_types(const Array& values, const Array& columns, const Array& indptr, Visit visit) {
    require(columns.dtype() == indptr.dtype(), "columns and indptr must share a type");
    require(holds<std::int32_t>(columns) || holds<std::int64_t>(columns),
            "columns must be int32 or int64");
    return with_value(values, [&](auto value) {
        return holds<std::int32_t>(columns) ? visit(value, std::int32_t{})
                                            : visit(value, std::int64_t{});
    });
}

/// Keeps a value for as long as Python does.
template <class Value>
nb::capsule owner_of(std::unique_ptr<Value> value) {
    return nb::capsule(value.release(),
                       [](void* kept) noexcept { delete static_cast<Value*>(kept); });
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
    return Array<Value>(data, {size}, owner_of(std::move(owned)));
}

}  // namespace rosenblatt
