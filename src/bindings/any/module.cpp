// What gains nothing from wider vectors, compiled once: readers of files, text and names.
#include <nanobind/nanobind.h>

#include "parts.hpp"

namespace {

/// The widest level of vector instructions that the processor has.
int cpu_level() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4")) return 4;
    if (__builtin_cpu_supports("x86-64-v3")) return 3;
#endif
    return 1;
}

}  // namespace

NB_MODULE(ROSENBLATT_MODULE, m) {
    m.doc() = "The readers of rosenblatt, compiled for any processor.";
    rosenblatt::bind_names(m);
    rosenblatt::bind_text(m);
    rosenblatt::bind_svmlight(m);
    rosenblatt::bind_lines(m);
    rosenblatt::bind_vw(m);
    rosenblatt::bind_named(m);
    m.def("cpu_level", &cpu_level);
}
