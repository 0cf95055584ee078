#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"

namespace branchwise {

/// What the scores of states depend on, as arrays that others can work on: the reward
/// for stopping at each state, the options there, and where these lead.
///
/// The options of a state are in a row, and so are the branches of an option; of both
/// we keep where each row begins, and where the last one ends.
struct ScoreGraph {
    std::vector<double> rewards{};        // by state
    std::vector<std::uint8_t> may_stop{}; // by state, though something can be done
    std::vector<std::uint64_t> first_options{};  // by state, and one more
    std::vector<std::uint32_t> actions{};        // by option
    std::vector<std::uint32_t> variants{};       // by option: which clause counts
    std::vector<double> charges{};               // by option
    std::vector<std::uint64_t> first_branches{}; // by option, and one more
    std::vector<std::uint32_t> outcomes{};       // by branch, within its action
    std::vector<std::uint32_t> children{};       // by branch
    std::vector<double> probabilities{};         // by branch
    std::vector<double> gains{};                 // by branch: what is certain with it
    double root_gain = 0;                        // what is certain beforehand
};

/// The part of a graph that consists of these expanded states, numbered anew in this
/// order. They must have all children of theirs among them.
[[nodiscard]] ScoreGraph score_graph_of(CanonicalGraph const& graph,
                                        std::span<StateId const> states);

} // namespace branchwise
