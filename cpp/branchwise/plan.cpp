#include "branchwise/plan.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace branchwise {

namespace {

Option option_at(CanonicalGraph const& graph, StateId state, std::uint32_t choice) {
    Option result;
    std::uint32_t number = 0;
    graph.for_each_option(state, [&](Option const& option) {
        if (number++ == choice) {
            result = option;
        }
    });
    return result;
}

/// The plan in hand, worked out to its end.
class PlanInHand {
  public:
    PlanInHand(CanonicalEngine& engine, std::optional<double> seconds)
        : engine_(engine) {
        if (seconds) {
            deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(*seconds));
        }
    }

    [[nodiscard]] std::shared_ptr<CanonicalScores const> scores() {
        follow();
        auto const& graph = engine_.graph();
        result_.scores.resize(graph.size());
        std::sort(states_.begin(), states_.end(),
                  [&](StateId a, StateId b) { return graph.rank(a) < graph.rank(b); });
        for (StateId const state : states_) {
            std::uint32_t const choice = result_.choices[index_of(state)];
            result_.scores[index_of(state)] =
                choice == CanonicalScores::stop
                    ? graph.reward(state)
                    : option_score(graph, option_at(graph, state, choice),
                                   result_.scores);
        }
        return std::make_shared<CanonicalScores const>(std::move(result_));
    }

  private:
    using Clock = std::chrono::steady_clock;

    // So many states are always worth the time.
    static constexpr std::size_t at_least = 64;

    struct Pending {
        double weight; // what is at stake there: its worth, times how likely it is
        double reach;
        StateId state;

        bool operator<(Pending const& other) const {
            return weight != other.weight ? weight < other.weight : state > other.state;
        }
    };

    // The graph grows on the way. Whoever must end now stops where it is not known yet
    // how the plan goes on; so what is worth most comes first.
    void follow() {
        meet(engine_.root(), 1);
        for (std::size_t count = 0; !pending_.empty(); ++count) {
            Pending const next = pending_.top();
            pending_.pop();
            bool const is_late =
                deadline_ && count >= at_least && Clock::now() >= *deadline_;
            if (is_late && !engine_.graph().is_expanded(next.state)) {
                continue;
            }
            std::uint32_t const choice = engine_.planned_option(next.state);
            result_.choices[index_of(next.state)] = choice;
            if (choice != CanonicalScores::stop) {
                follow(next, option_at(engine_.graph(), next.state, choice));
            }
        }
    }

    void follow(Pending const& from, Option const& option) {
        engine_.graph().for_each_child(option, [&](StateId child, double odds) {
            meet(child, from.reach * odds);
        });
    }

    void meet(StateId state, double reach) {
        if (index_of(state) >= result_.choices.size()) {
            result_.choices.resize(engine_.graph().size(), CanonicalScores::stop);
            result_.is_scored.resize(engine_.graph().size());
        }
        if (!result_.is_scored[index_of(state)]) {
            result_.is_scored[index_of(state)] = true;
            states_.push_back(state);
            pending_.push({reach * engine_.planned_score(state), reach, state});
        }
    }

    CanonicalEngine& engine_;
    std::optional<Clock::time_point> deadline_;
    CanonicalScores result_;
    std::vector<StateId> states_;
    std::priority_queue<Pending> pending_;
};

} // namespace

Plan::Plan(CanonicalEngine& engine, std::optional<double> seconds)
    : engine_(engine), root_(engine.root()), root_gain_(engine.root_gain()),
      is_finished_(engine.scores() != nullptr),
      scores_(is_finished_ ? engine.scores() : PlanInHand(engine, seconds).scores()),
      uppers_(is_finished_ ? std::vector<double>{} : engine.uppers()),
      tolerance_(engine.tolerance()) {}

std::optional<Option> Plan::option(StateId state) const {
    assert(scores_->has(state));
    std::uint32_t const choice = scores_->choices[index_of(state)];
    if (choice == CanonicalScores::stop) {
        return std::nullopt;
    }
    return option_at(graph(), state, choice);
}

double Plan::score(StateId state) const {
    assert(scores_->has(state));
    return scores_->scores[index_of(state)];
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
            is_known &= index_of(child) < num_known;
        }
        result.push_back(option);
    });
    return is_known ? std::optional(std::move(result)) : std::nullopt;
}

Ceiling Plan::ceiling(StateId state) const {
    std::size_t const at = index_of(state);
    double const value = is_finished_ ? scores_->scores[at] : uppers_[at];
    double const plan =
        scores_->has(state) ? scores_->scores[at] : graph().reward(state);
    return {value, value - plan <= tolerance_};
}

// Children before parents, without unrolling: a state counts once, however often the
// plan comes there.
TreeShape Plan::shape() const {
    std::unordered_map<std::uint32_t, TreeShape> shapes;
    std::vector<StateId> pending{root_};
    while (!pending.empty()) {
        StateId const state = pending.back();
        auto const number = static_cast<std::uint32_t>(state);
        auto const taken = option(state);
        auto const children = taken ? taken->children : std::span<StateId const>{};
        std::size_t const num_pending = pending.size();
        for (StateId const child : children) {
            if (!shapes.contains(static_cast<std::uint32_t>(child))) {
                pending.push_back(child);
            }
        }
        if (pending.size() > num_pending) {
            continue;
        }
        pending.pop_back();
        TreeShape shape;
        shape.num_leaves = children.empty() ? 1 : 0;
        for (StateId const child : children) {
            TreeShape const& below = shapes[static_cast<std::uint32_t>(child)];
            shape.num_nodes = add_nodes(shape.num_nodes, below.num_nodes);
            shape.num_leaves = add_nodes(shape.num_leaves, below.num_leaves);
            shape.depth = std::max(shape.depth, below.depth + 1);
        }
        shapes[number] = shape;
    }
    return shapes[static_cast<std::uint32_t>(root_)];
}

std::optional<std::size_t> Plan::count_reduced() const {
    if (!is_finished_) {
        return std::nullopt;
    }
    return branchwise::count_reduced(graph(), *scores_, root_);
}

} // namespace branchwise
