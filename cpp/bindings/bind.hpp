#pragma once

#include <nanobind/nanobind.h>

namespace branchwise {

// One function per file beside this one; each adds its type to the module.
void bind_canonical_engine(nanobind::module_& m);
void bind_contenders(nanobind::module_& m);
void bind_enums(nanobind::module_& m);
void bind_explicit_graph(nanobind::module_& m);
void bind_families(nanobind::module_& m);
void bind_instance(nanobind::module_& m);
void bind_paper_engine(nanobind::module_& m);
void bind_paper_plan(nanobind::module_& m);
void bind_plan(nanobind::module_& m);
void bind_plan_book(nanobind::module_& m);
void bind_plan_curve(nanobind::module_& m);
void bind_row_table(nanobind::module_& m);
void bind_score_graph(nanobind::module_& m);
void bind_spill(nanobind::module_& m);
void bind_state_index(nanobind::module_& m);

} // namespace branchwise
