#include "branchwise/canonical/canonical_scores.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "branchwise/canonical/scoring.hpp"

namespace branchwise {

namespace {

constexpr std::size_t most_at_once = 64 * scored_at_a_time;

/// Every state, with every number of deviations.
struct EveryLayer {
    std::span<StateId const> states;
    std::size_t num_layers;

    [[nodiscard]] std::size_t size() const { return states.size() * num_layers; }
    [[nodiscard]] Faced operator[](std::size_t i) const {
        return {states[i / num_layers], static_cast<std::uint32_t>(i % num_layers)};
    }
};

/// Where states of equal rank end, in an order in which ranks never fall: these do not
/// lead to each other.
template <typename Order>
class EqualRanks {
  public:
    EqualRanks(CanonicalGraph const& graph, Order const& order)
        : graph_(graph), order_(order) {}

    // Not too many, to look up between.
    [[nodiscard]] std::size_t operator()(std::size_t first) const {
        std::size_t const most = std::min(order_.size(), first + most_at_once);
        std::uint64_t const rank = graph_.rank(order_[first].state);
        // Ever larger steps first, as keys lie anywhere in memory; then half as large.
        std::size_t last = first + 1;
        std::size_t step = 1;
        while (last + step <= most &&
               graph_.rank(order_[last + step - 1].state) == rank) {
            last += step;
            step *= 2;
        }
        for (; step > 0; step /= 2) {
            if (last + step <= most &&
                graph_.rank(order_[last + step - 1].state) == rank) {
                last += step;
            }
        }
        return last;
    }

  private:
    CanonicalGraph const& graph_;
    Order const& order_;
};

/// Have all scored. False if it had to end before.
template <typename Measure, typename Order>
bool score_by(CanonicalGraph const& graph, CanonicalScores& result, bool has_known,
              Order const& order, ThreadTeam& team, GoesOn const& goes_on) {
    Scoring<Measure> scoring(result, has_known, team.size());
    return scoring.score_all(order, EqualRanks(graph, order), team, goes_on);
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
    Scoring<Measure> scoring(result, has_known, team.size());
    if (!scoring.score_all(order, EqualRanks(graph, order), team, goes_on)) {
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
