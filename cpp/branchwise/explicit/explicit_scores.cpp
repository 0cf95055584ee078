#include "branchwise/explicit/explicit_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace branchwise {

namespace {

using Number = ExplicitGraph::Number;

// As a share of the largest reward: `TIE` in Python.
constexpr double share_of_ties = 1e-12;

// A bound that a plan exceeds by no more, as a share of what the plan is worth, holds.
constexpr double rounding = 1e-9;

/// One run over the states, children first, for one objective.
template <typename Measure>
class Choosing {
  public:
    Choosing(ExplicitGraph const& graph, ExplicitScores& result)
        : graph_(graph), result_(result), measures_(graph.size()) {}

    void score(Number state) {
        double const reward = graph_.rewards[state];
        auto const options = graph_.options(state);
        bool const may_end = graph_.may_end(state);
        double best = may_end ? reward : -std::numeric_limits<double>::infinity();
        worths_.clear();
        for (std::size_t i = options.first; i < options.last; ++i) {
            worths_.push_back(graph_.worth(i, result_.scores));
            best = std::max(best, worths_.back());
        }
        result_.scores[state] = best;
        // Stopping beats acting when both are optimal.
        if (may_end && best - reward <= result_.tolerance) {
            measures_[state] = Measure::stop();
            return;
        }
        choose(state, options.first, best);
    }

  private:
    void choose(Number state, std::size_t first_option, double best) {
        std::int64_t& choice = result_.choices[state];
        std::int64_t leader = ExplicitScores::stop; // the first with a difference
        for (std::size_t i = 0; i < worths_.size(); ++i) {
            if (best - worths_[i] > result_.tolerance) {
                continue;
            }
            std::size_t const option = first_option + i;
            auto const measure = measured(option);
            if (choice == ExplicitScores::stop ||
                Measure::is_less(measure, measures_[state])) {
                choice = static_cast<std::int64_t>(option);
                measures_[state] = measure;
            }
            if (Measure::goes_by_order && leader == ExplicitScores::stop &&
                makes_difference(option, best)) {
                leader = static_cast<std::int64_t>(option);
            }
        }
        choice = leader == ExplicitScores::stop ? choice : leader;
    }

