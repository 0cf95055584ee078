#include "branchwise/canonical/simplifier.hpp"

#include <algorithm>

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

} // namespace

template <std::size_t NumResources>
Simplifier<NumResources>::Simplifier(Residual& state)
    : state_(state), layout_(state.layout_), instance_(state.instance_),
      nodes_(state.layout_.nodes().data()), undecided_(state.undecided_.data()),
      wanted_(state.wanted_.data()), wants_not_(state.wants_not_.data()),
      cost_(state.cost_.data()), rest_(state.rest_.data()), left_(state.left_.data()) {}

template <std::size_t NumResources>
void Simplifier<NumResources>::simplify() {
    bool is_settled = false;
    while (!is_settled) {
        drop_what_is_out_of_reach();
        mark();
        is_settled = !drop_what_is_of_no_use();
    }
    cap_attempts();
    cap_budget();
}

template <std::size_t NumResources>
void Simplifier<NumResources>::refresh() {
    drop_what_is_out_of_reach(); // Nothing is, but this works out the costs.
    mark();
    cap_budget();
}

// The least and the most that an attempt may take, as far as clauses are open.
template <std::size_t NumResources>
void Simplifier<NumResources>::note_prices(std::size_t action) {
    auto const& variants = instance_.actions[action].variants;
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        Price& cheapest = state_.cheapest_[at(action, r)];
        Price& dearest = state_.dearest_[at(action, r)];
        cheapest = dearest = variants[state_.tails_[action]].price[r];
        for (std::size_t k = 0; k < state_.tails_[action]; ++k) {
            if (is_undecided(index_of(layout_.clause(action, k).node))) {
                cheapest = std::min(cheapest, variants[k].price[r]);
                dearest = std::max(dearest, variants[k].price[r]);
            }
        }
    }
}

// One sweep upwards settles it, unless costs depend on each other in a circle or
// dropping a node changes what was estimated before: then sweep until nothing changes.
template <std::size_t NumResources>
void Simplifier<NumResources>::drop_what_is_out_of_reach() {
    bool const is_simple =
        !layout_.is_cyclic() && num_resources() == 1 && layout_.conditioned().empty();
    bool is_changed = true;
    while (is_changed) {
        for (std::uint32_t const a : layout_.conditioned()) {
            note_prices(a);
        }
        if (layout_.is_cyclic()) {
            std::fill(state_.cost_.begin(), state_.cost_.end(), Residual::endless);
            while (sweep_costs()) {
            }
        } else {
            sweep_costs();
        }
        if (is_simple && !layout_.has_negation()) {
            return; // It is of no use either, and only that makes a difference.
        }
        state_.for_each_undecided([&](std::size_t node) {
            for (std::size_t r = 0; r < num_resources(); ++r) {
                if (cost_[at(node, r)] > left_[r]) {
                    state_.decide(static_cast<NodeId>(node), false);
                }
            }
        });
        is_changed = !state_.pending_.empty() && !is_simple;
        state_.propagate();
    }
}

// A lower bound on what it takes to make each undecided node true, from below.
template <std::size_t NumResources>
bool Simplifier<NumResources>::sweep_costs() {
    bool is_changed = false;
    state_.for_each_undecided([&](std::size_t node) {
        for (std::size_t r = 0; r < num_resources(); ++r) {
            Price& known = cost_[at(node, r)];
            Price const cost = cost_of(node, r);
            is_changed |= cost != known;
            known = cost;
        }
    });
    return is_changed;
}

template <std::size_t NumResources>
Residual::Price Simplifier<NumResources>::cost_of(std::size_t index,
                                                  std::size_t resource) const {
    ResidualNode const& node = nodes_[index];
    switch (node.kind) {
    case Kind::all:
        return cost_of_all(node, resource);
    case Kind::any:
        return cost_of_any(node, resource);
    case Kind::literal:
        break;
    }
    Price const own = state_.cheapest_[at(node.action, resource)];
    return std::min(Residual::endless, own + cost_of_ref(node.allowed, resource));
}

template <std::size_t NumResources>
Residual::Price Simplifier<NumResources>::cost_of_any(ResidualNode const& node,
                                                      std::size_t resource) const {
    Price least = Residual::endless;
    for (NodeRef const ref : node.inside) {
        if (is_undecided(index_of(ref.node))) {
            least = std::min(least, cost_of_ref(ref, resource));
        }
    }
    return least;
}

// Parts that share no action cannot share costs either.
template <std::size_t NumResources>
Residual::Price Simplifier<NumResources>::cost_of_all(ResidualNode const& node,
                                                      std::size_t resource) const {
    Price total = 0;
    std::size_t i = 0;
    for (std::size_t const end : node.part_ends) {
        Price most = 0;
        for (; i < end; ++i) {
            most = std::max(most, cost_of_ref(node.inside[i], resource));
        }
        total += most;
    }
    return std::min(Residual::endless, total);
}

// A fact that is not marked can be dropped, since no reward depends on it any more. A
// fact that should stay false is false for good when its action is of no use; as that
// may decide further nodes, the caller then looks again.
template <std::size_t NumResources>
bool Simplifier<NumResources>::drop_what_is_of_no_use() {
    for (std::size_t w = 0; w < state_.undecided_.size(); ++w) {
        undecided_[w] &= wanted_[w] | wants_not_[w];
    }
    for_each_bit(state_.wants_not_, [&](std::size_t index) {
        ResidualNode const& node = nodes_[index];
        if (node.kind == Kind::literal && !state_.is_useful(node.action)) {
            state_.decide(static_cast<NodeId>(index), false);
        }
    });
    bool const is_changed = !state_.pending_.empty();
    state_.propagate();
    return is_changed;
}

// Attempts that no budget pays for make no difference; where an attempt is free, all
// stay.
template <std::size_t NumResources>
void Simplifier<NumResources>::cap_attempts() {
    for (std::uint32_t const a : layout_.repeatable()) {
        for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
            if (Price const price = state_.cheapest_[at(a, r)]; price > 0) {
                state_.attempts_[a] = std::min(state_.attempts_[a], left_[r] / price);
            }
        }
    }
}

// What no plan can spend makes no difference.
template <std::size_t NumResources>
void Simplifier<NumResources>::cap_budget() {
    state_.is_slack_ = true;
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        Price total = 0;
        state_.for_each_useful([&](std::size_t a) {
            Price const price = state_.dearest_[at(a, r)];
            Price const attempts = state_.attempts_[a];
            Price const rest = left_[r] - total;
            // Dividing takes long, and multiplying might overflow.
            bool const is_too_much =
                attempts == 1 ? price > rest : price > 0 && attempts > rest / price;
            total = rest < 0 || is_too_much ? left_[r] + 1 : total + price * attempts;
        });
        state_.is_slack_ &= total <= left_[r];
        left_[r] = std::min(left_[r], total);
    }
}

// What follows marks what may help, from the rewards downwards.

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

template class Simplifier<0>;
template class Simplifier<1>;

} // namespace branchwise
