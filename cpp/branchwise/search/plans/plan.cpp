#include "branchwise/search/plans/plan.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <queue>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace branchwise {

namespace {

Option option_at(CanonicalStates const& graph, StateId state, std::uint32_t choice) {
    Option result;
    std::uint32_t number = 0;
    graph.for_each_option(state, [&](Option const& option) {
        if (number++ == choice) {
            result = option;
        }
    });
    return result;
}

/// The plan in hand, worked out to its end, or until it is worth what is wanted.
class PlanInHand {
  public:
    PlanInHand(CanonicalEngine& engine, BestFirst::Care care, double wanted,
               RunLimits limits)
        : engine_(engine), worst_case_(engine.worst_case()), care_(care),
          wanted_(wanted), watch_(limits), result_(worst_case_) {}

    [[nodiscard]] std::shared_ptr<CanonicalScores const> scores() {
        follow();
        (void)score_root();
        return std::make_shared<CanonicalScores const>(std::move(result_));
    }

  private:
    struct Pending {
        double weight; // what it is worth there, more where the plan is likely to come
        double reach;
        std::size_t spot;
        Faced faced;

        bool operator<(Pending const& other) const {
            return weight != other.weight ? weight < other.weight : spot > other.spot;
        }
    };

    // The graph grows on the way. A run that must end now stops where it is not known
    // yet how the plan goes on; so what is near a reward comes first, as what was begun
    // and does not get there is worth nothing.
    void follow() {
        meet(worst_case_.start(engine_.root()), 1);
        std::size_t next_look = 1;
        while (!pending_.empty()) {
            Pending const next = pending_.top();
            pending_.pop();
            std::uint32_t const choice =
                engine_.planned_option(next.faced, care_, watch_);
            result_.choices.set(next.spot, choice);
            if (choice != CanonicalScores::stop) {
                follow(next, option_at(engine_.graph(), next.faced.state, choice));
            }
            if (states_.size() >= next_look) {
                next_look = 2 * states_.size();
                if (score_root() >= wanted_) {
                    return;
                }
            }
        }
    }

    /// Work out what the plan is worth if it stops wherever it was not followed yet.
    double score_root() {
        auto const& graph = engine_.graph();
        result_.scores.resize(worst_case_.num_spots());
        std::sort(states_.begin(), states_.end(), [&](Faced a, Faced b) {
            return graph.rank(a.state) < graph.rank(b.state);
        });
        for (Faced const faced : states_) {
            std::size_t const at = worst_case_.spot(faced);
            std::uint32_t const choice = result_.choices[at];
            result_.scores[at] =
                choice == CanonicalScores::stop
                    ? graph.reward(faced.state)
                    : worst_case_.score(option_at(graph, faced.state, choice),
                                        faced.deviations, result_.scores);
        }
        return result_.score(worst_case_.start(engine_.root()));
    }

    // What the plan is worth depends on whether the adversary deviates, and that on
    // what it is worth either way.
    void follow(Pending const& from, Option const& option) {
        std::uint32_t const deviations = from.faced.deviations;
        engine_.graph().for_each_child(option, [&](StateId child, double probability) {
            meet({child, deviations}, from.reach * probability);
            if (worst_case_.can_deviate(option, deviations)) {
                meet({child, worst_case_.after_deviation(deviations)},
                     from.reach * probability);
            }
        });
    }

    void meet(Faced faced, double reach) {
        std::size_t const spot = worst_case_.spot(faced);
        if (spot >= result_.choices.size()) {
            result_.choices.resize(worst_case_.num_spots());
            result_.is_scored.resize(worst_case_.num_spots());
        }
        if (!result_.is_scored[spot]) {
            result_.is_scored[spot] = true;
            states_.push_back(faced);
            double const score = engine_.planned_score(faced);
            pending_.push({std::sqrt(reach) * score, reach, spot, faced});
        }
    }

    CanonicalEngine& engine_;
    WorstCase worst_case_;
    BestFirst::Care care_;
    double wanted_;
    RunWatch watch_;
    CanonicalScores result_;
    std::vector<Faced> states_;
    std::priority_queue<Pending> pending_;
};

// Where there was no time to work the plan out, it may stop where more was said to be
// had. What was shown is a lower bound; so the plan is worked out until it is worth
// that much, time or not.
std::shared_ptr<CanonicalScores const> scores_in_hand(CanonicalEngine& engine,
                                                      RunLimits limits) {
    using Care = BestFirst::Care;
    WorstCase const worst_case = engine.worst_case();
    Faced const root = worst_case.start(engine.root());
    double const promised = engine.lower_bound() - worst_case.tolerance();
    constexpr double all = std::numeric_limits<double>::infinity();
    auto scores = PlanInHand(engine, Care::improved, all, limits).scores();
    if (scores->score(root) < promised) {
        RunLimits const without_time{{}, limits.bytes, {}};
        scores = PlanInHand(engine, Care::promised, promised, without_time).scores();
    }
    return scores;
}

std::shared_ptr<CanonicalScores const> scores_of(CanonicalEngine& engine,
                                                 RunLimits limits) {
    if (engine.scores() != nullptr) {
        return engine.scores();
    }
    auto const early = engine.early_scores();
    return early != nullptr ? early : scores_in_hand(engine, limits);
}

} // namespace

