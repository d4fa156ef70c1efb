// What gains nothing from wider vectors, compiled once: readers of files, text and names.
#include <nanobind/nanobind.h>

#include "base/cpu_level.hpp"
#include "parts.hpp"

NB_MODULE(ROSENBLATT_MODULE, m) {
#ifndef __SANITIZE_ADDRESS__
    // What a Ctrl-C leaves alive until the end is no matter of the user's.
    nanobind::set_leak_warnings(false);
#endif
    m.doc() = "The readers of rosenblatt, compiled for any processor.";
    rosenblatt::bind_names(m);
    rosenblatt::bind_text(m);
    rosenblatt::bind_svmlight(m);
    rosenblatt::bind_lines(m);
    rosenblatt::bind_json_texts(m);
    rosenblatt::bind_vw(m);
    rosenblatt::bind_named(m);
    m.def("cpu_level", &rosenblatt::cpu_level);
}
