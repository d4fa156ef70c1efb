// Each part of the bindings adds its names to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace rosenblatt {

void bind_rows(nanobind::module_& m);
void bind_condensed(nanobind::module_& m);
void bind_learning(nanobind::module_& m);
void bind_scoring(nanobind::module_& m);
void bind_orders(nanobind::module_& m);
void bind_one(nanobind::module_& m);
void bind_combinations(nanobind::module_& m);
void bind_voted(nanobind::module_& m);

}  // namespace rosenblatt
