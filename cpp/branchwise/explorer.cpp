#include "branchwise/explorer.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace branchwise {

Explorer::Explorer(CanonicalGraph& graph, ThreadTeam& team)
    : graph_(graph), team_(team), residuals_(team.size(), Residual(graph.layout())),
      successors_(block_size) {}

bool Explorer::explore(StateId root, RunWatch& watch) {
    std::map<std::uint64_t, std::vector<StateId>, std::greater<>> by_rank;
    std::vector<bool> is_met(graph_.size());
    auto const meet = [&](StateId state) {
        if (index_of(state) >= is_met.size()) {
            is_met.resize(graph_.size());
        }
        if (!is_met[index_of(state)]) {
            is_met[index_of(state)] = true;
            by_rank[graph_.rank(state)].push_back(state);
        }
    };
    order_.clear();
    meet(root);
    while (!by_rank.empty()) {
        std::vector<StateId> const states = std::move(by_rank.begin()->second);
        by_rank.erase(by_rank.begin());
        for (std::size_t i = 0; i < states.size(); i += block_size) {
            std::size_t const last = std::min(i + block_size, states.size());
            if (!expand_block(states, i, last, watch)) {
                return false;
            }
        }
        for (StateId const state : states) {
            graph_.for_each_option(state, [&](Option const& option) {
                std::for_each(option.children.begin(), option.children.end(), meet);
            });
        }
        order_.insert(order_.end(), states.begin(), states.end());
    }
    std::reverse(order_.begin(), order_.end());
    return true;
}

bool Explorer::expand_block(std::vector<StateId> const& states, std::size_t first,
                            std::size_t last, RunWatch& watch) {
    team_.share(last - first, [&](std::size_t task, std::size_t thread) {
        StateId const state = states[first + task];
        if (!graph_.is_expanded(state)) {
            graph_.expand(state, residuals_[thread], successors_[task]);
        }
    });
    for (std::size_t i = first; i < last; ++i) {
        if (!graph_.is_expanded(states[i])) {
            graph_.keep(states[i], successors_[i - first], residuals_[0]);
        }
        RunProgress const progress{graph_.size(), 0, -1, "exploring"};
        if (!watch.goes_on(progress)) {
            return false;
        }
    }
    return true;
}

} // namespace branchwise
