#pragma once

#include <atomic>
#include <cstddef>
#include <shared_mutex>
#include <vector>

#include "branchwise/action_masks.hpp"
#include "branchwise/crew.hpp"

namespace branchwise {

/// The full graph: every state a plan could come to, and its score.
///
/// Breadth first, so that layer n holds the states after n attempts: children are
/// always one layer down, and children-first is from the last layer up.
template <std::size_t Width>
class FullGraph {
  public:
    using Table = StateTable<Width>;

    FullGraph(StateRules const& rules, Crew<Width>& crew);

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
    [[nodiscard]] Crew<Width>& crew() const { return crew_; }
    /// With so few actions, those of a state fit into one word.
    [[nodiscard]] bool has_masks() const { return rules_.num_actions() <= 64; }

  private:
    /// What a thread has found out and what it works with.
    struct alignas(64) Worker {
        std::vector<Word> allowed{};  // at each state of the expansion
        std::vector<double> scores{}; // of the options of one state
        double largest_reward = 0;
    };

    void generate_below(Table& layer, Table& below);
    void expand(Table& layer, std::size_t first, std::size_t last, Table& below,
                std::size_t thread);
    void open(Table& layer, std::size_t slot, Table const& below, std::size_t thread);
    void insert_children(Table& below, std::size_t thread);
    [[nodiscard]] std::size_t insert_each(Table& below, std::size_t thread);
    [[nodiscard]] bool make_room(Table& below);
    void score_layer(std::size_t depth);
    void score_range(std::size_t depth, std::size_t first, std::size_t last,
                     std::size_t thread);
    void settle(std::size_t depth, std::size_t thread);
    void settle_state(std::size_t depth, std::size_t state, std::size_t thread);

    StateRules const& rules_;
    Crew<Width>& crew_;
    std::vector<Worker> workers_;
    std::vector<Table> layers_;
    std::vector<ActionMasks> optimal_;
    std::shared_mutex growing_;              // held alone by who makes a table grow
    std::atomic<std::size_t> num_below_ = 0; // or more: all that may be new
    std::atomic<bool> is_out_of_memory_ = false;
    std::size_t num_states_ = 0;
    double largest_reward_ = 0;
};

} // namespace branchwise
