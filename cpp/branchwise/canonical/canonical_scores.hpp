#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/canonical/worst_case.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// The scores of the states that were worked out, and the action that the best tree
/// takes there.
struct CanonicalScores {
    static constexpr std::uint32_t stop = UINT32_MAX;

    explicit CanonicalScores(WorstCase const& worst) : worst_case(worst) {}

    WorstCase worst_case;                 // where the score of each state is
    std::vector<double> scores{};         // by spot
    std::vector<std::uint32_t> choices{}; // by spot: which option, or `stop`
    std::vector<bool> is_scored{};        // by spot: was it worked out?

    [[nodiscard]] bool has(Faced faced) const {
        std::size_t const spot = worst_case.spot(faced);
        return spot < is_scored.size() && is_scored[spot];
    }
    /// Is there a number for all that an option leads to?
    [[nodiscard]] bool knows(Option const& option) const {
        return std::all_of(option.children.begin(), option.children.end(),
                           [this](StateId child) {
                               return worst_case.spot({child, 0}) < scores.size();
                           });
    }
    [[nodiscard]] double score(Faced faced) const {
        return scores[worst_case.spot(faced)];
    }
};

/// Returns whether to go on.
using GoesOn = std::function<bool()>;

/// Work out scores and choices of states that come children first. States that are
/// not expanded count as the end. Of other states the scores are `known`, or else 0.
/// Nothing if it had to end before.
[[nodiscard]] std::optional<CanonicalScores>
score_states(CanonicalGraph const& graph, WorstCase const& worst_case,
             std::span<Faced const> children_first, std::vector<double> known,
             Objective objective, ThreadTeam& team, GoesOn const& goes_on);
/// The same of states with every number of deviations, of which nothing is known.
[[nodiscard]] std::optional<CanonicalScores>
score_states(CanonicalGraph const& graph, WorstCase const& worst_case,
             std::span<StateId const> children_first, Objective objective,
             ThreadTeam& team, GoesOn const& goes_on);

/// The number of states in the union of all optimal trees.
[[nodiscard]] std::size_t count_reduced(WorstCase const& worst_case,
                                        CanonicalScores const& scores, Faced root);

} // namespace branchwise
