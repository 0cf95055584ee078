#include "branchwise/search/finishing_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace branchwise {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

/// What can be earned at most, all in all.
double most_earned(Instance const& instance) {
    double total = 0;
    for (InstanceReward const& reward : instance.rewards) {
        double const value = std::max(reward.value, 0.0);
        total = instance.is_sum ? total + value : std::max(total, value);
    }
    return total + instance.most_paid;
}

} // namespace

FinishingPlan::FinishingPlan(CanonicalGraph& graph, ThreadTeam& team)
    : graph_(graph), team_(team), residual_(graph.layout()), way_(graph.layout()) {}

void FinishingPlan::begin(StateId root) {
    root_ = root;
    reached_.clear();
    is_reached_.clear();
    is_wide_.clear();
    pending_.assign(1, root);
}

std::optional<CanonicalScores> FinishingPlan::work_out(StateId root,
                                                       WorstCase const& worst_case,
                                                       Objective objective,
                                                       RunWatch& watch) {
    if (root != root_) {
        begin(root);
    }
    if (!reach(root, watch)) {
        return std::nullopt;
    }
    while (true) {
        auto scores = scored(worst_case, reached_, -endless, objective);
        auto const narrow = to_be_widened(*scores);
        bool goes_on = !narrow.empty();
        for (std::size_t i = 0; goes_on && i < narrow.size(); ++i) {
            goes_on = widen(narrow[i], watch);
        }
        if (!goes_on) {
            return scores;
        }
    }
}

bool FinishingPlan::expand(StateId state, RunWatch& watch) {
    if (graph_.is_expanded(state)) {
        return true;
    }
    graph_.expand({&state, 1}, residual_, successors_);
    if (!watch.has_room(graph_.bytes_to_keep(successors_.parts[0]))) {
        return false;
    }
    graph_.keep(state, successors_, successors_.parts[0], residual_);
    return watch.allows(graph_.size());
}

// Go the cheapest way from there, whatever comes of it, to where one may stop. What
// could not be looked at stays pending.
bool FinishingPlan::reach(StateId from, RunWatch& watch) {
    pending_.push_back(from);
    while (!pending_.empty()) {
        StateId const state = pending_.back();
        is_reached_.resize(graph_.size());
        if (is_reached_[index_of(state)] == 0) {
            bool const is_end = graph_.may_stop(state);
            if (!watch.look({graph_.size(), 0, -1, "exploring"}) ||
                (!is_end && !expand(state, watch))) {
                return false;
            }
            pending_.pop_back();
            is_reached_[index_of(state)] = 1;
            reached_.push_back(state);
            if (!is_end) {
                std::vector<AvailableAction> actions;
                graph_.for_each_option(state, [&](Option const& option) {
                    actions.push_back(option.action);
                });
                residual_.load(graph_.key(state, buffer_));
                add_children(state, way_.choice(residual_, actions));
            }
        } else {
            pending_.pop_back();
        }
    }
    return true;
}

void FinishingPlan::add_children(StateId state, std::uint32_t choice) {
    std::uint32_t number = 0;
    graph_.for_each_option(state, [&](Option const& option) {
        if (number++ == choice) {
            for (StateId const child : option.children) {
                pending_.push_back(child);
            }
        }
    });
}

bool FinishingPlan::widen(StateId state, RunWatch& watch) {
    if (!expand(state, watch)) {
        return false;
    }
    auto const num_options = static_cast<std::uint32_t>(graph_.num_options(state));
    for (std::uint32_t choice = 0; choice < num_options; ++choice) {
        add_children(state, choice);
    }
    if (!reach(state, watch)) {
        return false;
    }
    is_wide_.resize(graph_.size());
    is_wide_[index_of(state)] = 1;
    return true;
}

// Those that the plan comes to; and as long as there is none, all.
std::vector<StateId> FinishingPlan::to_be_widened(CanonicalScores const& scores) const {
    std::vector<StateId> result;
    std::vector<StateId> pending{root_};
    std::vector<bool> is_met(graph_.size());
    bool const has_plan = scores.score({root_, 0}) > -endless;
    if (!has_plan) {
        pending = reached_;
    }
    while (!pending.empty()) {
        StateId const state = pending.back();
        pending.pop_back();
        std::size_t const at = index_of(state);
        if (is_met[at]) {
            continue;
        }
        is_met[at] = true;
        if (at >= is_wide_.size() || is_wide_[at] == 0) {
            result.push_back(state);
        }
        std::uint32_t const choice = scores.choices[at];
        if (has_plan && choice != CanonicalScores::stop) {
            std::uint32_t number = 0;
            graph_.for_each_option(state, [&](Option const& option) {
                if (number++ == choice) {
                    pending.insert(pending.end(), option.children.begin(),
                                   option.children.end());
                }
            });
        }
    }
    return result;
}

// Children come first by rising rank. What is said of the states themselves beforehand
// is that there is no telling.
std::optional<CanonicalScores> FinishingPlan::scored(WorstCase const& worst_case,
                                                     std::vector<StateId> const& states,
                                                     double elsewhere,
                                                     Objective objective) {
    std::vector<std::pair<std::uint64_t, StateId>> by_rank;
    by_rank.reserve(states.size());
    std::vector<double> known(worst_case.num_spots(), elsewhere);
    for (StateId const state : states) {
        by_rank.emplace_back(graph_.rank(state), state);
        known[index_of(state)] = endless;
    }
    std::sort(by_rank.begin(), by_rank.end());
    std::vector<Faced> order;
    order.reserve(states.size());
    for (auto const& [rank, state] : by_rank) {
        order.push_back({state, 0});
    }
    return score_states(graph_, worst_case, order, std::move(known), objective, team_,
                        [] { return true; });
}

// By induction over rank: of a state that is not expanded the bound is that of all
// there is; an expanded one is worth no more than stopping there or its best option,
// and that no more than its bound makes of the bounds of what it leads to.
std::vector<double> FinishingPlan::uppers(WorstCase const& worst_case,
                                          Objective objective) {
    std::vector<StateId> expanded;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
        if (graph_.is_expanded(static_cast<StateId>(i))) {
            expanded.push_back(static_cast<StateId>(i));
        }
    }
    double const most = most_earned(graph_.instance());
    auto result = scored(worst_case, expanded, most, objective)->scores;
    for (double& upper : result) {
        upper = std::min(upper, most); // What was gained on the way counts twice above.
    }
    return result;
}

} // namespace branchwise
