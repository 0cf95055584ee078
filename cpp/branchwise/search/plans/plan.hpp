#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "branchwise/canonical/canonical_scores.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/search/canonical_engine.hpp"
#include "branchwise/support/run_watch.hpp"

namespace branchwise {

/// How large the tree of a plan is when it is unrolled.
struct TreeShape {
    NodeCount num_nodes = 1;
    NodeCount num_leaves = 1;
    std::uint64_t depth = 0;
};

/// What no plan can exceed from a state on, less what was gained on the way.
struct Ceiling {
    double value = 0;
    bool is_reached = false; // is there a plan that comes up to it?
};

/// A plan over canonical states: the best tree of a run that came to its end, or the
/// plan in hand of one that did not. No later run changes it, nor is in its way: it can
/// be read while the engine runs in another thread.
class Plan {
  public:
    /// The plan of the engine's last run. One that is not worked out yet is worked out
    /// to its end, or as far as it comes within these limits.
    explicit Plan(CanonicalEngine& engine, RunLimits limits = {});
    Plan(Plan const&) = delete;
    Plan& operator=(Plan const&) = delete;

    [[nodiscard]] Faced root() const { return root_; }
    [[nodiscard]] std::uint32_t root_gain() const { return root_gain_; }
    /// The option taken at a state; none where the plan stops.
    [[nodiscard]] std::optional<Option> option(Faced faced) const;
    /// Does the adversary deviate when that option is taken?
    [[nodiscard]] bool deviates(Option const& option, Faced faced) const;
    /// What the plan is worth from a state on, less what was gained on the way.
    [[nodiscard]] double score(Faced faced) const;
    [[nodiscard]] WorstCase const& worst_case() const { return worst_case_; }
    /// Everything that was considered at a state, what is taken included; none where
    /// the run never came to look.
    [[nodiscard]] std::optional<std::vector<Option>> options(StateId state) const;
    /// Good for the states of the plan and for what their options lead to.
    [[nodiscard]] Ceiling ceiling(Faced faced) const;
    [[nodiscard]] CanonicalStates const& graph() const { return states_; }

    /// Every state the plan may come to, once, after those it leads to: the root last.
    [[nodiscard]] std::vector<Faced> children_first() const;
    [[nodiscard]] TreeShape shape() const;
    /// The number of states in the union of all optimal trees, if that is known.
    [[nodiscard]] std::optional<std::size_t> count_reduced() const;

  private:
    [[nodiscard]] std::vector<Faced> following(Faced faced) const;

    Faced root_;
    std::uint32_t root_gain_;
    bool is_finished_; // or else it is the plan in hand
    std::shared_ptr<CanonicalScores const> scores_;
    // Of a plan in hand, by spot: when it was made. A finished one has it all in the
    // scores, which are upper bounds where nothing was worked out.
    std::vector<double> uppers_;
    // As they were when it was made; with an adversary, whose choice depends on
    // probabilities, also these.
    CanonicalStates states_;
    std::unique_ptr<Instance const> instance_;
    WorstCase worst_case_;
};

} // namespace branchwise
