// What Python objects lend without running code of their own: numbers, and arrays of one dimension.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

namespace rosenblatt {

/// Whether the object is a float, an int, a bool or of a type derived from them.
inline bool read_number(PyObject* object, double& number) {
    if (PyFloat_Check(object)) {
        number = PyFloat_AS_DOUBLE(object);
        return true;
    }
    if (!PyLong_Check(object)) return false;
    number = PyLong_AsDouble(object);
    if (number == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        number = std::numeric_limits<double>::infinity();
    }
    return true;
}

/// A type of numbers in a buffer, and its code in Python's struct module.
template <class Number, char Code>
struct Coded {};

using Floats = std::tuple<Coded<double, 'd'>, Coded<float, 'f'>>;
using Integers = std::tuple<Coded<std::int32_t, 'i'>, Coded<long, 'l'>, Coded<long long, 'q'>>;

/// Copies an array of one dimension, values side by side and of one of the types, if it is one. The
/// numbers of a derived type of arrays may not be all that it means, as where some are masked.
template <class To, class... Types>
bool read_array(PyObject* object, std::tuple<Types...>, std::vector<To>& numbers) {
    Py_buffer lent;
    if (!PyObject_CheckBuffer(object) || Py_TYPE(object)->tp_base != &PyBaseObject_Type)
        return false;
    if (PyObject_GetBuffer(object, &lent, PyBUF_FORMAT | PyBUF_ND) != 0) {
        PyErr_Clear();
        return false;
    }
    const auto copy = [&]<class From, char Code>(Coded<From, Code>) {
        if (lent.format[0] != Code || lent.format[1] != 0) return false;
        const auto* bytes = static_cast<const char*>(lent.buf);
        numbers.resize(static_cast<std::size_t>(lent.shape[0]));
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            From number;  // maybe not aligned
            std::memcpy(&number, bytes + k * sizeof(From), sizeof(From));
            numbers[k] = static_cast<To>(number);
        }
        return true;
    };
    const bool copied = lent.ndim == 1 && lent.format && (copy(Types{}) || ...);
    PyBuffer_Release(&lent);
    return copied;
}

}  // namespace rosenblatt
