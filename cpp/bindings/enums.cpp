// Enumerations that cross the border: which tree to prefer, how far a run came and why
// it ended. Python uses these very objects, so that no number is declared twice.

#include <nanobind/nanobind.h>

#include "bindings/bind.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/search/canonical_engine.hpp"
#include "branchwise/support/run_watch.hpp"

namespace nb = nanobind;

namespace branchwise {

void bind_enums(nb::module_& m) {
    nb::enum_<Objective>(m, "Objective", "What the chosen optimal tree has least of.")
        .value("FEWEST_NODES", Objective::fewest_nodes)
        .value("LEAST_DEPTH", Objective::least_depth)
        .value("LEAST_EXPECTED_COST", Objective::least_expected_cost)
        .value("FEWEST_EXPECTED_ACTIONS", Objective::fewest_expected_actions)
        .value("ORDER", Objective::order);
    nb::enum_<Ending>(m, "Ending", "Why a run ended.")
        .value("DONE", Ending::done)
        .value("ASKED", Ending::asked)
        .value("TIME", Ending::time)
        .value("MEMORY", Ending::memory)
        .value("STATES", Ending::states);
    nb::enum_<Found>(m, "Found", "How far a search came.")
        .value("PLAN", Found::plan)
        .value("OPTIMUM", Found::optimum)
        .value("TREE", Found::tree);
}

} // namespace branchwise
