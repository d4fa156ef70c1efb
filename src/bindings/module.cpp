// The core as Python sees it. Arrays are made and named in Python, borrowed here for one call.
#include <nanobind/nanobind.h>

#include "parts.hpp"

namespace {

int cpu_level() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4")) return 4;
    if (__builtin_cpu_supports("x86-64-v3")) return 3;
#endif
    return 1;
}

}  // namespace

NB_MODULE(ROSENBLATT_MODULE, m) {
    m.doc() = "The learning loop of rosenblatt, compiled for one level of vector instructions.";
    rosenblatt::bind_rows(m);
    rosenblatt::bind_voted(m);
    rosenblatt::bind_learning(m);
    rosenblatt::bind_scoring(m);
    rosenblatt::bind_orders(m);
    rosenblatt::bind_one(m);
    rosenblatt::bind_combinations(m);
    rosenblatt::bind_names(m);
    rosenblatt::bind_text(m);
    rosenblatt::bind_svmlight(m);
    rosenblatt::bind_lines(m);
    rosenblatt::bind_vw(m);
    rosenblatt::bind_named(m);
    m.def("cpu_level", &cpu_level);
}
