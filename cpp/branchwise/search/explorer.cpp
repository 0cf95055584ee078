#include "branchwise/search/explorer.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace branchwise {

Explorer::Explorer(CanonicalGraph& graph, ThreadTeam& team)
    : graph_(graph), team_(team), residuals_(team.size(), Residual(graph.layout())),
      successors_(most_at_once) {}

// By falling rank: an action lowers the rank, so that all parents of a state come
// before it. In reverse that is the order in which states are scored, children first.
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
        for (std::span<StateId const> rest(states); !rest.empty();) {
            std::size_t const size = std::min(pace_.begin(), rest.size());
            if (!expand_block(rest.first(size), watch)) {
                return false;
            }
            pace_.end();
            rest = rest.subspan(size);
        }
        for (StateId const state : states) {
            graph_.for_each_option(state, [&](Option const& option) {
                std::for_each(option.children.begin(), option.children.end(), meet);
            });
        }
        order_.append(states);
    }
    std::reverse(order_.begin(), order_.end());
    return true;
}

// Threads expand, one thread enters: see `CanonicalGraph::expand`.
bool Explorer::expand_block(std::span<StateId const> states, RunWatch& watch) {
    team_.share(states.size(), [&](std::size_t task, std::size_t thread) {
        if (!graph_.is_expanded(states[task])) {
            graph_.expand(states[task], residuals_[thread], successors_[task]);
        }
    });
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (!graph_.is_expanded(states[i])) {
            if (!watch.has_room(graph_.bytes_to_keep(successors_[i]))) {
                return false;
            }
            graph_.keep(states[i], successors_[i], residuals_[0]);
        }
        // After each, as a number of states is a limit that no clock may move.
        if (!watch.look({graph_.size(), 0, -1, "exploring"})) {
            return false;
        }
    }
    return true;
}

} // namespace branchwise
