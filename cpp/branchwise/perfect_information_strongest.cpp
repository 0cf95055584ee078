#include "branchwise/perfect_information.hpp"

#include <algorithm>

namespace branchwise {

// The probability of the likeliest set.
double PerfectInformation::strongest(Family family) {
    if (family == empty_family || family == unit_family) {
        return family == unit_family ? 1 : 0;
    }
    if (auto const known = strongest_.find(family); known != strongest_.end()) {
        return known->second;
    }
    double const result =
        std::max(strength_with_top(family), strongest(table_->node(family).low));
    strongest_.emplace(family, result);
    return result;
}

double PerfectInformation::strength_with_top(Family family) {
    FamilyNode const node = table_->node(family);
    return chances_[static_cast<std::size_t>(node.element)] *
           strongest(without_action(node.high, action_of(node.element)));
}

std::uint32_t PerfectInformation::action_of(ElementId element) const {
    return actions_[static_cast<std::size_t>(element)];
}

// One lot is drawn of each action, so no set with two of them ever comes true.
Family PerfectInformation::without_action(Family family, std::uint32_t action) const {
    while (family != empty_family && family != unit_family &&
           action_of(table_->node(family).element) == action) {
        family = table_->node(family).low;
    }
    return family;
}

Pursuit PerfectInformation::strongest_pursuit(Residual const& residual) {
    Pursuit result;
    compose(residual);
    result.worth = residual.held();
    Family best = empty_family;
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        NodeRef const ref = layout_.reward(i);
        double const gain = instance_.rewards[i].value - residual.held();
        if (gain > 0 && residual.is_undecided(ref.node)) {
            Family const family = family_of(residual, ref);
            double const worth = residual.held() + gain * strongest(family);
            if (worth > result.worth) {
                result.worth = worth;
                best = family;
            }
        }
    }
    result.hope = result.worth;
    auto elements = strongest_set(best);
    std::stable_sort(elements.begin(), elements.end(), [&](ElementId a, ElementId b) {
        return chances_[static_cast<std::size_t>(a)] <
               chances_[static_cast<std::size_t>(b)];
    });
    for (ElementId const element : elements) {
        result.actions.push_back(action_of(element));
    }
    return result;
}

std::vector<ElementId> PerfectInformation::strongest_set(Family family) {
    std::vector<ElementId> set;
    while (family != empty_family && family != unit_family) {
        FamilyNode const node = table_->node(family);
        if (strength_with_top(family) >= strongest(node.low)) {
            set.push_back(node.element);
            family = without_action(node.high, action_of(node.element));
        } else {
            family = node.low;
        }
    }
    return set;
}

} // namespace branchwise
