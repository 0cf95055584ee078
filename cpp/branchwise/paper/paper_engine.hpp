#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "branchwise/paper/states/outcome_vector.hpp"
#include "branchwise/paper/states/rewarding_filter.hpp"
#include "branchwise/problem/instance.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/support/run_watch.hpp"

namespace branchwise {

/// What the three stages took.
struct PaperStatistics {
    std::size_t num_full_states = 0;
    std::size_t num_reduced_states = 0;
    std::size_t num_policy_states = 0;
    NodeCount num_nodes = 0;
    std::size_t most_bytes = 0; // held at once, for all states together
    double full_seconds = 0;
    double reduced_seconds = 0;
    double tree_seconds = 0;
};

/// What a plan does at a state, and where that may lead.
struct PlannedStep {
    struct Branch {
        OutcomeId outcome;
        double probability;
        std::vector<Word> state;
    };

    std::optional<ActionId> action{}; // none where the plan stops
    double value = 0;
    double reward = 0;
    std::vector<Branch> branches{};
};

/// A state in numbers.
struct Situation {
    std::vector<std::pair<OutcomeId, Word>> counts{}; // those that have come up
    std::vector<Word> spent{};                        // of each finite resource
};

/// The optimal plan that the three stages have found.
class PaperPlan {
  public:
    PaperPlan() = default;
    PaperPlan(PaperPlan const&) = delete;
    PaperPlan& operator=(PaperPlan const&) = delete;
    virtual ~PaperPlan() = default;

    [[nodiscard]] virtual PaperStatistics const& statistics() const = 0;
    [[nodiscard]] virtual std::size_t num_words() const = 0;
    [[nodiscard]] virtual std::vector<Word> root() const = 0;
    /// Nothing where the plan never comes to.
    [[nodiscard]] virtual std::optional<PlannedStep> step(Key key) const = 0;
    [[nodiscard]] virtual Situation situation(Key key) const = 0;
};

/// Go through the paper's three stages; without sets, over the naive full graph, as
/// always where states hold more than outcomes.
/// The plan is the same for any number of threads. Throws `RunStopped` where the watch
/// ends the run.
[[nodiscard]] std::unique_ptr<PaperPlan>
solve_by_paper(Instance const& instance, std::optional<RewardingSets> const& sets,
               Objective objective, RunWatch& watch, std::size_t num_threads = 1);

} // namespace branchwise
