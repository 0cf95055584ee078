#include "branchwise/canonical/canonical_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace branchwise {

namespace {

constexpr std::size_t at_a_time = 256;
constexpr std::size_t most_at_once = 64 * at_a_time;

// What is rarer stands for what cannot happen, and is no part of a tree.
constexpr double next_to_nothing = 1e-250;

[[nodiscard]] bool is_part(double probability) {
    return probability > next_to_nothing || probability == 0;
}

/// One run over the states, children first, for one objective.
template <typename Measure>
class Scoring {
  public:
    Scoring(CanonicalGraph const& graph, CanonicalScores& result, bool has_known)
        : graph_(graph), worst_case_(result.worst_case), result_(result),
          has_known_(has_known), measures_(worst_case_.num_spots()) {}

    void score(Faced faced) {
        std::size_t const at = worst_case_.spot(faced);
        double const reward = graph_.reward(faced.state);
        // What is known to be worth no more than stopping is the end, even if it is
        // expanded: of its children nothing need be known.
        bool const is_end =
            has_known_ && result_.scores[at] - reward <= worst_case_.tolerance();
        result_.scores[at] = reward;
        result_.choices[at] = CanonicalScores::stop;
        measures_[at] = Measure::stop();
        if (is_end || !graph_.is_expanded(faced.state)) {
            return;
        }
        double best = reward;
        graph_.for_each_option(faced.state, [&](Option const& option) {
            best = std::max(best, score_of(option, faced));
        });
        result_.scores[at] = best;
        // Stopping beats acting when both are optimal.
        if (best - reward > worst_case_.tolerance()) {
            choose(faced, best);
        }
    }

    [[nodiscard]] bool score_all(std::span<Faced const> states, ThreadTeam& team,
                                 GoesOn const& goes_on) {
        while (!states.empty()) {
            auto const equals = equally_ranked(states);
            std::size_t const num_tasks = (equals.size() + at_a_time - 1) / at_a_time;
            team.share(num_tasks, [&](std::size_t task, std::size_t) {
                std::size_t const begin = task * at_a_time;
                std::size_t const size = std::min(at_a_time, equals.size() - begin);
                for (Faced const faced : equals.subspan(begin, size)) {
                    score(faced);
                }
            });
            states = states.subspan(equals.size());
            if (!goes_on()) {
                return false;
            }
        }
        return true;
    }

  private:
    // States of equal rank do not lead to each other. Not too many, to look up between.
    [[nodiscard]] std::span<Faced const>
    equally_ranked(std::span<Faced const> states) const {
        std::size_t const most = std::min(states.size(), most_at_once);
        std::uint64_t const rank = graph_.rank(states[0].state);
        std::size_t count = 1;
        while (count < most && graph_.rank(states[count].state) == rank) {
            ++count;
        }
        return states.first(count);
    }

    void choose(Faced faced, double best) {
        std::uint32_t number = 0;
        std::size_t const at = worst_case_.spot(faced);
        std::uint32_t first = CanonicalScores::stop; // that makes a difference
        graph_.for_each_option(faced.state, [&](Option const& option) {
            if (best - score_of(option, faced) <= worst_case_.tolerance()) {
                auto const measure = measured(option, faced);
                if (result_.choices[at] == CanonicalScores::stop ||
                    Measure::is_less(measure, measures_[at])) {
                    measures_[at] = measure;
                    result_.choices[at] = number;
                }
                if (Measure::goes_by_order && first == CanonicalScores::stop &&
                    makes_difference(option, faced, best)) {
                    first = number;
                }
            }
            ++number;
        });
        if (first != CanonicalScores::stop) {
            result_.choices[at] = first;
        }
    }

    [[nodiscard]] double score_of(Option const& option, Faced faced) const {
        return worst_case_.score(option, faced.deviations, result_.scores);
    }

    /// Does some outcome that can happen lead to where more or less is to be had than
    /// here?
    [[nodiscard]] bool makes_difference(Option const& option, Faced faced,
                                        double here) const {
        bool result = false;
        std::size_t number = 0;
        for_each_child(option, faced, [&](Faced child, double probability) {
            double const gain =
                option.gains == nullptr ? 0 : graph_.gain_value(option.gains[number]);
            double const there = gain + result_.scores[worst_case_.spot(child)];
            ++number;
            result |= probability > next_to_nothing &&
                      std::abs(there - here) > worst_case_.tolerance();
        });
        return result;
    }

    typename Measure::Value measured(Option const& option, Faced faced) const {
        auto const& action = graph_.layout().instance().actions[option.action.action];
        Variant const& variant = action.variants[option.action.variant];
        return Measure::act(variant.cost, [&](auto take) {
            for_each_child(option, faced, [&](Faced child, double probability) {
                if (is_part(probability)) {
                    take(probability, measures_[worst_case_.spot(child)]);
                }
            });
        });
    }

    template <typename Visit>
    void for_each_child(Option const& option, Faced faced, Visit visit) const {
        worst_case_.for_each_child(option, faced.deviations, result_.scores, visit);
    }

    CanonicalGraph const& graph_;
    WorstCase const& worst_case_;
    CanonicalScores& result_;
    bool has_known_; // of states that are not worked out
    std::vector<typename Measure::Value> measures_;
};

} // namespace

std::optional<CanonicalScores>
score_states(CanonicalGraph const& graph, WorstCase const& worst_case,
             std::span<Faced const> children_first, std::vector<double> known,
             Objective objective, ThreadTeam& team, GoesOn const& goes_on) {
    CanonicalScores result(worst_case);
    bool const has_known = !known.empty();
    result.scores = std::move(known);
    result.scores.resize(worst_case.num_spots());
    result.choices.resize(worst_case.num_spots(), CanonicalScores::stop);
    result.is_scored.resize(worst_case.num_spots());
    for (Faced const faced : children_first) {
        result.is_scored[worst_case.spot(faced)] = true;
    }
    bool is_done = false;
    with_objective(objective, [&](auto measure) {
        Scoring<decltype(measure)> scoring(graph, result, has_known);
        is_done = scoring.score_all(children_first, team, goes_on);
    });
    return is_done ? std::optional(std::move(result)) : std::nullopt;
}

std::size_t count_reduced(WorstCase const& worst_case, CanonicalScores const& scores,
                          Faced root) {
    CanonicalStates const& graph = worst_case.graph();
    std::vector<bool> is_met(scores.is_scored.size());
    std::vector<Faced> pending{root};
    is_met[worst_case.spot(root)] = true;
    // A state counts once, however often an adversary may still deviate there.
    std::vector<bool> is_counted(graph.size());
    while (!pending.empty()) {
        Faced const faced = pending.back();
        pending.pop_back();
        is_counted[index_of(faced.state)] = true;
        if (!graph.is_expanded(faced.state)) {
            continue;
        }
        double const best = scores.score(faced);
        graph.for_each_option(faced.state, [&](Option const& option) {
            std::vector<Faced> children;
            bool is_known = scores.knows(option);
            if (is_known &&
                best - worst_case.score(option, faced.deviations, scores.scores) <=
                    worst_case.tolerance()) {
                worst_case.for_each_child(option, faced.deviations, scores.scores,
                                          [&](Faced child, double) {
                                              is_known &= scores.has(child);
                                              children.push_back(child);
                                          });
            }
            for (Faced const child : children) {
                if (is_known && !is_met[worst_case.spot(child)]) {
                    is_met[worst_case.spot(child)] = true;
                    pending.push_back(child);
                }
            }
        });
    }
    return static_cast<std::size_t>(
        std::count(is_counted.begin(), is_counted.end(), true));
}

} // namespace branchwise
