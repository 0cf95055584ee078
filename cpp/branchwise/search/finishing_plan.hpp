#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/canonical/canonical_scores.hpp"
#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/worst_case.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/search/way_to_finish.hpp"
#include "branchwise/support/run_watch.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// A plan where one must finish, found without exploring everything: it takes what
/// seems to be the cheapest way to finish from every state it comes to. Then the states
/// it comes to consider all actions, each followed by the cheapest way from there, and
/// again those of the plan that comes of it: a plan is improved where it leads.
///
/// It is a plan whatever it leaves out, as it takes only options of which all that they
/// lead to is known. So nothing has to be proven about it.
class FinishingPlan {
  public:
    FinishingPlan(CanonicalGraph& graph, ThreadTeam& team);

    /// Find a plan and improve it, until there is nothing to improve where it leads or
    /// the watch ends the run. Asked for the same root again, it goes on where it was.
    /// Returns scores and choices of all that was looked at; of what no plan is known
    /// that finishes from there, the score is below every number. Nothing if the watch
    /// ends the run before all that the first way leads to was looked at.
    [[nodiscard]] std::optional<CanonicalScores> work_out(StateId root,
                                                          WorstCase const& worst_case,
                                                          Objective objective,
                                                          RunWatch& watch);

    /// What no plan is worth more than, by spot: worked out from all states that are
    /// expanded, while what is not may lead to all that can be earned, for nothing.
    [[nodiscard]] std::vector<double> uppers(WorstCase const& worst_case,
                                             Objective objective);

  private:
    void begin(StateId root);
    [[nodiscard]] bool expand(StateId state, RunWatch& watch);
    [[nodiscard]] bool reach(StateId from, RunWatch& watch);
    [[nodiscard]] bool widen(StateId state, RunWatch& watch);
    void add_children(StateId state, std::uint32_t choice);
    [[nodiscard]] std::vector<StateId>
    to_be_widened(CanonicalScores const& scores) const;
    [[nodiscard]] std::optional<CanonicalScores>
    scored(WorstCase const& worst_case, std::vector<StateId> const& states,
           double elsewhere, Objective objective);

    CanonicalGraph& graph_;
    ThreadTeam& team_;
    Residual residual_;
    WayToFinish way_;
    StateId root_ = no_state;
    std::vector<StateId> reached_;         // that have an option, or may be the end
    std::vector<std::uint8_t> is_reached_; // by state
    std::vector<std::uint8_t> is_wide_;    // by state: considers all options
    std::vector<StateId> pending_;         // to be reached
    Successors successors_;
    KeyBuffer buffer_; // of a key while it is looked at
};

} // namespace branchwise
