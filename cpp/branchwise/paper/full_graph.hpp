#pragma once

#include <cstddef>
#include <vector>

#include "branchwise/paper/crew.hpp"
#include "branchwise/paper/layer.hpp"
#include "branchwise/paper/states/rewarding_filter.hpp"
#include "branchwise/paper/states/state_rules.hpp"

namespace branchwise {

/// The full graph: every state a plan could come to, where its actions lead, and its
/// score.
///
/// Breadth first, so that layer n holds the states after n attempts: children are
/// always one layer down, and children-first is from the last layer up.
class FullGraph {
  public:
    FullGraph(StateRules const& rules, Crew& crew) : rules_(rules), crew_(crew) {}

    /// Find all states (Algorithm 1, or Algorithm 3 with a filter).
    void generate(RewardingFilter const* filter);
    /// Compute Phi for every state (Equation 7), and mark what is optimal.
    void score();

    /// The last layer is empty, so that every other one has a layer below.
    [[nodiscard]] std::vector<Layer>& layers() { return layers_; }
    [[nodiscard]] std::vector<Layer> const& layers() const { return layers_; }
    [[nodiscard]] std::size_t num_states() const { return num_states_; }
    /// What the layers hold now, and all held at the worst time.
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t most_bytes() const { return most_bytes_; }

    /// The difference up to which two scores are tied.
    [[nodiscard]] double tolerance() const { return tolerance_; }

    [[nodiscard]] StateRules const& rules() const { return rules_; }
    [[nodiscard]] Crew& crew() const { return crew_; }

  private:
    template <std::size_t Width>
    void generate_keys(RewardingFilter const* filter);
    [[nodiscard]] double largest_reward() const;
    void score_range(LayerPart& part, Layer const& below, std::size_t first,
                     std::size_t last, double* scratch) const;
    template <typename ScoreOf>
    void score_states(LayerPart& part, std::size_t first, std::size_t last,
                      double* scratch, ScoreOf score_of) const;
    template <typename ScoreOf>
    [[nodiscard]] double score_options(double reward, Code* options, Code const* end,
                                       double* scores, ScoreOf score_of) const;
    void mark_options(double reward, double best, Code* options, Code const* end,
                      double const* scores) const;

    /// Is something with this score among the best?
    [[nodiscard]] bool is_optimal(double score, double best) const {
        return best - score <= tolerance_;
    }

    StateRules const& rules_;
    Crew& crew_;
    std::vector<Layer> layers_;
    std::vector<std::vector<double>> scratch_; // scores of options, for each thread
    std::size_t num_states_ = 0;
    std::size_t most_bytes_ = 0;
    double tolerance_ = 0;
};

} // namespace branchwise
