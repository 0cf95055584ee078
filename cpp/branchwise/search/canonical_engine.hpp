#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/canonical/canonical_scores.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/canonical/score_graph.hpp"
#include "branchwise/canonical/worst_case.hpp"
#include "branchwise/problem/instance.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/search/best_first.hpp"
#include "branchwise/search/deepening.hpp"
#include "branchwise/search/explorer.hpp"
#include "branchwise/search/finishing_plan.hpp"
#include "branchwise/support/run_watch.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// How far a search came.
enum class Found : std::uint8_t {
    plan,    // and bounds
    optimum, // but ties are not settled
    tree,    // the best of all optimal trees
};

/// Solves an instance over canonical states, again and again if wanted: what was
/// explored before is explored no more.
class CanonicalEngine {
  public:
    CanonicalEngine(Instance instance, std::size_t num_threads,
                    CanonicalGraph::LargeSizes large = {})
        : CanonicalEngine(std::move(instance), num_threads, Look([] {}), large) {}
    /// In large instances `look` is called again and again, and may throw.
    CanonicalEngine(Instance instance, std::size_t num_threads, Look const& look,
                    CanonicalGraph::LargeSizes large = {});

    [[nodiscard]] CanonicalGraph const& graph() const { return graph_; }
    /// What is known of states by now, to be read whatever the engine does next.
    [[nodiscard]] CanonicalStates snapshot() { return graph_.snapshot(); }
    [[nodiscard]] StateId root() const { return start_.state; }
    /// The rewards that are certain before anything is done.
    [[nodiscard]] std::uint32_t root_gain() const { return start_.gain; }

    /// Start from this budget; at most the one it was made with. With actions that are
    /// `left_out`, plans never take these: the start is then another state of the same
    /// graph, as if they had become impossible.
    void start(std::span<std::int64_t const> budget,
               std::span<std::uint8_t const> left_out = {});
    /// Does what is left out make a difference, as far as the states can tell?
    [[nodiscard]] bool is_restricted() const {
        return start_.state != whole_.state || start_.gain != whole_.gain;
    }
    /// What no plan can exceed that may take all actions: by perfect information, or
    /// what was found out since. The watch may end it; then it is a rough bound.
    [[nodiscard]] double whole_bound(RunWatch& watch);
    /// From now on an adversary may deviate so many times along any path, or
    /// `WorstCase::endless`: all scores are those of the worst case.
    void face(std::uint32_t deviations);
    /// Whether the runs from now on are for exact arithmetic: then whatever may be
    /// optimal in it is worked out, however the floats of a run are rounded.
    void set_exact(bool is_exact);
    [[nodiscard]] bool is_exact() const { return is_exact_; }
    /// How far the score of a state may be off by rounding; see `rounding.hpp`.
    [[nodiscard]] double rounding() const;
    /// Take over probabilities, spreads, costs and charges of an action. All else must
    /// be as it was, and what was impossible must still be.
    void change_probabilities(std::size_t action, std::span<Variant const> variants);
    /// Take over the values of rewards. Which is worth more than which, and what is
    /// worth nothing or less, must be as it was; `start` comes next.
    void change_rewards(Instance const& instance);

    /// Explore all there is, then score it. False if the watch ends the run before, or
    /// memory runs out.
    [[nodiscard]] bool explore(Objective objective, RunWatch& watch);

    /// Does `search` hold for the problem? It bounds plans by those that stop early.
    [[nodiscard]] bool can_search() const { return !instance_.must_finish(); }
    /// Where one must finish: find a plan that does and a bound, from what is explored
    /// by now and what such a plan comes to. Nothing if the watch ends the run before
    /// there is a plan, or memory runs out; asked again, it goes on.
    [[nodiscard]] std::optional<Found> finish_early(Objective objective,
                                                    RunWatch& watch);
    /// Does `deepen` hold for the problem as it is now?
    [[nodiscard]] bool can_deepen() const;
    /// What share of all that may help the budget pays for, at the start: of the
    /// resource that is shortest.
    [[nodiscard]] double affordable_share() const;
    /// Deepen until the optimum is proven and ties are settled, which must hold. False
    /// if the watch ends the run before, or memory runs out; asked again, it goes on.
    [[nodiscard]] bool deepen(Objective objective, RunWatch& watch);

    /// Search best first until the gap is this share of the upper bound; with a share
    /// of 0, until the optimum is proven, and then settle ties among optimal plans.
    /// Returns how far it came; in the end there is a plan in any case, even if memory
    /// runs out. Throws `std::bad_alloc` where there is not enough to begin with.
    [[nodiscard]] Found search(double share, Objective objective, RunWatch& watch);

