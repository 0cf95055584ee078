#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/canonical_graph.hpp"
#include "branchwise/objective.hpp"
#include "branchwise/thread_team.hpp"

namespace branchwise {

/// The scores of the states that were worked out, and the action that the best tree
/// takes there.
struct CanonicalScores {
    static constexpr std::uint32_t stop = UINT32_MAX;

    std::vector<double> scores{};         // by state
    std::vector<std::uint32_t> choices{}; // by state: which option, or `stop`
    std::vector<bool> is_scored{};        // by state: was it worked out?
    double tolerance = 0;                 // scores this close are tied

    [[nodiscard]] bool has(StateId state) const {
        return index_of(state) < is_scored.size() && is_scored[index_of(state)];
    }
};

/// The expected score of an option: of its children, with what is gained on the way,
/// less what is charged.
[[nodiscard]] double option_score(CanonicalGraph const& graph, Option const& option,
                                  std::vector<double> const& scores);

/// Work out scores and choices of states that come children first. States that are
/// not expanded count as the end. Of other states the scores are `known`, or else 0.
[[nodiscard]] CanonicalScores score_states(CanonicalGraph const& graph,
                                           std::vector<StateId> const& children_first,
                                           std::vector<double> known,
                                           Objective objective, double tolerance,
                                           ThreadTeam& team);

/// The number of states in the union of all optimal trees.
[[nodiscard]] std::size_t count_reduced(CanonicalGraph const& graph,
                                        CanonicalScores const& scores, StateId root);

} // namespace branchwise
