#pragma once

#include <optional>

#include "branchwise/canonical/score_graph.hpp"
#include "branchwise/paper/states/rewarding_filter.hpp"
#include "branchwise/problem/instance.hpp"
#include "branchwise/support/run_watch.hpp"

namespace branchwise {

/// The paper's full graph as arrays, layer by layer; without sets, the naive one. Its
/// variants are left out. Throws `RunStopped` where the watch ends the run.
[[nodiscard]] ScoreGraph paper_score_graph(Instance const& instance,
                                           std::optional<RewardingSets> const& sets,
                                           RunWatch& watch);

} // namespace branchwise