    /// The scores of the last run, if it came to an end; no later run changes them.
    [[nodiscard]] std::shared_ptr<CanonicalScores const> scores() const {
        return scores_;
    }
    /// The states known by now, for those who expand some that they know the scores of,
    /// and these scores, as if a run had come to its end with them.
    [[nodiscard]] CanonicalGraph& graph_to_expand() { return graph_; }
    void adopt(std::shared_ptr<CanonicalScores const> scores) {
        scores_ = std::move(scores);
    }
    /// What the last run explored, if it was `explore` and came to its end: the root
    /// first, and every state before those it leads to.
    [[nodiscard]] ScoreGraph score_graph() const;
    [[nodiscard]] double lower_bound() const;
    [[nodiscard]] double upper_bound() const;

    /// The option that the plan in hand takes at a state that has no score, or
    /// `CanonicalScores::stop`, as far as the watch lets it look; and what the plan is
    /// worth from there on.
    [[nodiscard]] std::uint32_t planned_option(Faced faced, BestFirst::Care care,
                                               RunWatch& watch) {
        graph_.restore_index();
        return searcher().planned_option(faced, care, watch);
    }
    [[nodiscard]] double planned_score(Faced faced) const {
        return search_->lower(faced);
    }
    /// What the plan in hand does, of which there may be nothing yet; and have that of
    /// another engine for the same instance in hand, as far as the watch allows.
    [[nodiscard]] PlanSteps steps_in_hand() const {
        return search_ ? search_->steps_in_hand(start_of_plan()) : PlanSteps{};
    }
    void take_over(PlanSteps const& steps, RunWatch& watch) {
        searcher().take_over(start_of_plan(), steps, watch);
    }
    /// Where one must finish: the scores of the plan that was found early, if the last
    /// run found one.
    [[nodiscard]] std::shared_ptr<CanonicalScores const> early_scores() const {
        return early_scores_;
    }
    /// Upper bounds of a search that is not finished, by spot.
    [[nodiscard]] std::span<double const> uppers() {
        return early_scores_ ? early_uppers_ : searcher().uppers();
    }
    /// What the adversary makes of it.
    [[nodiscard]] WorstCase worst_case() const;
    /// The bound of perfect information at a state; a rough one, if so asked, as where
    /// a diagram would take too long.
    [[nodiscard]] Bound bound(StateId state, bool is_rough = false);

    [[nodiscard]] std::size_t bytes() const;

  private:
    friend class EngineTurn;

    struct Start {
        StateId state{};
        std::uint32_t gain{}; // the rewards that are certain there
    };

    [[nodiscard]] Start enter_start(Residual& residual,
                                    std::span<std::int64_t const> budget,
                                    std::span<std::uint8_t const> left_out);
    void note_largest(Residual const& residual, std::span<std::uint32_t const> gained);
    void note_tolerance();
    template <typename Work>
    [[nodiscard]] static bool has_memory(RunWatch& watch, Work work);
    [[nodiscard]] bool can_find_states(RunWatch& watch);
    [[nodiscard]] bool score_explored(Objective objective, RunWatch& watch);
    [[nodiscard]] Found search_plan(double share, Objective objective, RunWatch& watch);
    [[nodiscard]] bool score(std::span<Faced const> children_first,
                             std::vector<double> known, Objective objective,
                             RunWatch& watch, RunProgress const& progress);
    [[nodiscard]] bool take(std::optional<CanonicalScores> scores);
    [[nodiscard]] std::vector<double> known_of(std::span<Faced const> followed);
    [[nodiscard]] Faced start_of_plan() const {
        return worst_case().start(start_.state);
    }
    BestFirst& searcher();
    void learn_from_deepening();
    void forget_bounds();

    std::atomic_flag is_busy_{};
    Instance instance_;
    ResidualLayout layout_;
    CanonicalGraph graph_;
    ThreadTeam team_;
    Explorer explorer_;
    Start start_;
    Start whole_; // with nothing left out
    bool is_exact_ = false;
    double largest_ = 0; // reward that can be had at all, whatever its sign
    double tolerance_ = 0;
    std::uint32_t deviations_ = 0;
    std::shared_ptr<CanonicalScores const> scores_;
    std::shared_ptr<CanonicalScores const> early_scores_;
    std::vector<double> early_uppers_;         // by spot
    std::unique_ptr<FinishingPlan> finishing_; // once there was one
    std::unique_ptr<BestFirst> search_;        // once there was one
    std::unique_ptr<Deepening> deepening_;     // once there was one
};

/// The right to let an engine do something, which one caller has at a time. Waiting for
/// another thread could not be interrupted, and a listener would wait for itself; so
/// that it is busy is an error.
class EngineTurn {
  public:
    explicit EngineTurn(CanonicalEngine& engine) : engine_(engine) {
        if (engine_.is_busy_.test_and_set(std::memory_order_acquire)) {
            throw std::runtime_error("this engine is at work for another caller");
        }
    }
    EngineTurn(EngineTurn const&) = delete;
    EngineTurn& operator=(EngineTurn const&) = delete;
    ~EngineTurn() { engine_.is_busy_.clear(std::memory_order_release); }

  private:
    CanonicalEngine& engine_;
};

} // namespace branchwise
