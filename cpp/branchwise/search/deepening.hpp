#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/worst_case.hpp"
#include "branchwise/support/large_array.hpp"
#include "branchwise/support/run_watch.hpp"

namespace branchwise {

/// Finds the optimum where an attempt that fails is nothing but a loss.
///
/// A state is then worth no more than the same one with the attempt *undone*, so that
/// the action has not been attempted yet, and as much left as now. So a state is
/// solved with less left before it is solved: that bounds what comes of it when
/// something fails. And if the plan found there never takes the action, that plan is
/// as good here: it is *transferred*, without looking at what the state leads to. See
/// B9 to B11 in docs/explanation/one-state-per-future.md.
class Deepening {
  public:
    Deepening(CanonicalGraph& graph, double tolerance);

    /// Does what it relies on hold? Not against an adversary.
    [[nodiscard]] static bool fits(ResidualLayout const& layout);

    // What follows throws `std::bad_alloc` where memory runs out.

    /// Work out what the root is worth. False if the watch ends the run before; asked
    /// again, it goes on where it was.
    [[nodiscard]] bool solve(StateId root, RunWatch& watch);
    /// Work out every optimal plan from the root, which must be solved, so that ties
    /// can be settled. False if the watch ends the run before.
    [[nodiscard]] bool follow_ties(StateId root, RunWatch& watch);

    /// Where the watch has ended the run: expand what the plan in hand comes to, which
    /// is the best one with less left, or what was found since.
    void follow_plan(StateId root);
    /// How far what is said of a solved state may be from what it is worth.
    [[nodiscard]] double slack() const {
        return slack_ * static_cast<double>(graph_.instance().actions.size());
    }

    /// What no plan from a state can exceed; and where it is solved, what it is worth.
    [[nodiscard]] double upper(StateId state) const { return upper_[index_of(state)]; }
    [[nodiscard]] bool is_solved(StateId state) const {
        return is_solved_[index_of(state)] != 0;
    }
    /// The same for all there are.
    [[nodiscard]] std::span<double const> uppers() const { return upper_; }
    /// The states that `follow_ties` or `follow_plan` came by, each before those that
    /// lead to it.
    [[nodiscard]] std::vector<Faced> const& children_first() const { return order_; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    /// A state that is worth at least as much as another, in which an action has
    /// failed: the same one with that undone.
    struct Undone {
        StateId state = no_state;
        std::uint32_t failed{}; // the action
        bool is_even = false;   // is no more left there?
    };

    /// A state that is being solved.
    struct Frame {
        StateId state{};
        Undone undone{};
        bool is_bounded = false; // are its children?
        double best{};           // of the plans worked out by now
        std::vector<Undone> undone_children{};
        std::vector<Word> plan{};  // a bit for every action that the best one takes
        StateId source = no_state; // where that plan was found, if not here
    };

    /// An option, and what it is worth at most.
    struct Choice {
        Option option{};
        std::size_t first_child{}; // among those of the state
        double upper{};
    };

    [[nodiscard]] bool solve(StateId state, Undone undone, RunWatch& watch);
    [[nodiscard]] bool go_on(RunWatch& watch);
    void push(StateId state, Undone undone);
    void step(RunWatch& watch);
    void bound_children(Frame& frame);
    [[nodiscard]] Undone lost(StateId state, Option const& option,
                              std::size_t outcome) const;
    template <typename Visit>
    void for_each_possible(Option const& option, Visit visit) const;
    void list_undone_options(Undone undone);
    [[nodiscard]] PackedNumbers<StateId> undone_children(Option const& option);
    [[nodiscard]] Undone narrowed(StateId state, Undone first, Undone second);
    void narrow(StateId state, Undone undone);
    [[nodiscard]] double upper_of(Option const& option) const;
    [[nodiscard]] Choice best_choice(Frame const& frame) const;
    [[nodiscard]] std::size_t unsolved_child(Option const& option) const;
    void take_plan(Frame& frame, Choice const& choice);
    void settle(StateId state, double value, std::span<Word const> plan,
                StateId source);
    [[nodiscard]] std::span<Word const> plan_of(StateId state) const {
        return {plans_.data() + index_of(state) * plan_words_, plan_words_};
    }
    [[nodiscard]] StateId planned_at(StateId root) const;
    [[nodiscard]] std::optional<Option> planned_option(StateId planned) const;
    void follow_option(StateId state, Option const& planned,
                       std::vector<std::pair<StateId, StateId>>& pending);
    void sort_children_first();
    [[nodiscard]] bool settle_ties(std::size_t at, RunWatch& watch);
    void meet(StateId state, Undone undone);
    [[nodiscard]] bool is_tied(StateId state, Option const& option) const;
    [[nodiscard]] std::pair<StateId, Undone> unsolved_tie(Frame const& frame) const;

    [[nodiscard]] bool is_expanded(StateId state, RunWatch& watch);
    void keep(StateId state);
    [[nodiscard]] bool has_step(StateId state) const;
    void make_room(std::size_t num_states);
    void meet_new_states();

    CanonicalGraph& graph_;
    WorstCase worst_case_; // without an adversary: the expectation
    double slack_;
    double most_; // no state is worth more
    Residual residual_;
    Successors successors_;
    std::vector<std::int64_t> step_;    // by resource: what an attempt costs at least
    std::vector<std::uint8_t> is_lost_; // by outcome: is it nothing but a loss?
    std::size_t plan_words_;
    LargeArray<double> upper_;           // by state
    LargeArray<std::uint8_t> is_solved_; // by state
    LargeArray<StateId> lessened_;       // by state: with a step less left; or itself
    LargeArray<Word> plans_;             // by state
    LargeArray<StateId> sources_;        // by state: where its plan was found, or none
    std::vector<Frame> frames_;          // each waits for those after it
    std::size_t depth_ = 0;              // how many of them are in use
    std::vector<Option> undone_options_; // of the state that one is compared with
    std::size_t next_undone_ = 0;
    std::vector<Undone> met_;  // when ties are followed, with what is undone
    std::vector<Faced> order_; // the same states
    std::vector<bool> is_met_; // by state
};

} // namespace branchwise
