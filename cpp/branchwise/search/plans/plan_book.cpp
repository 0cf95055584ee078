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
    std::unordered_map<std::size_t, std::uint32_t> nodes; // by spot
    std::uint32_t last = stop;
    for (Faced const faced : plan.children_first()) {
        last = stop;
        if (auto const option = plan.option(faced)) {
            BookedStep step{option->action.action, {}};
            plan.graph().for_each_branch(
                *option, [&](std::size_t outcome, std::size_t child, double) {
                    Faced const next{option->children[child], faced.deviations};
                    step.branches.emplace_back(static_cast<std::uint32_t>(outcome),
                                               nodes.at(worst_case.spot(next)));
                });
            last = enter(std::move(step));
        }
        nodes[worst_case.spot(faced)] = last;
    }
    return last;
}

} // namespace branchwise
