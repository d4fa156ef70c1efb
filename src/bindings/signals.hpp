// Ctrl-C while native code runs.
#pragma once

#include <nanobind/nanobind.h>

namespace rosenblatt {

/// Lets Ctrl-C through. To be called without the interpreter's lock.
inline void look_for_signals() {
    nanobind::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace rosenblatt
