// How a state is made simple: what is out of reach or of no use goes, and so does
// budget that nothing can spend.

#include <algorithm>

#include "branchwise/residual.hpp"

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

} // namespace

void Residual::simplify() {
    propagate();
    bool is_settled = false;
    while (!is_settled) {
        drop_what_is_out_of_reach();
        mark();
        is_settled = !drop_what_is_of_no_use();
    }
    cap_attempts();
    cap_budget();
}

// The least and the most that an attempt may take, as far as clauses are open.
void Residual::note_prices(std::size_t action) {
    auto const& variants = instance_.actions[action].variants;
    Price* const cheapest = &cheapest_[action * num_resources_];
    Price* const dearest = &dearest_[action * num_resources_];
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        cheapest[r] = dearest[r] = variants[tails_[action]].price[r];
        for (std::size_t k = 0; k < tails_[action]; ++k) {
            if (is_undecided(layout_.clause(action, k).node)) {
                cheapest[r] = std::min(cheapest[r], variants[k].price[r]);
                dearest[r] = std::max(dearest[r], variants[k].price[r]);
            }
        }
    }
}

// One sweep upwards settles it, unless costs depend on each other in a circle or
// dropping a node changes what was estimated before: then sweep until nothing changes.
void Residual::drop_what_is_out_of_reach() {
    bool const is_simple =
        !layout_.is_cyclic() && num_resources_ == 1 && layout_.conditioned().empty();
    bool is_changed = true;
    while (is_changed) {
        for (std::uint32_t const a : layout_.conditioned()) {
            note_prices(a);
        }
        if (layout_.is_cyclic()) {
            for_each_undecided([&](std::size_t node) {
                std::fill_n(&cost_[node * num_resources_], num_resources_, endless);
            });
            while (sweep_costs()) {
            }
        } else {
            sweep_costs();
        }
        for_each_undecided([&](std::size_t node) {
            for (std::size_t r = 0; r < num_resources_; ++r) {
                if (cost_[node * num_resources_ + r] > left_[r]) {
                    decide(static_cast<NodeId>(node), false);
                }
            }
        });
        is_changed = !pending_.empty() && !is_simple;
        propagate();
    }
}

// A lower bound on what it takes to make each undecided node true, from below.
bool Residual::sweep_costs() {
    bool is_changed = false;
    for_each_undecided([&](std::size_t node) {
        for (std::size_t r = 0; r < num_resources_; ++r) {
            Price& known = cost_[node * num_resources_ + r];
            Price const cost = cost_of(node, r);
            is_changed |= cost != known;
            known = cost;
        }
    });
    return is_changed;
}

Residual::Price Residual::cost_of(std::size_t index, std::size_t resource) const {
    ResidualNode const& node = layout_.nodes()[index];
    if (node.kind == Kind::all) {
        return cost_of_all(node, resource);
    }
    if (node.kind == Kind::literal) {
        Price const own = cheapest_[node.action * num_resources_ + resource];
        Price const needs = cost_of_ref(layout_.allowed(node.action), resource);
        return std::min(endless, own + needs);
    }
    Price least = endless;
    for (NodeRef const ref : node.inside) {
        if (is_undecided(ref.node)) {
            least = std::min(least, cost_of_ref(ref, resource));
        }
    }
    return least;
}

// What should not happen costs nothing.
Residual::Price Residual::cost_of_ref(NodeRef ref, std::size_t resource) const {
    bool const is_free = ref.is_negated || !is_undecided(ref.node);
    return is_free ? 0 : cost_[index_of(ref.node) * num_resources_ + resource];
}

// Parts that share no action cannot share costs either.
Residual::Price Residual::cost_of_all(ResidualNode const& node,
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
    return std::min(endless, total);
}

bool Residual::is_relevant(std::size_t reward) const {
    return instance_.is_sum ? instance_.rewards[reward].value != 0
                            : layout_.level_of(reward) > held_;
}

// Which nodes may help if they come out true, or false; and which actions, then.
void Residual::mark() {
    for (std::uint32_t const a : useful_) {
        is_useful_[a] = 0;
    }
    useful_.clear();
    for_each_undecided([&](std::size_t node) {
        std::fill_n(&rest_[node * num_resources_], num_resources_, endless);
        wants_not_[node] = 0;
    });
    mark_rewards();
    bool is_missed = true;
    while (is_missed) {
        is_missed = false;
        for_each_undecided_downwards([&](std::size_t node) {
            bool const is_literal = layout_.nodes()[node].kind == Kind::literal;
            is_missed |= is_literal ? mark_action(node) : mark_inside(node);
        });
    }
}

void Residual::mark_rewards() {
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        if (is_relevant(i)) {
            NodeRef ref = layout_.reward(i);
            ref.is_negated ^= instance_.rewards[i].value < 0;
            want(ref, nothing_.data(), layout_.nodes().size());
        }
    }
}

