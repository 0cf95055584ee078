#pragma once

#include <memory>

#include "branchwise/paper/paper_engine.hpp"
#include "branchwise/problem/instance.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/support/run_watch.hpp"

namespace branchwise {

/// Do the states of an instance hold more than outcomes and what is spent?
[[nodiscard]] bool is_wide(Instance const& instance);

/// Go through the paper's three stages over the naive full graph of such states.
/// Throws `RunStopped` where the watch ends the run.
[[nodiscard]] std::unique_ptr<PaperPlan>
solve_wide(Instance const& instance, Objective objective, RunWatch& watch);

} // namespace branchwise
