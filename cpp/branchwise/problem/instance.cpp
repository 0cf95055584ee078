#include "branchwise/problem/instance.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace branchwise {

namespace {

std::uint32_t number(auto id) {
    return static_cast<std::uint32_t>(id);
}

std::vector<ConditionId> sorted(std::vector<ConditionId> conditions) {
    std::sort(conditions.begin(), conditions.end());
    auto const last = std::unique(conditions.begin(), conditions.end());
    conditions.erase(last, conditions.end());
    return conditions;
}

} // namespace

ConditionId Conditions::happened(OutcomeId outcome) {
    return known({Condition::Kind::happened, number(outcome), {}});
}

ConditionId Conditions::attempted(ActionId action) {
    return known({Condition::Kind::attempted, number(action), {}});
}

ConditionId Conditions::again(ActionId action) {
    return known({Condition::Kind::again, number(action), {}});
}

ConditionId Conditions::at_least(CounterId counter, std::int64_t threshold,
                                 std::vector<ConditionId> inside) {
    return known({Condition::Kind::at_least, number(counter), sorted(std::move(inside)),
                  threshold});
}

ConditionId Conditions::all(std::vector<ConditionId> inside) {
    inside = sorted(std::move(inside));
    return inside.size() == 1 ? inside[0]
                              : known({Condition::Kind::all, 0, std::move(inside)});
}

ConditionId Conditions::any(std::vector<ConditionId> inside) {
    inside = sorted(std::move(inside));
    return inside.size() == 1 ? inside[0]
                              : known({Condition::Kind::any, 0, std::move(inside)});
}

ConditionId Conditions::negation(ConditionId inside) {
    return known({Condition::Kind::negation, 0, {inside}});
}

ConditionId Conditions::known(Condition condition) {
    assert(std::ranges::all_of(condition.inside,
                               [&](auto id) { return index_of(id) < size(); }));
    auto const next = static_cast<ConditionId>(nodes_.size());
    auto const [place, is_new] =
        ids_.try_emplace(Spelling{condition.kind, condition.subject,
                                  condition.threshold, condition.inside},
                         next);
    if (is_new) {
        nodes_.push_back(std::move(condition));
    }
    return place->second;
}

std::int64_t InstanceAction::dearest_outcome(std::size_t resource) const {
    std::int64_t most = 0;
    for (auto const& price : outcome_prices) {
        most = std::max(most, price[resource]);
    }
    return most;
}

bool Instance::has_outcome_costs() const {
    return std::ranges::any_of(
        actions, [](auto const& action) { return action.has_outcome_costs(); });
}

double Instance::dearest_charge() const {
    double most = 0;
    for (InstanceAction const& action : actions) {
        double extra = 0;
        for (double const charge : action.outcome_charges) {
            extra = std::max(extra, charge);
        }
        for (Variant const& variant : action.variants) {
            most = std::max(most, variant.charge + extra);
        }
    }
    return most;
}

std::size_t Instance::num_outcomes() const {
    std::size_t total = 0;
    for (InstanceAction const& action : actions) {
        total += action.num_outcomes;
    }
    return total;
}

} // namespace branchwise
