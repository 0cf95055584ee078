// The extension module `branchwise._core`: one line per bound type.

#include <nanobind/nanobind.h>

#include "bindings/bind.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of branchwise; branchwise.engine checks its input.";
    // Threads that still solve when the interpreter ends keep what they work on.
    nanobind::set_leak_warnings(false);
    // Signatures name the types that they use, so these are bound first.
    branchwise::bind_enums(m);
    branchwise::bind_instance(m);
    branchwise::bind_canonical_engine(m);
    branchwise::bind_explicit_graph(m);
    branchwise::bind_families(m);
    branchwise::bind_paper_plan(m);
    branchwise::bind_paper_engine(m);
    branchwise::bind_plan(m);
    branchwise::bind_contenders(m);
    branchwise::bind_plan_book(m);
    branchwise::bind_plan_curve(m);
    branchwise::bind_row_table(m);
    branchwise::bind_score_graph(m);
    branchwise::bind_spill(m);
    branchwise::bind_state_index(m);
}
