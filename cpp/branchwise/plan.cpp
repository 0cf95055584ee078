#include "branchwise/plan.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace branchwise {

Plan::Plan(CanonicalEngine& engine)
    : engine_(engine), scores_(engine.scores()), root_(engine.root()),
      root_gain_(engine.root_gain()) {}

std::optional<Option> Plan::option(StateId state) const {
    bool const is_scored = scores_ && scores_->has(state);
    std::uint32_t const choice =
        is_scored ? scores_->choices[index_of(state)] : engine_.planned_option(state);
    std::optional<Option> result;
    if (choice != CanonicalScores::stop) {
        std::uint32_t number = 0;
        graph().for_each_option(state, [&](Option const& option) {
            if (number++ == choice) {
                result = option;
            }
        });
    }
    return result;
}

double Plan::score(StateId state) const {
    bool const is_scored = scores_ && scores_->has(state);
    return is_scored ? scores_->scores[index_of(state)] : engine_.planned_score(state);
}

// Children before parents, without unrolling: a state counts once, however often the
// plan comes there.
TreeShape Plan::shape() const {
    std::unordered_map<std::uint32_t, TreeShape> shapes;
    std::vector<StateId> pending{root_};
    while (!pending.empty()) {
        StateId const state = pending.back();
        auto const number = static_cast<std::uint32_t>(state);
        auto const taken = option(state);
        // The graph may grow while it is asked, so children are looked at by copy.
        std::vector<StateId> children;
        if (taken) {
            children.assign(taken->children.begin(), taken->children.end());
        }
        std::size_t const num_pending = pending.size();
        for (StateId const child : children) {
            if (!shapes.contains(static_cast<std::uint32_t>(child))) {
                pending.push_back(child);
            }
        }
        if (pending.size() > num_pending) {
            continue;
        }
        pending.pop_back();
        TreeShape shape;
        shape.num_leaves = children.empty() ? 1 : 0;
        for (StateId const child : children) {
            TreeShape const& below = shapes[static_cast<std::uint32_t>(child)];
            shape.num_nodes = add_nodes(shape.num_nodes, below.num_nodes);
            shape.num_leaves = add_nodes(shape.num_leaves, below.num_leaves);
            shape.depth = std::max(shape.depth, below.depth + 1);
        }
        shapes[number] = shape;
    }
    return shapes[static_cast<std::uint32_t>(root_)];
}

std::optional<std::size_t> Plan::count_reduced() const {
    if (!scores_) {
        return std::nullopt;
    }
    return branchwise::count_reduced(graph(), *scores_, root_);
}

} // namespace branchwise
