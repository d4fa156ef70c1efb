// Each part of the bindings adds its names to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace rosenblatt {

void bind_names(nanobind::module_& m);
void bind_text(nanobind::module_& m);
void bind_svmlight(nanobind::module_& m);
void bind_lines(nanobind::module_& m);
void bind_json_texts(nanobind::module_& m);
void bind_vw(nanobind::module_& m);
void bind_named(nanobind::module_& m);

}  // namespace rosenblatt