// True where something was marked that a sweep downwards has passed already.
bool Residual::want(NodeRef ref, Price const* rest, std::size_t below) {
    std::size_t const node = index_of(ref.node);
    if (!is_undecided(ref.node)) {
        return false;
    }
    bool is_changed = false;
    if (ref.is_negated) {
        is_changed = wants_not_[node] == 0;
        wants_not_[node] = 1;
    } else {
        for (std::size_t r = 0; r < num_resources_; ++r) {
            Price& known = rest_[node * num_resources_ + r];
            is_changed |= rest[r] < known;
            known = std::min(known, rest[r]);
        }
    }
    return is_changed && node >= below;
}

bool Residual::is_wanted(std::size_t node) const {
    for (std::size_t r = 0; r < num_resources_; ++r) {
        std::size_t const at = node * num_resources_ + r;
        if (cost_[at] + rest_[at] > left_[r]) {
            return false;
        }
    }
    return true;
}

bool Residual::mark_inside(std::size_t index) {
    ResidualNode const& node = layout_.nodes()[index];
    bool is_missed = false;
    if (wants_not_[index] != 0) {
        for (NodeRef const ref : node.inside) {
            is_missed |= want({ref.node, !ref.is_negated}, nothing_.data(), index);
        }
    }
    if (!is_wanted(index)) {
        return is_missed;
    }
    if (node.kind == Kind::all) {
        return mark_inside_all(index) || is_missed;
    }
    for (NodeRef const ref : node.inside) {
        is_missed |= want(ref, &rest_[index * num_resources_], index);
    }
    return is_missed;
}

// The other parts cost at least what they were estimated at. What shares actions with
// this one may come for free.
bool Residual::mark_inside_all(std::size_t index) {
    ResidualNode const& node = layout_.nodes()[index];
    bool is_missed = false;
    std::size_t first = 0;
    for (std::size_t const end : node.part_ends) {
        for (std::size_t r = 0; r < num_resources_; ++r) {
            Price most = 0;
            for (std::size_t i = first; i < end; ++i) {
                most = std::max(most, cost_of_ref(node.inside[i], r));
            }
            std::size_t const at = index * num_resources_ + r;
            part_rest_[r] = rest_[at] + cost_[at] - most;
        }
        for (; first < end; ++first) {
            is_missed |= want(node.inside[first], part_rest_.data(), index);
        }
    }
    return is_missed;
}

bool Residual::mark_action(std::size_t index) {
    if (!is_wanted(index)) {
        return false;
    }
    std::uint32_t const action = layout_.nodes()[index].action;
    if (is_useful_[action] == 0) {
        is_useful_[action] = 1;
        useful_.push_back(action);
    }
    for (std::size_t r = 0; r < num_resources_; ++r) {
        part_rest_[r] =
            rest_[index * num_resources_ + r] + cheapest_[action * num_resources_ + r];
    }
    bool is_missed = want(layout_.allowed(action), part_rest_.data(), index);
    for (std::size_t k = 0; k < tails_[action]; ++k) {
        NodeId const clause = layout_.clause(action, k).node;
        is_missed |= want({clause, false}, nothing_.data(), index);
        is_missed |= want({clause, true}, nothing_.data(), index);
    }
    return is_missed;
}

// Nobody notices that a fact goes which nobody waits for. One that should come out
// false does so for good when its action is of no use: then look again.
bool Residual::drop_what_is_of_no_use() {
    for_each_undecided([&](std::size_t index) {
        ResidualNode const& node = layout_.nodes()[index];
        bool const is_of_use =
            node.kind != Kind::literal || is_useful_[node.action] != 0;
        if (wants_not_[index] != 0) {
            if (!is_of_use) {
                decide(static_cast<NodeId>(index), false);
            }
        } else if (!is_wanted(index)) {
            forget(index);
        }
    });
    bool const is_changed = !pending_.empty();
    propagate();
    return is_changed;
}

void Residual::cap_attempts() {
    for (std::uint32_t const a : layout_.repeatable()) {
        for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
            if (Price const price = cheapest_[a * num_resources_ + r]; price > 0) {
                attempts_[a] = std::min(attempts_[a], left_[r] / price);
            }
        }
    }
}

// What no plan can spend makes no difference.
void Residual::cap_budget() {
    is_slack_ = true;
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        Price total = 0;
        for (std::uint32_t const a : useful_) {
            Price const price = dearest_[a * num_resources_ + r];
            if (price > 0 && attempts_[a] > (left_[r] - total) / price) {
                total = left_[r] + 1;
                break;
            }
            total += price * attempts_[a];
        }
        is_slack_ &= total <= left_[r];
        left_[r] = std::min(left_[r], total);
    }
}

} // namespace branchwise
