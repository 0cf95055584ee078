#pragma once

#include <nanobind/nanobind.h>

namespace branchwise {

/// The plan that the paper's three stages find, and what it took.
void bind_paper_plan(nanobind::module_& m);

} // namespace branchwise
