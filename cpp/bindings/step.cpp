#include "bindings/step.hpp"

#include <cstddef>
#include <utility>

namespace branchwise {

std::vector<Number> rewards_in(CanonicalStates const& graph, std::uint32_t gain) {
    auto const rewards = graph.gained(gain);
    return {rewards.begin(), rewards.end()};
}

Step step_of(CanonicalStates const& graph, Option const& option) {
    auto const& action = graph.instance().actions[option.action.action];
    Variant const& variant = action.variants[option.action.variant];
    std::vector<Branch> branches;
    for (Number outcome = 0; outcome < action.num_outcomes; ++outcome) {
        if (variant.can_happen(outcome)) {
            std::size_t const child = branches.size();
            std::uint32_t const gain =
                option.gains == nullptr ? 0 : option.gains[child];
            branches.emplace_back(outcome, static_cast<Number>(option.children[child]),
                                  rewards_in(graph, gain));
        }
    }
    return {option.action.action, option.action.variant, std::move(branches)};
}

} // namespace branchwise
