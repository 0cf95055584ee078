#include "branchwise/canonical/canonical_scores.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace branchwise {

namespace {

constexpr std::size_t at_a_time = 256;
constexpr std::size_t most_at_once = 64 * at_a_time;

// No plan may come to where it could only get stuck, if that must not happen.
constexpr double out_of_the_question = -std::numeric_limits<double>::infinity();

// What is rarer stands for what cannot happen, and is no part of a tree.
constexpr double next_to_nothing = 1e-250;

[[nodiscard]] bool is_part(double probability) {
    return probability > next_to_nothing || probability == 0;
}

/// Every state, with every number of deviations.
struct EveryLayer {
    std::span<StateId const> states;
    std::size_t num_layers;

    [[nodiscard]] std::size_t size() const { return states.size() * num_layers; }
    [[nodiscard]] Faced operator[](std::size_t i) const {
        return {states[i / num_layers], static_cast<std::uint32_t>(i % num_layers)};
    }
};

/// Counts the nodes of trees in less memory, exactly up to half of what the number can
/// hold, where it stays.
template <typename Number>
struct FewestSmallNodes {
    static constexpr bool goes_by_order = false;
    using Value = Number;
    static constexpr Value too_many = Value{1} << (8 * sizeof(Value) - 1);

    static Value stop() { return 1; }
    template <typename Children>
    static Value act(double /*cost*/, Children children) {
        Value total = 1;
        children([&](double, Value below) {
            total +=
                below; // Both are at most that, so only twice as much is lost, to 0.
            total = total > too_many || total < below ? too_many : total;
        });
        return total;
    }
    static bool is_less(Value one, Value other) { return one < other; }
};

/// What an option is worth, worked out without looking anything up twice.
class OptionValues {
  public:
    explicit OptionValues(WorstCase const& worst_case)
        : worst_case_(worst_case), instance_(worst_case.graph().instance()),
          has_outcome_costs_(instance_.has_outcome_costs()) {
        for (InstanceAction const& action : instance_.actions) {
            first_.push_back(variants_.size());
            for (Variant const& variant : action.variants) {
                variants_.push_back({probabilities_.size(), variant.charge});
                for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
                    if (variant.can_happen(i)) {
                        probabilities_.push_back(variant.probabilities[i]);
                    }
                }
            }
        }
    }

    /// As `WorstCase::score`, to the last bit.
    [[nodiscard]] double score(Option const& option, std::uint32_t deviations,
                               std::span<double const> scores) const {
        if (option.gains != nullptr || worst_case_.threat() != Threat::none ||
            has_outcome_costs_ || option.chances != nullptr) {
            return worst_case_.score(option, deviations, scores);
        }
        Own const& own =
            variants_[first_[option.action.action] + option.action.variant];
        // Nothing is gained on the way; that much makes a 0 of a -0.
        constexpr double gain = 0;
        double expected = 0;
        for (std::size_t i = 0; i < option.children.size(); ++i) {
            expected += probabilities_[own.first_probability + i] *
                        (gain + scores[index_of(option.children[i])]);
        }
        return expected - own.charge;
    }

  private:
    struct Own {
        std::size_t first_probability;
        double charge;
    };

    WorstCase const& worst_case_;
    Instance const& instance_;
    bool has_outcome_costs_;
    std::vector<std::size_t> first_; // variant, by action
    std::vector<Own> variants_;
    std::vector<double> probabilities_; // of outcomes that can happen
};

/// One run over the states, children first, for one objective.
template <typename Measure>
class Scoring {
  public:
    Scoring(CanonicalGraph const& graph, CanonicalScores& result, bool has_known,
            std::size_t num_threads)
        : graph_(graph), worst_case_(result.worst_case), result_(result),
          has_known_(has_known), values_(worst_case_),
          measures_(worst_case_.num_spots()), good_(num_threads) {}

    [[nodiscard]] std::span<typename Measure::Value const> measures() const {
        return measures_;
    }

    template <typename Order>
    [[nodiscard]] bool score_all(Order const& order, ThreadTeam& team,
                                 GoesOn const& goes_on) {
        for (std::size_t first = 0; first < order.size();) {
            std::size_t const last = end_of_equals(order, first);
            std::size_t const num_tasks = (last - first + at_a_time - 1) / at_a_time;
            team.share(num_tasks, [&](std::size_t task, std::size_t thread) {
                std::size_t const begin = first + task * at_a_time;
                std::size_t const end = std::min(begin + at_a_time, last);
                for (std::size_t i = begin; i < end; ++i) {
                    if (i + ahead < end) {
                        fetch_children(order[i + ahead]);
                    }
                    score(order[i], good_[thread]);
                }
            });
            first = last;
            if (!goes_on()) {
                return false;
            }
        }
        return true;
    }

