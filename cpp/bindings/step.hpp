#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"

namespace branchwise {

using Number = std::uint32_t;
/// The outcome, the state it leads to, and the rewards that become certain on the way.
using Branch = std::tuple<Number, Number, std::vector<Number>>;
/// The action, its variant, and a branch for each outcome that can happen.
using Step = std::tuple<Number, Number, std::vector<Branch>>;

[[nodiscard]] std::vector<Number> rewards_in(CanonicalStates const& graph,
                                             std::uint32_t gain);

[[nodiscard]] Step step_of(CanonicalStates const& graph, Option const& option);

} // namespace branchwise
