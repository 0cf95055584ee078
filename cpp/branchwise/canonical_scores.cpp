#include "branchwise/canonical_scores.hpp"

#include <algorithm>
#include <utility>

namespace branchwise {

namespace {

constexpr std::size_t at_a_time = 256;

/// One run over the states, children first, for one objective.
template <typename Measure>
class Scoring {
  public:
    Scoring(CanonicalGraph const& graph, CanonicalScores& result, bool has_known)
        : graph_(graph), result_(result), has_known_(has_known),
          measures_(graph.size()) {}

    void score(StateId state) {
        std::size_t const at = index_of(state);
        double const reward = graph_.reward(state);
        // What is known to be worth no more than stopping is the end, even if it is
        // expanded: of its children nothing need be known.
        bool const is_end =
            has_known_ && result_.scores[at] - reward <= result_.tolerance;
        result_.scores[at] = reward;
        result_.choices[at] = CanonicalScores::stop;
        measures_[at] = Measure::stop();
        if (is_end || !graph_.is_expanded(state)) {
            return;
        }
        double best = reward;
        graph_.for_each_option(state, [&](Option const& option) {
            best = std::max(best, option_score(graph_, option, result_.scores));
        });
        result_.scores[at] = best;
        // Stopping beats acting when both are optimal.
        if (best - reward > result_.tolerance) {
            choose(state, best);
        }
    }

  private:
    void choose(StateId state, double best) {
        std::uint32_t number = 0;
        std::size_t const at = index_of(state);
        graph_.for_each_option(state, [&](Option const& option) {
            double const score = option_score(graph_, option, result_.scores);
            if (best - score <= result_.tolerance) {
                auto const measure = measured(option);
                if (result_.choices[at] == CanonicalScores::stop ||
                    Measure::is_less(measure, measures_[at])) {
                    measures_[at] = measure;
                    result_.choices[at] = number;
                }
            }
            ++number;
        });
    }

    typename Measure::Value measured(Option const& option) const {
        auto const& action = graph_.layout().instance().actions[option.action.action];
        Variant const& variant = action.variants[option.action.variant];
        return Measure::act(variant.cost, [&](auto take) {
            graph_.for_each_child(option, [&](StateId child, double odds) {
                take(odds, measures_[index_of(child)]);
            });
        });
    }

    CanonicalGraph const& graph_;
    CanonicalScores& result_;
    bool has_known_; // of states that are not worked out
    std::vector<typename Measure::Value> measures_;
};

} // namespace

double option_score(CanonicalGraph const& graph, Option const& option,
                    std::vector<double> const& scores) {
    auto const& action = graph.layout().instance().actions[option.action.action];
    Variant const& variant = action.variants[option.action.variant];
    double expected = 0;
    std::size_t child = 0;
    for (double const odds : variant.probabilities) {
        if (odds > 0) {
            double const gain =
                option.gains == nullptr ? 0 : graph.gain_value(option.gains[child]);
            expected += odds * (gain + scores[index_of(option.children[child])]);
            ++child;
        }
    }
    return expected - variant.charge;
}

CanonicalScores score_states(CanonicalGraph const& graph,
                             std::vector<StateId> const& children_first,
                             std::vector<double> known, Objective objective,
                             double tolerance, ThreadTeam& team) {
    CanonicalScores result;
    bool const has_known = !known.empty();
    result.scores = std::move(known);
    result.scores.resize(graph.size());
    result.choices.resize(graph.size(), CanonicalScores::stop);
    result.tolerance = tolerance;
    result.is_scored.resize(graph.size());
    for (StateId const state : children_first) {
        result.is_scored[index_of(state)] = true;
    }
    with_objective(objective, [&](auto measure) {
        Scoring<decltype(measure)> scoring(graph, result, has_known);
        for (std::size_t first = 0; first < children_first.size();) {
            std::size_t last = first + 1;
            while (last < children_first.size() &&
                   graph.rank(children_first[last]) ==
                       graph.rank(children_first[first])) {
                ++last;
            }
            // States of equal rank do not lead to each other.
            std::size_t const num_tasks = (last - first + at_a_time - 1) / at_a_time;
            team.share(num_tasks, [&](std::size_t task, std::size_t) {
                std::size_t const begin = first + task * at_a_time;
                std::size_t const end = std::min(begin + at_a_time, last);
                for (std::size_t i = begin; i < end; ++i) {
                    scoring.score(children_first[i]);
                }
            });
            first = last;
        }
    });
    return result;
}

std::size_t count_reduced(CanonicalGraph const& graph, CanonicalScores const& scores,
                          StateId root) {
    std::vector<bool> is_met(graph.size());
    std::vector<StateId> pending{root};
    is_met[index_of(root)] = true;
    std::size_t count = 0;
    while (!pending.empty()) {
        StateId const state = pending.back();
        pending.pop_back();
        ++count;
        if (!graph.is_expanded(state)) {
            continue;
        }
        double const best = scores.scores[index_of(state)];
        graph.for_each_option(state, [&](Option const& option) {
            auto const is_scored = [&](StateId child) { return scores.has(child); };
            bool const is_known =
                std::all_of(option.children.begin(), option.children.end(), is_scored);
            if (!is_known ||
                best - option_score(graph, option, scores.scores) > scores.tolerance) {
                return;
            }
            for (StateId const child : option.children) {
                if (!is_met[index_of(child)]) {
                    is_met[index_of(child)] = true;
                    pending.push_back(child);
                }
            }
        });
    }
    return count;
}

} // namespace branchwise
