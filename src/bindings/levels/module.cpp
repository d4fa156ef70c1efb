// What touches every number while learning and predicting, compiled for each level of vectors.
// Arrays are made and named in Python, borrowed here for one call.
#include <nanobind/nanobind.h>

#include "parts.hpp"

NB_MODULE(ROSENBLATT_MODULE, m) {
#ifndef __SANITIZE_ADDRESS__
    // What a Ctrl-C leaves alive until the end is no matter of the user's.
    nanobind::set_leak_warnings(false);
#endif
    m.doc() = "The learning loop of rosenblatt, compiled for one level of vector instructions.";
    rosenblatt::bind_rows(m);
    rosenblatt::bind_condensed(m);
    rosenblatt::bind_voted(m);
    rosenblatt::bind_learning(m);
    rosenblatt::bind_scoring(m);
    rosenblatt::bind_orders(m);
    rosenblatt::bind_one(m);
    rosenblatt::bind_combinations(m);
}
