#include "branchwise/search/plans/plan_curve.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace branchwise {

// States become places, children first, so that one sweep over an array values the
// plan. Many values are asked for, and following the plan for each would cost far more.
PlanCurve::PlanCurve(Plan const& plan, std::vector<std::vector<Terms>> terms)
    : terms_(std::move(terms)), root_gain_(plan.graph().gain_value(plan.root_gain())) {
    CanonicalStates const& graph = plan.graph();
    std::unordered_map<std::size_t, std::uint32_t> numbers; // by spot
    std::vector<std::uint32_t> children;
    for (Faced const faced : plan.children_first()) {
        Place place;
        place.reward = graph.reward(faced.state);
        place.first_branch = branches_.size();
        if (auto const option = plan.option(faced)) {
            place.action = option->action.action;
            place.variant = option->action.variant;
            children.clear();
            for (StateId const child : option->children) {
                children.push_back(
                    numbers.at(plan.worst_case().spot({child, faced.deviations})));
            }
            add_branches(graph, *option, children);
        }
        place.end_branch = branches_.size();
        numbers[plan.worst_case().spot(faced)] =
            static_cast<std::uint32_t>(places_.size());
        places_.push_back(place);
    }
    values_ = values(none());
}

void PlanCurve::add_branches(CanonicalStates const& graph, Option const& option,
                             std::span<std::uint32_t const> children) {
    auto const& action = graph.instance().actions[option.action.action];
    graph.for_each_branch(option, [&](std::size_t outcome, std::size_t child, double) {
        double const gain =
            option.gains == nullptr ? 0 : graph.gain_value(option.gains[child]);
        branches_.push_back({static_cast<std::uint32_t>(outcome), children[child],
                             gain - action.charge_of(outcome)});
    });
}

PlanCurve::Chosen PlanCurve::none() const {
    Chosen result(terms_.size());
    for (std::size_t action = 0; action < terms_.size(); ++action) {
        result[action].resize(terms_[action].size());
    }
    return result;
}

std::vector<double> PlanCurve::values(Chosen const& changed) const {
    std::vector<double> result;
    result.reserve(places_.size());
    for (Place const& place : places_) {
        if (place.action == stop) {
            result.push_back(place.reward);
            continue;
        }
        Terms const* const other = changed[place.action][place.variant];
        Terms const& terms =
            other == nullptr ? terms_[place.action][place.variant] : *other;
        double total = -terms.charge;
        for (std::size_t i = place.first_branch; i < place.end_branch; ++i) {
            Branch const& branch = branches_[i];
            total += terms.probabilities[branch.outcome] *
                     (branch.gain + result[branch.place]);
        }
        result.push_back(total);
    }
    return result;
}

double PlanCurve::value(std::span<VariantTerms const> changed) const {
    Chosen chosen = none();
    for (VariantTerms const& each : changed) {
        chosen[each.action][each.variant] = &each.terms;
    }
    return values(chosen).back() + root_gain_;
}

// How fast the value of a place rises by its own drift. Drifts of probabilities add up
// to 0, so any constant may be taken from what the branches are worth. Taking the worth
// of the fastest drift leaves differences: what is rare would be lost in rounding
// otherwise.
double PlanCurve::rise(Place const& place, Terms const& drift) const {
    double total = -drift.charge;
    if (drift.probabilities.empty()) {
        return total;
    }
    auto const worth = [&](Branch const& branch) {
        return branch.gain + values_[branch.place];
    };
    auto const begin = branches_.begin();
    auto const first = begin + static_cast<std::ptrdiff_t>(place.first_branch);
    auto const end = begin + static_cast<std::ptrdiff_t>(place.end_branch);
    auto const fastest =
        std::max_element(first, end, [&](auto const& a, auto const& b) {
            return drift.probabilities[a.outcome] < drift.probabilities[b.outcome];
        });
    for (auto branch = first; branch != end; ++branch) {
        total +=
            drift.probabilities[branch->outcome] * (worth(*branch) - worth(*fastest));
    }
    return total;
}

// The product rule along the plan: a place rises by its own drift, and by the slopes of
// what it leads to.
double PlanCurve::slope(std::span<VariantTerms const> drifts) const {
    Chosen chosen = none();
    for (VariantTerms const& each : drifts) {
        chosen[each.action][each.variant] = &each.terms;
    }
    std::vector<double> slopes;
    slopes.reserve(places_.size());
    for (Place const& place : places_) {
        double total = 0;
        if (place.action != stop) {
            if (Terms const* const drift = chosen[place.action][place.variant]) {
                total = rise(place, *drift);
            }
            auto const& probabilities =
                terms_[place.action][place.variant].probabilities;
            for (std::size_t i = place.first_branch; i < place.end_branch; ++i) {
                total +=
                    probabilities[branches_[i].outcome] * slopes[branches_[i].place];
            }
        }
        slopes.push_back(total);
    }
    return slopes.back();
}

} // namespace branchwise
