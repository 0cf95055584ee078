#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/worst_case.hpp"
#include "branchwise/search/bounds/perfect_information.hpp"
#include "branchwise/search/bounds/state_bounds.hpp"
#include "branchwise/search/plans/plan_steps.hpp"
#include "branchwise/search/restricted_plan.hpp"
#include "branchwise/support/large_array.hpp"
#include "branchwise/support/pace.hpp"
#include "branchwise/support/run_watch.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// Searches canonical states where it matters most: every state has a lower bound,
/// from a plan in hand, and an upper one, first from perfect information, then from
/// its children.
///
/// In each round the plan that looks best by upper bounds is followed from the root;
/// where it is not worked out yet and most of the gap comes from, it is worked out
/// further; then bounds are passed up. The gap closes on the optimum.
///
/// Against an adversary that plan is followed to where the adversary leads it by lower
/// bounds: the gap is at most that of these states, weighed by the adversary's
/// probabilities, because the same answer is also possible when it is judged by upper
/// bounds.
class BestFirst {
  public:
    BestFirst(CanonicalGraph& graph, ThreadTeam& team, WorstCase const& worst_case);

    /// From now on, follow whatever may be optimal in exact arithmetic; bounds by
    /// perfect information may be off by as much as `margin`.
    void follow_exactly(double margin) {
        is_exact_ = true;
        bounds_.set_margin(margin);
    }

    // What follows throws `std::bad_alloc` where there is not even memory to begin;
    // where it runs out later on, the watch ends the run.

    /// Search until upper and lower bound of the root differ by no more than this share
    /// of the upper one, or the watch ends the run: then false. With an endless share,
    /// look for the first plans, and nothing besides.
    [[nodiscard]] bool close_gap(Faced root, double share, RunWatch& watch);

    /// Bound a root by perfect information; roughly, if the watch ends the run before.
    void bound_root(Faced root, RunWatch& watch);

    /// Take over what no plan from a state can exceed, by state and but for `slack`;
    /// and plans that are worked out in states, each of them before those that lead to
    /// it. Not against an adversary.
    void learn(std::span<double const> uppers, double slack,
               std::span<Faced const> children_first);

    /// Work out every optimal plan from the root, which must have no gap any more, so
    /// that ties can be settled. False if the watch ends the run before.
    [[nodiscard]] bool follow_ties(Faced root, RunWatch& watch);

    [[nodiscard]] WorstCase const& worst_case() const { return worst_case_; }
    [[nodiscard]] double lower(Faced faced) const { return bounds_.lower(faced); }
    [[nodiscard]] double upper(Faced faced) const { return bounds_.upper(faced); }
    /// By spot, for all there are.
    [[nodiscard]] std::span<double const> uppers() const { return bounds_.uppers(); }
    /// How far the plan in hand is worked out: as far as it takes to be worth the lower
    /// bound, or further, where more may be had.
    enum class Care : std::uint8_t { promised, improved };
    /// The option that the plan in hand takes, or `CanonicalScores::stop`. Where the
    /// bounds were known to meet without looking further, it is worked out now, unless
    /// the watch has ended the run: then the plan goes as far as it has been worked
    /// out.
    [[nodiscard]] std::uint32_t planned_option(Faced faced, Care care, RunWatch& watch);
    /// The plan in hand, as far as it was worked out; and have that of another search
    /// for the same instance in hand, as far as the watch allows.
    [[nodiscard]] PlanSteps steps_in_hand(Faced root) const;
    void take_over(Faced root, PlanSteps const& steps, RunWatch& watch);
    /// The upper bound of a loaded and refreshed state, by perfect information alone.
    [[nodiscard]] Bound bound(Residual const& residual, bool is_rough) {
        Hurry const hurry(information_, is_rough);
        return information_.bound(residual);
    }
    [[nodiscard]] std::size_t bytes() const;
    /// Release what was kept to hand the plan over, which comes next; and where
    /// memory is short, all that the plan can do without.
    void rest(bool is_short);
    /// The states that `follow_ties` came by, each before those that lead to it.
    [[nodiscard]] std::vector<Faced> const& children_first() const { return order_; }

  private:
    /// The watch of the run, in its place as long as this lasts.
    class OnWatch {
      public:
        OnWatch(RunWatch*& place, RunWatch& watch) : place_(place) { place_ = &watch; }
        OnWatch(OnWatch const&) = delete;
        OnWatch& operator=(OnWatch const&) = delete;
        ~OnWatch() { place_ = nullptr; }

      private:
        RunWatch*& place_;
    };

    /// Diagrams are left alone as long as this lasts, if so asked.
    class Hurry {
      public:
        Hurry(PerfectInformation& information, bool is_hurried)
            : information_(information) {
            information_.hurry(is_hurried);
        }
        Hurry(Hurry const&) = delete;
        Hurry& operator=(Hurry const&) = delete;
        ~Hurry() { information_.hurry(false); }

