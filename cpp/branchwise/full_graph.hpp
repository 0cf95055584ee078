#pragma once

#include <cstddef>
#include <vector>

#include "branchwise/action_masks.hpp"
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
    /// The optimal actions of each slot of a layer, once there are scores; none where
    /// there are too many actions for a mask.
    [[nodiscard]] ActionMasks const& optimal(std::size_t depth) const {
        return optimal_[depth];
    }
    [[nodiscard]] std::size_t num_states() const { return num_states_; }
    [[nodiscard]] std::size_t bytes() const;
    /// The difference up to which two scores are tied.
    [[nodiscard]] double tolerance() const { return 1e-12 * largest_reward_; }
    /// Is an action with this score among the best?
    [[nodiscard]] bool is_optimal(double score, double best) const {
        return best - score <= tolerance();
    }

    [[nodiscard]] StateRules const& rules() const { return rules_; }
    [[nodiscard]] RewardingFilter const* filter() const { return filter_; }
    [[nodiscard]] RunWatch& watch() const { return watch_; }

  private:
    void generate_below(Table& layer, Table& below);
    void insert_children(Table& below);
    void insert(std::size_t child, OutcomeId outcome, Word allowed, Table& below);
    void score_layer(std::size_t depth);
    void settle(std::size_t depth);
    void settle_state(std::size_t depth, std::size_t state);

    StateRules const& rules_;
    RewardingFilter const* filter_;
    RunWatch& watch_;
    Expansion<Width> expansion_;
    std::vector<Table> layers_;
    std::vector<ActionMasks> optimal_;
    std::vector<double> scores_; // of the options of one state
    std::vector<Word> allowed_;  // at each state of the expansion
    std::size_t num_states_ = 0;
    double largest_reward_ = 0;
};

/// Throw `RunStopped` if the run must end.
void check(RunWatch& watch, std::size_t num_states, char const* stage);

} // namespace branchwise
