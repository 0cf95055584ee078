#include "branchwise/search/plans/plan_book.hpp"

#include <cstddef>
#include <unordered_map>

namespace branchwise {

std::uint32_t PlanBook::enter(BookedStep step) {
    auto const [place, is_new] = numbers_.try_emplace(std::move(step), size());
    if (is_new) {
        steps_.push_back(&place->first);
    }
    return place->second;
}

std::uint32_t PlanBook::enter(Plan const& plan) {
    WorstCase const& worst_case = plan.worst_case();
    auto const& actions = plan.graph().instance().actions;
    std::unordered_map<std::size_t, std::uint32_t> nodes; // by spot
    std::uint32_t last = stop;
    for (Faced const faced : plan.children_first()) {
        last = stop;
        if (auto const option = plan.option(faced)) {
            Variant const& variant =
                actions[option->action.action].variants[option->action.variant];
            BookedStep step{option->action.action, {}};
            std::size_t child = 0;
            for (std::uint32_t i = 0; i < variant.probabilities.size(); ++i) {
                if (variant.can_happen(i)) {
                    Faced const next{option->children[child++], faced.deviations};
                    step.branches.emplace_back(i, nodes.at(worst_case.spot(next)));
                }
            }
            last = enter(std::move(step));
        }
        nodes[worst_case.spot(faced)] = last;
    }
    return last;
}

} // namespace branchwise
