// What the parts of the bindings share: the types of arrays that Python passes.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <span>
#include <stdexcept>

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

}  // namespace rosenblatt
