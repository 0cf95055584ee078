#include "branchwise/search/explorer.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

namespace branchwise {

Explorer::Explorer(CanonicalGraph& graph, ThreadTeam& team)
    : graph_(graph), team_(team),
      residuals_(Residual::several(graph.layout(), team.size())),
      successors_((most_at_once + in_a_group - 1) / in_a_group) {}

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

// Threads expand, one thread enters: see `CanonicalGraph::expand`. A few states at a
// time, as their children are worked on side by side.
bool Explorer::expand_block(std::span<StateId const> states, RunWatch& watch) {
    pending_.clear();
    std::copy_if(states.begin(), states.end(), std::back_inserter(pending_),
                 [this](StateId state) { return !graph_.is_expanded(state); });
    auto const group = [this](std::size_t number) {
        std::size_t const first = number * in_a_group;
        std::size_t const size = std::min(in_a_group, pending_.size() - first);
        return std::span<StateId const>(pending_).subspan(first, size);
    };
    std::size_t const num_groups = (pending_.size() + in_a_group - 1) / in_a_group;
    team_.share_singly(num_groups, [&](std::size_t task, std::size_t thread) {
        graph_.expand(group(task), residuals_[thread], successors_[task]);
    });
    for (std::size_t i = 0; i < pending_.size(); ++i) {
        Successors const& successors = successors_[i / in_a_group];
        Successors::Part const& part = successors.parts[i % in_a_group];
        if (!watch.has_room(graph_.bytes_to_keep(part))) {
            return false;
        }
        graph_.keep(pending_[i], successors, part, residuals_[0]);
        // After each, as a number of states is a limit that no clock may move.
        if (!watch.look({graph_.size(), 0, -1, "exploring"})) {
            return false;
        }
    }
    return watch.look({graph_.size(), 0, -1, "exploring"});
}

} // namespace branchwise
