// How what may help is marked, from the rewards downwards.

#include <algorithm>

#include "branchwise/residual_simplify.hpp"

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

} // namespace

// Which nodes may help if they come out true, or false; and which actions, then.
template <std::size_t NumResources>
void Simplifier<NumResources>::mark() {
    std::fill(state_.is_useful_.begin(), state_.is_useful_.end(), 0);
    std::fill(state_.wanted_.begin(), state_.wanted_.end(), 0);
    std::fill(state_.wants_not_.begin(), state_.wants_not_.end(), 0);
    std::fill(state_.rest_.begin(), state_.rest_.end(), Residual::endless);
    state_.set_reach_.work_out(state_);
    mark_rewards();
    bool is_missed = true;
    while (is_missed) {
        is_missed = false;
        state_.for_each_undecided_downwards(
            [&](std::size_t node) { is_missed |= mark_below(node); });
    }
}

template <std::size_t NumResources>
void Simplifier<NumResources>::mark_rewards() {
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        if (state_.is_relevant(i)) {
            NodeRef ref = layout_.reward(i);
            ref.is_negated ^= instance_.rewards[i].value < 0;
            want(ref, state_.nothing_.data(), layout_.nodes().size());
        }
    }
}

// True where something was marked that a sweep downwards has passed already.
template <std::size_t NumResources>
bool Simplifier<NumResources>::want(NodeRef ref, Price const* rest, std::size_t below) {
    std::size_t const node = index_of(ref.node);
    if (!is_undecided(node)) {
        return false;
    }
    bool is_changed = false;
    if (ref.is_negated) {
        is_changed = !wants_not(node);
        set_bit(wants_not_, node);
    } else {
        for (std::size_t r = 0; r < num_resources(); ++r) {
            Price& known = rest_[at(node, r)];
            is_changed |= rest[r] < known;
            known = std::min(known, rest[r]);
        }
    }
    return is_changed && node >= below;
}

template <std::size_t NumResources>
bool Simplifier<NumResources>::is_wanted(std::size_t node) const {
    for (std::size_t r = 0; r < num_resources(); ++r) {
        if (cost_[at(node, r)] + rest_[at(node, r)] > left_[r]) {
            return false;
        }
    }
    return state_.set_reach_.holds(node);
}

// Pass on what is wanted of a node to what it is made of.
template <std::size_t NumResources>
bool Simplifier<NumResources>::mark_below(std::size_t index) {
    ResidualNode const& node = nodes_[index];
    bool is_missed = false;
    if (wants_not(index)) {
        for (NodeRef const ref : node.inside) {
            NodeRef const opposite{ref.node, !ref.is_negated};
            is_missed |= want(opposite, state_.nothing_.data(), index);
        }
    }
    if (!is_wanted(index)) {
        return is_missed;
    }
    set_bit(wanted_, index);
    switch (node.kind) {
    case Kind::literal:
        return mark_action(index) || is_missed;
    case Kind::all:
        return mark_inside_all(index) || is_missed;
    case Kind::any:
        break;
    }
    return mark_inside(index) || is_missed;
}

template <std::size_t NumResources>
bool Simplifier<NumResources>::mark_inside(std::size_t index) {
    bool is_missed = false;
    for (NodeRef const ref : nodes_[index].inside) {
        is_missed |= want(ref, &rest_[at(index, 0)], index);
    }
    return is_missed;
}

// The other parts cost at least what they were estimated at. What shares actions with
// this one may come for free.
template <std::size_t NumResources>
bool Simplifier<NumResources>::mark_inside_all(std::size_t index) {
    ResidualNode const& node = nodes_[index];
    Price* const part_rest = state_.part_rest_.data();
    bool is_missed = false;
    std::size_t first = 0;
    for (std::size_t const end : node.part_ends) {
        for (std::size_t r = 0; r < num_resources(); ++r) {
            Price most = 0;
            for (std::size_t i = first; i < end; ++i) {
                most = std::max(most, cost_of_ref(node.inside[i], r));
            }
            part_rest[r] = rest_[at(index, r)] + cost_[at(index, r)] - most;
        }
        for (; first < end; ++first) {
            is_missed |= want(node.inside[first], part_rest, index);
        }
    }
    return is_missed;
}

template <std::size_t NumResources>
bool Simplifier<NumResources>::mark_action(std::size_t index) {
    std::uint32_t const action = nodes_[index].action;
    set_bit(state_.is_useful_.data(), action);
    Price* const part_rest = state_.part_rest_.data();
    for (std::size_t r = 0; r < num_resources(); ++r) {
        part_rest[r] = rest_[at(index, r)] + state_.cheapest_[at(action, r)];
    }
    bool is_missed = want(nodes_[index].allowed, part_rest, index);
    for (std::size_t k = 0; k < state_.tails_[action]; ++k) {
        NodeId const clause = layout_.clause(action, k).node;
        is_missed |= want({clause, false}, state_.nothing_.data(), index);
        is_missed |= want({clause, true}, state_.nothing_.data(), index);
    }
    return is_missed;
}

template void Simplifier<0>::mark();
template void Simplifier<1>::mark();

} // namespace branchwise
