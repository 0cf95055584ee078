#include "branchwise/canonical/residual_layout.hpp"

#include <algorithm>

#include "branchwise/canonical/residual_layout_builder.hpp"

namespace branchwise {

bool ResidualLayout::is_possible(NodeId literal) const {
    ResidualNode const& fact = node(literal);
    if (fact.outcome == ResidualNode::no_outcome) {
        return true;
    }
    InstanceAction const& action = instance_.actions[fact.action];
    std::size_t const outcome = fact.outcome - index_of(action.first_outcome);
    return std::any_of(
        action.variants.begin(), action.variants.end(),
        [&](Variant const& variant) { return variant.can_happen(outcome); });
}

void ResidualLayout::value_levels() {
    for (std::size_t i = 0; !instance_.is_sum && i < level_of_.size(); ++i) {
        levels_[level_of_[i]] = std::max(instance_.rewards[i].value, 0.0);
    }
}

ResidualLayout::ResidualLayout(Instance const& instance) : instance_(instance) {
    ResidualLayoutBuilder(*this).build();
    sets_ = ResidualSets(*this);
}

} // namespace branchwise
