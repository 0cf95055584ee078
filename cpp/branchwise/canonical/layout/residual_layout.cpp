#include "branchwise/canonical/layout/residual_layout.hpp"

#include <algorithm>

#include "branchwise/canonical/lanes/lane_tables.hpp"
#include "branchwise/canonical/layout/residual_layout_builder.hpp"

namespace branchwise {

bool ResidualLayout::is_possible(NodeId literal) const {
    ResidualNode const& fact = node(literal);
    if (fact.outcome == ResidualNode::no_outcome ||
        fact.outcome == ResidualNode::again) {
        return true;
    }
    InstanceAction const& action = instance_.actions[fact.action];
    std::size_t const outcome = fact.outcome - index_of(action.first_outcome);
    return std::any_of(
        action.variants.begin(), action.variants.end(),
        [&](Variant const& variant) { return variant.can_happen(outcome); });
}

std::uint64_t ResidualLayout::rank(Word const* key) const {
    std::uint64_t total = 0;
    for (std::size_t w = 0; w < node_words(); ++w) {
        // The last word may also hold fields.
        std::size_t const num_more = nodes_.size() - w * 64;
        Word const mask = num_more < 64 ? (Word{1} << num_more) - 1 : ~Word{0};
        total += count_bits(key[w] & mask);
    }
    for (KeyField const field : attempts_in_use_) {
        total += field.read(key);
    }
    return total;
}

void ResidualLayout::value_levels() {
    for (std::size_t i = 0; !instance_.is_sum && i < level_of_.size(); ++i) {
        levels_[level_of_[i]] = std::max(instance_.rewards[i].value, 0.0);
    }
}

ResidualLayout::ResidualLayout(Instance const& instance, Look const& look)
    : instance_(instance) {
    ResidualLayoutBuilder(*this, look).build();
    for (std::uint32_t const a : repeatable_) {
        attempts_in_use_.push_back(attempts_fields_[a]);
    }
    sets_ = ResidualSets(*this, look);
    lane_tables_ = std::make_unique<LaneTables const>(*this);
}

ResidualLayout::~ResidualLayout() = default;

} // namespace branchwise