Plan::Plan(CanonicalEngine& engine, RunLimits limits)
    : root_(engine.worst_case().start(engine.root())), root_gain_(engine.root_gain()),
      is_finished_(engine.scores() != nullptr), scores_(scores_of(engine, limits)),
      states_(engine.snapshot()), worst_case_(states_, scores_->worst_case) {
    if (!is_finished_) {
        uppers_.assign(engine.uppers().begin(), engine.uppers().end());
    }
    if (worst_case_.threat() != Threat::none) {
        instance_ = std::make_unique<Instance const>(states_.instance());
        states_.go_by(*instance_);
    }
}

std::optional<Option> Plan::option(Faced faced) const {
    assert(scores_->has(faced));
    std::uint32_t const choice = scores_->choices[worst_case().spot(faced)];
    if (choice == CanonicalScores::stop) {
        return std::nullopt;
    }
    return option_at(graph(), faced.state, choice);
}

bool Plan::deviates(Option const& option, Faced faced) const {
    return worst_case().deviates(option, faced.deviations, scores_->scores);
}

double Plan::score(Faced faced) const {
    assert(scores_->has(faced));
    return scores_->score(faced);
}

// What a later run expanded further leads to states that nothing is known of here.
std::optional<std::vector<Option>> Plan::options(StateId state) const {
    if (!graph().is_expanded(state)) {
        return std::nullopt;
    }
    std::size_t const num_known =
        is_finished_ ? scores_->scores.size() : uppers_.size();
    bool is_known = true;
    std::vector<Option> result;
    graph().for_each_option(state, [&](Option const& option) {
        for (StateId const child : option.children) {
            is_known &= worst_case().spot({child, 0}) < num_known;
        }
        result.push_back(option);
    });
    return is_known ? std::optional(std::move(result)) : std::nullopt;
}

Ceiling Plan::ceiling(Faced faced) const {
    std::size_t const at = worst_case().spot(faced);
    double const value = is_finished_ ? scores_->scores[at] : uppers_[at];
    double const plan =
        scores_->has(faced) ? scores_->scores[at] : graph().reward(faced.state);
    bool const is_known = at < scores_->is_known.size() && scores_->is_known[at];
    return {value, is_known || value - plan <= worst_case().tolerance()};
}

std::vector<Faced> Plan::following(Faced faced) const {
    std::vector<Faced> children;
    if (auto const taken = option(faced)) {
        worst_case().for_each_child(
            *taken, faced.deviations, scores_->scores,
            [&](Faced child, double) { children.push_back(child); });
    }
    return children;
}

std::vector<Faced> Plan::children_first() const {
    std::vector<Faced> result;
    std::unordered_set<std::size_t> is_known; // by spot
    std::vector<Faced> pending{root_};
    while (!pending.empty()) {
        Faced const faced = pending.back();
        std::size_t const num_pending = pending.size();
        for (Faced const child : following(faced)) {
            if (!is_known.contains(worst_case().spot(child))) {
                pending.push_back(child);
            }
        }
        if (pending.size() > num_pending) {
            continue;
        }
        pending.pop_back();
        if (is_known.insert(worst_case().spot(faced)).second) {
            result.push_back(faced);
        }
    }
    return result;
}

// Without unrolling: a state counts once, however often the plan comes there.
TreeShape Plan::shape() const {
    std::unordered_map<std::size_t, TreeShape> shapes; // by spot
    for (Faced const faced : children_first()) {
        auto const children = following(faced);
        TreeShape shape;
        shape.num_leaves = children.empty() ? 1 : 0;
        for (Faced const child : children) {
            TreeShape const& below = shapes[worst_case().spot(child)];
            shape.num_nodes = add_nodes(shape.num_nodes, below.num_nodes);
            shape.num_leaves = add_nodes(shape.num_leaves, below.num_leaves);
            shape.depth = std::max(shape.depth, below.depth + 1);
        }
        shapes[worst_case().spot(faced)] = shape;
    }
    return shapes[worst_case().spot(root_)];
}

std::optional<std::size_t> Plan::count_reduced() const {
    if (!is_finished_) {
        return std::nullopt;
    }
    return branchwise::count_reduced(worst_case_, *scores_, root_);
}

} // namespace branchwise