    /// Does some outcome that can happen lead to where more or less is to be had?
    [[nodiscard]] bool makes_difference(std::size_t option, double here) const {
        auto const row = graph_.branches(option);
        for (std::size_t i = row.first; i < row.last; ++i) {
            double const change = result_.scores[graph_.child(i)] - here;
            if (graph_.probabilities[i] > 0 && std::abs(change) > result_.tolerance) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] typename Measure::Value measured(std::size_t option) const {
        auto const row = graph_.branches(option);
        return Measure::act(graph_.costs[option], [&](auto take) {
            for (std::size_t i = row.first; i < row.last; ++i) {
                take(graph_.probabilities[i], measures_[graph_.child(i)]);
            }
        });
    }

    ExplicitGraph const& graph_;
    ExplicitScores& result_;
    std::vector<typename Measure::Value> measures_;
    std::vector<double> worths_; // of the options of one state
};

/// Visit states from the root on, each once; `visit` is called with a state and with
/// what is to be called with the options to follow.
template <typename Visit>
std::size_t visit_from_root(ExplicitGraph const& graph, Visit visit) {
    std::vector<bool> is_met(graph.size());
    std::vector<Number> met{0};
    is_met[0] = true;
    for (std::size_t i = 0; i < met.size(); ++i) {
        visit(met[i], [&](std::size_t option) {
            auto const row = graph.branches(option);
            for (std::size_t branch = row.first; branch < row.last; ++branch) {
                Number const child = graph.child(branch);
                if (!is_met[child]) {
                    is_met[child] = true;
                    met.push_back(child);
                }
            }
        });
    }
    return met.size();
}

std::size_t count_reduced(ExplicitGraph const& graph, ExplicitScores const& result) {
    return visit_from_root(graph, [&](Number state, auto follow) {
        auto const options = graph.options(state);
        for (std::size_t i = options.first; i < options.last; ++i) {
            double const worth = graph.worth(i, result.scores);
            if (result.scores[state] - worth <= result.tolerance) {
                follow(i);
            }
        }
    });
}

/// Measure the tree that was chosen, without unrolling it.
void measure_tree(ExplicitGraph const& graph, std::span<Number const> order,
                  ExplicitScores& result) {
    struct Shape {
        NodeCount num_nodes = 1;
        NodeCount num_leaves = 1;
        std::uint64_t depth = 0;
    };
    std::vector<bool> is_part(graph.size());
    visit_from_root(graph, [&](Number state, auto follow) {
        is_part[state] = true;
        if (result.choices[state] != ExplicitScores::stop) {
            follow(static_cast<std::size_t>(result.choices[state]));
        }
    });
    std::vector<std::uint32_t> places(graph.size());
    std::vector<Shape> shapes;
    for (Number const state : order) {
        if (!is_part[state]) {
            continue;
        }
        places[state] = static_cast<std::uint32_t>(shapes.size());
        Shape shape;
        if (result.choices[state] != ExplicitScores::stop) {
            shape.num_leaves = 0;
            auto const row =
                graph.branches(static_cast<std::size_t>(result.choices[state]));
            for (std::size_t i = row.first; i < row.last; ++i) {
                Shape const& below = shapes[places[graph.child(i)]];
                shape.num_nodes = add_nodes(shape.num_nodes, below.num_nodes);
                shape.num_leaves = add_nodes(shape.num_leaves, below.num_leaves);
                shape.depth = std::max(shape.depth, below.depth + 1);
            }
        }
        shapes.push_back(shape);
    }
    result.num_nodes = shapes.back().num_nodes;
    result.num_leaves = shapes.back().num_leaves;
    result.depth = shapes.back().depth;
}

} // namespace

double tie_tolerance(ExplicitGraph const& graph) {
    double largest = 0;
    for (double const reward : graph.rewards) {
        // What no plan may end with counts for nothing.
        largest = std::isinf(reward) ? largest : std::max(largest, std::abs(reward));
    }
    if (!graph.may_stop.empty()) {
        // There may be nothing but costs.
        for (double const charge : graph.charges) {
            largest = std::max(largest, charge);
        }
    }
    return share_of_ties * largest;
}

ExplicitScores explicit_scores(ExplicitGraph const& graph,
                               std::span<Number const> order, Objective objective) {
    ExplicitScores result;
    result.tolerance = tie_tolerance(graph);
    result.scores.assign(graph.rewards.begin(), graph.rewards.end());
    result.choices.resize(graph.size(), ExplicitScores::stop);
    with_objective(objective, [&](auto measure) {
        Choosing<decltype(measure)> choosing(graph, result);
        for (Number const state : order) {
            choosing.score(state);
        }
    });
    result.num_reduced = count_reduced(graph, result);
    measure_tree(graph, order, result);
    return result;
}

std::vector<double> upper_bounds(ExplicitGraph const& graph,
                                 std::span<Number const> order,
                                 std::span<double const> of_states) {
    std::vector<double> result(of_states.begin(), of_states.end());
    for (Number const state : order) {
        if (graph.is_open(state)) {
            continue;
        }
        double most = graph.rewards[state];
        auto const options = graph.options(state);
        for (std::size_t i = options.first; i < options.last; ++i) {
            most = std::max(most, graph.worth(i, result));
        }
        result[state] = std::min(result[state], most);
    }
    return result;
}

std::optional<std::size_t> broken_bound(ExplicitScores const& scores,
                                        std::span<double const> of_states) {
    for (std::size_t i = 0; i < of_states.size(); ++i) {
        double const slack = scores.tolerance + rounding * std::abs(scores.scores[i]);
        if (scores.scores[i] > of_states[i] + slack) {
            return i;
        }
    }
    return std::nullopt;
}

std::vector<std::int32_t> open_states(ExplicitGraph const& graph,
                                      std::span<double const> bounds,
                                      bool with_every_tie) {
    std::vector<std::int32_t> result;
    double const tolerance = tie_tolerance(graph);
    visit_from_root(graph, [&](Number state, auto follow) {
        if (bounds[state] - graph.rewards[state] <= tolerance) {
            return; // Stopping is as good as anything.
        }
        if (graph.is_open(state)) {
            result.push_back(static_cast<std::int32_t>(state));
            return;
        }
        auto const options = graph.options(state);
        std::size_t best = options.last;
        double most = 0;
        for (std::size_t i = options.first; i < options.last; ++i) {
            double const worth = graph.worth(i, bounds);
            if (with_every_tie && worth >= bounds[state] - tolerance) {
                follow(i);
            } else if (best == options.last || worth > most) {
                best = i;
                most = worth;
            }
        }
        if (!with_every_tie && best != options.last) {
            follow(best);
        }
    });
    return result;
}

} // namespace branchwise