  private:
    static constexpr std::size_t ahead = 4;

    /// An option that is as good as the best of those before it.
    struct Good {
        std::uint32_t number{};
        double value{};
        Option option{};
    };

    void score(Faced faced, std::vector<Good>& good) {
        std::size_t const at = worst_case_.spot(faced);
        double const reward = graph_.reward(faced.state);
        // What is known to be worth no more than stopping is the end, even if it is
        // expanded: of its children nothing need be known.
        bool const is_end =
            has_known_ && result_.scores[at] - reward <= worst_case_.tolerance();
        result_.scores[at] = reward;
        result_.choices.set(at, CanonicalScores::stop);
        measures_[at] = Measure::stop();
        if (is_end || !graph_.is_expanded(faced.state)) {
            return;
        }
        bool const may_stop = graph_.may_stop(faced.state);
        double best = may_stop ? reward : out_of_the_question;
        std::uint32_t num_options = 0;
        good.clear();
        graph_.for_each_option(faced.state, [&](Option const& option) {
            double const value =
                values_.score(option, faced.deviations, result_.scores);
            // The best only gets better, so what is too far off now will stay so.
            if (best - value <= worst_case_.tolerance()) {
                good.push_back({num_options, value, option});
            }
            best = std::max(best, value);
            ++num_options;
        });
        if (!may_stop && num_options == 0) {
            // It is stuck here, and paid what that counts as.
            best = graph_.instance().finish->may_get_stuck ? reward : best;
        }
        result_.scores[at] = best;
        // Stopping beats acting when both are optimal.
        if (!may_stop || best - reward > worst_case_.tolerance()) {
            choose(faced, best, good);
        }
    }

    // Scores of children lie anywhere; have them brought from memory in time.
    void fetch_children(Faced faced) const {
        if (!graph_.is_expanded(faced.state)) {
            return;
        }
        graph_.for_each_option(faced.state, [&](Option const& option) {
            for (StateId const child : option.children) {
                std::size_t const spot = worst_case_.spot({child, faced.deviations});
                __builtin_prefetch(result_.scores.data() + spot);
            }
        });
    }

    // States of equal rank do not lead to each other, and ranks never fall. Not too
    // many, to look up between.
    template <typename Order>
    [[nodiscard]] std::size_t end_of_equals(Order const& order,
                                            std::size_t first) const {
        std::size_t const most = std::min(order.size(), first + most_at_once);
        std::uint64_t const rank = graph_.rank(order[first].state);
        // Ever larger steps first, as keys lie anywhere in memory; then half as large.
        std::size_t last = first + 1;
        std::size_t step = 1;
        while (last + step <= most &&
               graph_.rank(order[last + step - 1].state) == rank) {
            last += step;
            step *= 2;
        }
        for (; step > 0; step /= 2) {
            if (last + step <= most &&
                graph_.rank(order[last + step - 1].state) == rank) {
                last += step;
            }
        }
        return last;
    }

    void choose(Faced faced, double best, std::span<Good const> good) {
        std::size_t const at = worst_case_.spot(faced);
        std::uint32_t first = CanonicalScores::stop; // that makes a difference
        for (auto const& [number, value, option] : good) {
            if (best - value <= worst_case_.tolerance()) {
                auto const measure = measured(option, faced);
                if (result_.choices[at] == CanonicalScores::stop ||
                    Measure::is_less(measure, measures_[at])) {
                    measures_[at] = measure;
                    result_.choices.set(at, number);
                }
                if (Measure::goes_by_order && first == CanonicalScores::stop &&
                    makes_difference(option, faced, best)) {
                    first = number;
                }
            }
        }
        if (first != CanonicalScores::stop) {
            result_.choices.set(at, first);
        }
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
        double const cost = variant.cost + cost_of_outcomes(option, faced);
        return Measure::act(cost, [&](auto take) {
            for_each_child(option, faced, [&](Faced child, double probability) {
                if (is_part(probability)) {
                    take(probability, measures_[worst_case_.spot(child)]);
                }
            });
        });
    }

    /// What outcomes are expected to cost.
    [[nodiscard]] double cost_of_outcomes(Option const& option, Faced faced) const {
        auto const& action = graph_.layout().instance().actions[option.action.action];
        if (!action.has_outcome_costs()) {
            return 0;
        }
        std::vector<std::size_t> outcomes;
        graph_.for_each_branch(option, [&](std::size_t outcome, std::size_t, double) {
            outcomes.push_back(outcome);
        });
        double total = 0;
        std::size_t child = 0;
        for_each_child(option, faced, [&](Faced, double probability) {
            total += probability * action.outcome_costs[outcomes[child++]];
        });
        return total;
    }

