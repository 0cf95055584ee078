#pragma once

#include <cstddef>
#include <vector>

#include "branchwise/expansion.hpp"
#include "branchwise/run_watch.hpp"

namespace branchwise {

/// The full graph: every state a plan could come to, and its score.
///
/// Breadth first, so that layer n holds the states after n attempts: children are
/// always one layer down, and children-first is from the last layer up.
template <std::size_t Width>
class FullGraph {
  public:
    using Table = StateTable<Width>;

    FullGraph(StateRules const& rules, RewardingFilter const* filter, RunWatch& watch);

    /// Find all states (Algorithm 1, or Algorithm 3 with a filter).
    void generate();
    /// Compute Phi for every state (Equation 7).
    void score();

    /// The last layer is empty, so that every other one has a layer below.
    [[nodiscard]] std::vector<Table> const& layers() const { return layers_; }
    [[nodiscard]] std::size_t num_states() const { return num_states_; }
    [[nodiscard]] std::size_t bytes() const;
    /// The difference up to which two scores are tied.
    [[nodiscard]] double tolerance() const { return 1e-12 * largest_reward_; }

    [[nodiscard]] StateRules const& rules() const { return rules_; }
    [[nodiscard]] RewardingFilter const* filter() const { return filter_; }
    [[nodiscard]] RunWatch& watch() const { return watch_; }

  private:
    void generate_below(Table& layer, Table& below);
    void insert_children(Table& below);
    void score_layer(Table& layer, Table const& below);
    void settle(Table& layer, Table const& below);

    StateRules const& rules_;
    RewardingFilter const* filter_;
    RunWatch& watch_;
    Expansion<Width> expansion_;
    std::vector<Table> layers_;
    std::size_t num_states_ = 0;
    double largest_reward_ = 0;
};

/// Throw `RunStopped` if the run must end.
void check(RunWatch& watch, std::size_t num_states, char const* stage);

} // namespace branchwise
