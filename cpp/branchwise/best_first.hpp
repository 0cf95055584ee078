#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "branchwise/canonical_graph.hpp"
#include "branchwise/perfect_information.hpp"
#include "branchwise/residual.hpp"
#include "branchwise/run_watch.hpp"
#include "branchwise/thread_team.hpp"

namespace branchwise {

/// Searches canonical states where it matters most: every state has a lower bound,
/// from a plan in hand, and an upper one, first from perfect information, then from
/// its children.
///
/// In each round the plan that looks best by upper bounds is followed from the root;
/// where it is not worked out yet and most of the gap comes from, it is worked out
/// further; then bounds are passed up. The gap closes on the optimum.
class BestFirst {
  public:
    BestFirst(CanonicalGraph& graph, ThreadTeam& team, double tolerance);

    /// Search until upper and lower bound of the root differ by no more than this share
    /// of the upper one, or the watch ends the run: then false.
    [[nodiscard]] bool close_gap(StateId root, double share, RunWatch& watch);

    /// Work out every optimal plan from the root, which must have no gap any more, so
    /// that ties can be settled. False if the watch ends the run before.
    [[nodiscard]] bool follow_ties(StateId root, RunWatch& watch);

    [[nodiscard]] double lower(StateId state) const { return lower_[index_of(state)]; }
    [[nodiscard]] double upper(StateId state) const { return upper_[index_of(state)]; }
    /// By state, for all there are.
    [[nodiscard]] std::vector<double> const& uppers() const { return upper_; }
    /// The option that the plan in hand takes, or `CanonicalScores::stop`. Where the
    /// bounds were known to meet without looking further, it is worked out now.
    [[nodiscard]] std::uint32_t planned_option(StateId state);
    /// The upper bound of a loaded and refreshed state, by perfect information alone.
    [[nodiscard]] Bound bound(Residual const& residual) {
        return information_.bound(residual);
    }
    [[nodiscard]] std::size_t bytes() const;
    /// The states that `follow_ties` came by, each before those that lead to it.
    [[nodiscard]] std::vector<StateId> const& children_first() const { return order_; }

  private:
    struct Tip {
        StateId state;
        double weight; // its gap, times how likely the plan comes there
    };

    static constexpr std::size_t most_at_once = 1024;
    static constexpr std::size_t most_pursued = 20'000;

    [[nodiscard]] double gap(StateId state) const {
        return upper(state) - lower(state);
    }
    void meet_new_states();
    void bound_state(StateId state);
    void back_up(StateId state);
    [[nodiscard]] bool is_evaluated(Option const& option) const;
    void evaluate(Option const& option);
    void evaluate_until_one_is_as_good(StateId state);
    void evaluate_all(StateId state);
    [[nodiscard]] std::uint32_t best_option(StateId state);
    [[nodiscard]] std::pair<std::uint32_t, double> safest_option(StateId state) const;
    [[nodiscard]] std::optional<Option> pursued_option(StateId state);
    void raise_lower(StateId state, double lower);
    void expand(StateId state);
    void pursue(StateId root);
    void sort_children_first();

    template <typename Follow>
    void walk(StateId root, Follow follow);
    void walk_best_plan(StateId root);
    [[nodiscard]] bool is_end(StateId state) const;
    void walk_ties(StateId root);
    void add_up_reach();
    void keep_heaviest_tips();
    [[nodiscard]] bool work_out_tips(bool follows_ties);
    void back_up_walked();
    void note_progress(StateId root, char const* stage);

    CanonicalGraph& graph_;
    ThreadTeam& team_;
    double tolerance_;
    RunWatch* watch_ = nullptr; // of the run that is on
    RunProgress progress_;
    PerfectInformation information_;
    std::vector<Residual> residuals_; // by thread
    std::vector<Successors> successors_;
    std::vector<double> lower_;
    std::vector<double> upper_;
    std::vector<std::uint8_t> is_bounded_;
    std::vector<std::uint32_t> walked_; // by which walk a state was met last
    std::uint32_t num_walks_ = 0;
    bool is_pursued_ = false; // was there a first plan?
    std::vector<double> reach_;
    std::vector<std::uint32_t> best_; // the option that the best plan takes
    std::vector<StateId> order_;      // what was walked last, children first
    std::vector<Tip> tips_;
};

} // namespace branchwise