      private:
        PerfectInformation& information_;
    };

    /// A state that the plan in hand may come to, and how likely.
    struct Pursued {
        double weight;
        double reach;
        Faced faced;

        bool operator<(Pursued const& other) const {
            return weight != other.weight ? weight < other.weight
                                          : faced.state > other.faced.state;
        }
    };

    struct Tip {
        Faced faced;
        double weight; // its gap, times how likely the plan comes there
    };

    static constexpr std::size_t most_at_once = 1024;
    static constexpr std::size_t first_pursued = 64;
    static constexpr std::size_t least_pursued = 1024;
    static constexpr std::size_t most_pursued = 20'000;
    static constexpr std::size_t first_restricted = 50'000;
    static constexpr std::size_t most_restricted = 8; // for every state expanded

    [[nodiscard]] std::size_t spot(Faced faced) const {
        return worst_case_.spot(faced);
    }
    [[nodiscard]] double gap(Faced faced) const { return bounds_.gap(faced); }
    void make_room(std::size_t num_states);
    void keep(StateId state, Successors const& successors);
    void meet_new_states();
    void begin(Faced root, char const* stage);
    void lighten();
    /// Do what may take memory that is not there, or be ended by the watch.
    /// Returns whether it came to its end.
    [[nodiscard]] bool comes_to_end(std::function<void()> const& work);
    void bound_roughly(StateId state);
    void bound_state(StateId state);
    void evaluate(Option const& option);
    void evaluate_until_one_is_as_good(Faced faced);
    void evaluate_all(Faced faced);
    [[nodiscard]] std::optional<Option> pursued_option(StateId state);
    void expand(StateId state);
    void begin_plan(Faced root);
    void work_on_plan(Faced root);
    [[nodiscard]] bool has_better_plan(Faced root, std::size_t most_states,
                                       std::size_t last_focus);
    template <typename ActionAt>
    void follow_actions(Faced root, ActionAt action_at);
    void back_up_all(Faced root);
    [[nodiscard]] bool has_bounds_below(StateId state) const;
    [[nodiscard]] bool improves_restricted();
    void pursue(Faced root, std::size_t most);
    void follow_pursuit(Faced root, std::size_t most);
    [[nodiscard]] std::optional<Option> option_in_hand(Faced faced);
    [[nodiscard]] double hope(StateId state);
    [[nodiscard]] std::uint32_t worked_out_option(Faced faced, Care care);
    void sort_children_first();

    [[nodiscard]] bool search(Faced root, double share, char const* stage);
    [[nodiscard]] double wanted(Faced root, double share) const;
    [[nodiscard]] bool search_once(Faced root);
    template <typename Follow>
    void walk(Faced root, Follow follow);
    void walk_best_plan(Faced root);
    [[nodiscard]] bool is_end(Faced faced) const;
    void walk_ties(Faced root);
    template <typename Meet>
    void take_possible_answers(Option const& option, Faced faced, Meet meet) const;
    [[nodiscard]] bool close_walked_gaps();
    void add_up_reach();
    void evaluate_walked();
    void keep_heaviest_tips();
    [[nodiscard]] bool work_out_tips(bool follows_ties);
    [[nodiscard]] bool work_out(std::span<Tip const> tips, bool follows_ties);
    void look();
    void back_up_walked();
    void note_progress(Faced root, char const* stage);

    CanonicalGraph& graph_;
    ThreadTeam& team_;
    WorstCase worst_case_;
    double tolerance_;
    RunWatch* watch_ = nullptr; // of the run that is on
    RunProgress progress_;
    PerfectInformation information_;
    StateBounds bounds_;
    RestrictedPlan restricted_;
    StateId root_ = no_state;         // where plans begin that were looked for last
    std::size_t next_focus_ = 0;      // what a better plan is looked for with
    std::size_t num_improved_ = 0;    // how often that was improved
    std::vector<Residual> residuals_; // by thread
    std::vector<Successors> successors_;
    LargeArray<std::uint32_t> walked_; // by spot: on which walk it was met last
    std::uint32_t num_walks_ = 0;
    std::uint64_t next_pursuit_ = 0; // when so many states are expanded
    Pace pace_{most_at_once};
    LargeArray<double> reach_;       // by spot
    LargeArray<std::uint32_t> best_; // by spot: the option that the best plan takes
    std::vector<Faced> order_;       // what was walked last, children first
    std::vector<Tip> tips_;
    bool is_searching_ = false;
    bool is_exact_ = false;
    bool is_light_ = false; // without what only a search needs
    KeyBuffer buffer_;      // of a key while it is looked at
    LargeMemory reserve_;   // never written to: room to hand over the plan
};

} // namespace branchwise