    template <typename Visit>
    void for_each_child(Option const& option, Faced faced, Visit visit) const {
        worst_case_.for_each_child(option, faced.deviations, result_.scores, visit);
    }

    CanonicalGraph const& graph_;
    WorstCase const& worst_case_;
    CanonicalScores& result_;
    bool has_known_; // of states that are not worked out
    OptionValues values_;
    std::vector<typename Measure::Value> measures_;
    std::vector<std::vector<Good>> good_; // by thread
};

/// Have all scored. False if it had to end before.
template <typename Measure, typename Order>
bool score_by(CanonicalGraph const& graph, CanonicalScores& result, bool has_known,
              Order const& order, ThreadTeam& team, GoesOn const& goes_on) {
    Scoring<Measure> scoring(graph, result, has_known, team.size());
    return scoring.score_all(order, team, goes_on);
}

/// What came of counting nodes in little memory.
enum class Counted : std::uint8_t { all, too_many, broken_off };

// Where there are too many nodes, all is as it was.
template <typename Number, typename Order>
Counted score_by_few_nodes(CanonicalGraph const& graph, CanonicalScores& result,
                           bool has_known, Order const& order, ThreadTeam& team,
                           GoesOn const& goes_on) {
    using Measure = FewestSmallNodes<Number>;
    WorstCase const& worst_case = result.worst_case;
    std::vector<double> known; // What was known is written over.
    for (std::size_t i = 0; has_known && i < order.size(); ++i) {
        known.push_back(result.scores[worst_case.spot(order[i])]);
    }
    Scoring<Measure> scoring(graph, result, has_known, team.size());
    if (!scoring.score_all(order, team, goes_on)) {
        return Counted::broken_off;
    }
    auto const measures = scoring.measures();
    if (std::find(measures.begin(), measures.end(), Measure::too_many) ==
        measures.end()) {
        return Counted::all;
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
        result.scores[worst_case.spot(order[i])] = known[i];
    }
    return Counted::too_many;
}

// Hardly any tree has so many nodes that less memory would not do: then once more.
template <typename Order>
bool score_by_fewest_nodes(CanonicalGraph const& graph, CanonicalScores& result,
                           bool has_known, Order const& order, ThreadTeam& team,
                           GoesOn const& goes_on) {
    Counted counted = score_by_few_nodes<std::uint32_t>(graph, result, has_known, order,
                                                        team, goes_on);
    if (counted == Counted::too_many) {
        counted = score_by_few_nodes<std::uint64_t>(graph, result, has_known, order,
                                                    team, goes_on);
    }
    if (counted == Counted::too_many) {
        return score_by<FewestNodes>(graph, result, has_known, order, team, goes_on);
    }
    return counted == Counted::all;
}

template <typename Order>
std::optional<CanonicalScores>
score_in_order(CanonicalGraph const& graph, WorstCase const& worst_case,
               Order const& order, std::vector<double> known, Objective objective,
               ThreadTeam& team, GoesOn const& goes_on) {
    CanonicalScores result(worst_case);
    bool const has_known = !known.empty();
    result.scores = std::move(known);
    result.scores.resize(worst_case.num_spots());
    result.choices.resize(worst_case.num_spots());
    result.is_scored.resize(worst_case.num_spots());
    for (std::size_t i = 0; i < order.size(); ++i) {
        result.is_scored[worst_case.spot(order[i])] = true;
    }
    bool is_done = false;
    if (objective == Objective::fewest_nodes) {
        is_done = score_by_fewest_nodes(graph, result, has_known, order, team, goes_on);
    } else {
        with_objective(objective, [&](auto measure) {
            is_done = score_by<decltype(measure)>(graph, result, has_known, order, team,
                                                  goes_on);
        });
    }
    return is_done ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace

std::optional<CanonicalScores>
score_states(CanonicalGraph const& graph, WorstCase const& worst_case,
             std::span<Faced const> children_first, std::vector<double> known,
             Objective objective, ThreadTeam& team, GoesOn const& goes_on) {
    return score_in_order(graph, worst_case, children_first, std::move(known),
                          objective, team, goes_on);
}

std::optional<CanonicalScores> score_states(CanonicalGraph const& graph,
                                            WorstCase const& worst_case,
                                            std::span<StateId const> children_first,
                                            Objective objective, ThreadTeam& team,
                                            GoesOn const& goes_on) {
    EveryLayer const order{children_first, worst_case.num_layers()};
    return score_in_order(graph, worst_case, order, {}, objective, team, goes_on);
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
