#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "branchwise/explicit/explicit_graph.hpp"
#include "branchwise/problem/objective.hpp"

namespace branchwise {

/// The plan in hand: what it is worth from every state on, and what it does there.
///
/// Open states are where it stops. So where there are none that matter, this is the
/// best plan, and else one whose worth no better plan falls below.
struct ExplicitScores {
    static constexpr std::int64_t stop = -1;

    std::vector<double> scores{};        // by state; of those met from the root
    std::vector<std::int64_t> choices{}; // by state: which option, or `stop`
    double tolerance = 0;                // scores that differ by no more are tied

    std::size_t num_reduced = 0; // states in the union of all optimal trees
    NodeCount num_nodes = 1;     // of the tree, up to `most_nodes`
    NodeCount num_leaves = 1;
    std::uint64_t depth = 0;
};

/// Scores that differ by no more than this are tied.
[[nodiscard]] double tie_tolerance(ExplicitGraph const& graph);

/// Score all states of an order, children first, and choose a tree.
[[nodiscard]] ExplicitScores
explicit_scores(ExplicitGraph const& graph,
                std::span<ExplicitGraph::Number const> order, Objective objective);

/// What no plan is worth more than from each state on, if that is known of those that
/// are open. A state counts for no more than its own bound, where it has one.
[[nodiscard]] std::vector<double>
upper_bounds(ExplicitGraph const& graph, std::span<ExplicitGraph::Number const> order,
             std::span<double const> of_states);

/// The first state from which the plan in hand is worth more than its bound says that
/// any plan could be.
[[nodiscard]] std::optional<std::size_t>
broken_bound(ExplicitScores const& scores, std::span<double const> of_states);

/// The open states that the best plan by upper bounds comes to, nearest first; or, with
/// every tie, those that any plan comes to which may be as good.
[[nodiscard]] std::vector<std::int32_t> open_states(ExplicitGraph const& graph,
                                                    std::span<double const> bounds,
                                                    bool with_every_tie);

} // namespace branchwise
