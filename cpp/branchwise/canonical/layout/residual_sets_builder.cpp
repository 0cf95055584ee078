#include "branchwise/canonical/layout/residual_sets_builder.hpp"

#include <algorithm>
#include <bit>
#include <utility>

// An example: x, y and g are actions that may succeed, g requires x or y, and the
// reward asks for x and g. From the facts upwards, the sets that make each node hold
// are
//
//     x          {x}
//     y          {y}
//     x or y     {x}, {y}
//     g          {x, g}, {y, g}
//     x and g    {x, g}, {x, y, g}: the unions of {x} with each set of g
//
// The last set contains the one before, and minimal rewarding sets would leave it out.
// But y may open g before x is paid for: a plan that takes y first, and x only if g
// succeeds, may be the best one, and without {x, y, g} marking would drop y. So
// `essential` asks what the sets make hold: {x, g} every node but y, {x, y, g} every
// node. That is more than the smaller set covers, so the larger one stays.

namespace branchwise {

namespace {

constexpr std::size_t most_sets = 256;

using Kind = ResidualNode::Kind;
using Facts = ResidualSetsBuilder::Facts;
using FactFamily = ResidualSetsBuilder::FactFamily;

constexpr std::size_t most_on_the_way = 1024;
constexpr std::size_t most_joined = 1U << 16U; // more take too long
// Of all that is kept for the nodes: a quarter of a gigabyte.
constexpr std::size_t most_words = std::size_t{1} << 25U;

bool is_subset(Facts const& one, Facts const& other) {
    for (std::size_t w = 0; w < one.size(); ++w) {
        if ((one[w] & ~other[w]) != 0) {
            return false;
        }
    }
    return true;
}

std::size_t count(Facts const& facts) {
    std::size_t total = 0;
    for (Word const word : facts) {
        total += static_cast<std::size_t>(std::popcount(word));
    }
    return total;
}

} // namespace

void ResidualSetsBuilder::build() {
    if (layout_.is_cyclic() || instance_.pays_on_the_way() || instance_.must_finish() ||
        layout_.has_comparison() || instance_.has_hidden() ||
        !layout_.conditioned().empty() || has_negation_twice() ||
        has_penalty_unless() || !find_families()) {
        return;
    }
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        if (is_sought(i)) {
            FactFamily const& more = families_[index_of(layout_.reward(i).node)];
            found_.insert(found_.end(), more.begin(), more.end());
        }
        ends_.push_back(found_.size());
    }
    if (found_.size() <= most_sets) {
        settle();
    }
}

bool ResidualSetsBuilder::is_sought(std::size_t reward) const {
    return instance_.rewards[reward].value > 0 && !layout_.reward(reward).is_negated;
}

// With a penalty unless something holds, a state must show when that cannot come true
// any more, and not only that it is of no use.
bool ResidualSetsBuilder::has_penalty_unless() const {
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        if (instance_.rewards[i].value < 0 && layout_.reward(i).is_negated) {
            return true;
        }
    }
    return false;
}

// What should come out false because something should come out false that it is in
// is wanted for itself. The sets would not show that.
bool ResidualSetsBuilder::has_negation_twice() const {
    std::vector<bool> is_avoided(layout_.nodes().size());
    for (std::size_t i = 0; i < instance_.actions.size(); ++i) {
        NodeRef const allowed = layout_.allowed(i);
        is_avoided[index_of(allowed.node)] =
            is_avoided[index_of(allowed.node)] || allowed.is_negated;
    }
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        if (!is_sought(i)) {
            is_avoided[index_of(layout_.reward(i).node)] = true;
        }
    }
    for (std::size_t i = layout_.nodes().size(); i-- > 0;) {
        for (NodeRef const ref : layout_.nodes()[i].inside) {
            if (is_avoided[i] && ref.is_negated) {
                return true;
            }
            if (is_avoided[i] || ref.is_negated) {
                is_avoided[index_of(ref.node)] = true;
            }
        }
    }
    return false;
}

void ResidualSetsBuilder::settle() {
    std::size_t const num_words = (found_.size() + 63) / 64;
    sets_.num_words_ = num_words;
    sets_.with_.resize(num_places() * num_words);
    sets_.without_.resize(num_places() * num_words);
    sets_.of_reward_.resize(instance_.rewards.size() * num_words);
    sets_.first_needs_.push_back(0);
    std::size_t reward = 0;
    for (std::size_t i = 0; i < found_.size(); ++i) {
        while (i >= ends_[reward]) {
            ++reward;
        }
        Word const bit = Word{1} << (i % 64);
        sets_.of_reward_[reward * num_words + i / 64] |= bit;
        for_each_bit(found_[i], [&](std::size_t place) {
            auto& facts = place < num_places() ? sets_.with_ : sets_.without_;
            facts[place % num_places() * num_words + i / 64] |= bit;
        });
        auto const needs = needs_of(found_[i]);
        sets_.needs_.insert(sets_.needs_.end(), needs.begin(), needs.end());
        sets_.first_needs_.push_back(sets_.needs_.size());
    }
}

// How the sets that make each node true are found, from the facts upwards.

// Leave out a set if smaller ones stand in for it. They are within reach wherever it
// is, so it is enough that each node it makes hold is made to hold by one of them. That
// a smaller one brings the reward as well is not enough: what the larger one has
// besides may open a gate earlier, or for less.
FactFamily ResidualSetsBuilder::essential(FactFamily family, std::size_t index) const {
    std::stable_sort(family.begin(), family.end(), [](Facts const& a, Facts const& b) {
        return count(a) < count(b);
    });
    FactFamily result;
    FactFamily held;
    for (Facts& facts : family) {
        look_();
        Facts const holds = held_under(facts, index);
        Facts covered(holds.size());
        bool is_new = true;
        for (std::size_t i = 0; i < result.size() && is_new; ++i) {
            if (is_subset(result[i], facts)) {
                unite(covered, held[i]);
                is_new = !is_subset(holds, covered);
            }
        }
        if (is_new) {
            result.push_back(std::move(facts));
            held.push_back(holds);
        }
    }
    return result;
}

// The nodes that a set makes hold on the way to this one.
Facts ResidualSetsBuilder::held_under(Facts const& facts, std::size_t index) const {
    Facts result(layout_.node_words());
    auto const holds = [&](NodeRef ref) {
        return ref.is_negated ? has_bit(facts.data(), num_places() + index_of(ref.node))
                              : has_bit(result.data(), index_of(ref.node));
    };
    for_each_bit(below_[index], [&](std::size_t each) {
        ResidualNode const& node = layout_.nodes()[each];
        bool is_true = false;
        switch (node.kind) {
        case Kind::literal:
            is_true = has_bit(facts.data(), each) && holds(node.allowed);
            break;
        case Kind::all:
            is_true = std::all_of(node.inside.begin(), node.inside.end(), holds);
            break;
        case Kind::any:
            is_true = std::any_of(node.inside.begin(), node.inside.end(), holds);
            break;
        case Kind::at_least:
            break; // There are no sets then.
        }
        if (is_true) {
            set_bit(result.data(), each);
        }
    });
    return result;
}

// What may be on the way to each node, itself included: all that may help it to hold.
void ResidualSetsBuilder::note_what_is_below() {
    for (std::size_t i = 0; i < layout_.nodes().size(); ++i) {
        look_();
        Facts& below = below_.emplace_back();
        if (!has_bit(is_sought_.data(), i)) {
            continue;
        }
        below.resize(layout_.node_words());
        set_bit(below.data(), i);
        for_each_made_of(i, [&](NodeRef ref) {
            if (!ref.is_negated) {
                unite(below, below_[index_of(ref.node)]);
            }
        });
    }
}

// What is no part of any reward has no sets that matter.
bool ResidualSetsBuilder::find_families() {
    note_what_is_sought();
    if (count(is_sought_) * layout_.node_words() > most_words) {
        return false;
    }
    note_what_is_below();
    std::size_t num_words = 0;
    for (std::size_t i = 0; i < layout_.nodes().size(); ++i) {
        look_();
        families_.push_back(has_bit(is_sought_.data(), i) ? essential(family_of(i), i)
                                                          : FactFamily{});
        num_words += families_.back().size() * 2 * layout_.node_words();
        if (is_too_much_ || families_.back().size() > most_on_the_way ||
            num_words > most_words) {
            return false;
        }
    }
    return true;
}

void ResidualSetsBuilder::note_what_is_sought() {
    is_sought_.assign(layout_.node_words(), 0);
    auto const include = [this](NodeRef ref) {
        if (!ref.is_negated) {
            set_bit(is_sought_.data(), index_of(ref.node));
        }
    };
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        if (is_sought(i)) {
            include(layout_.reward(i));
        }
    }
    for (std::size_t i = layout_.nodes().size(); i-- > 0;) {
        if (has_bit(is_sought_.data(), i)) {
            for_each_made_of(i, include);
        }
    }
}

FactFamily ResidualSetsBuilder::family_of(NodeRef ref) const {
    if (!ref.is_negated) {
        return families_[index_of(ref.node)];
    }
    Facts facts = nothing();
    set_bit(facts.data(), num_places() + index_of(ref.node));
    return {facts};
}

FactFamily ResidualSetsBuilder::family_of(std::size_t index) {
    ResidualNode const& node = layout_.nodes()[index];
    switch (node.kind) {
    case Kind::literal:
        return family_of_fact(index);
    case Kind::all:
        return family_of_all(index);
    case Kind::any:
    case Kind::at_least:
        break;
    }
    return family_of_any(node);
}

FactFamily ResidualSetsBuilder::family_of_any(ResidualNode const& node) const {
    FactFamily result;
    for (NodeRef const ref : node.inside) {
        FactFamily const more = family_of(ref);
        result.insert(result.end(), more.begin(), more.end());
    }
    return result;
}

FactFamily ResidualSetsBuilder::family_of_fact(std::size_t index) const {
    if (!layout_.is_possible(static_cast<NodeId>(index))) {
        return {};
    }
    FactFamily result;
    for (Facts facts : family_of(layout_.nodes()[index].allowed)) {
        set_bit(facts.data(), index);
        keep(std::move(facts), result);
    }
    return result;
}

FactFamily ResidualSetsBuilder::family_of_all(std::size_t index) {
    FactFamily result{nothing()};
    for (NodeRef const ref : layout_.nodes()[index].inside) {
        look_();
        FactFamily joined;
        FactFamily const more = family_of(ref);
        if (result.size() * more.size() > most_joined) {
            is_too_much_ = true;
            return {};
        }
        for (Facts const& other : more) {
            for (Facts facts : result) {
                unite(facts, other);
                keep(std::move(facts), joined);
            }
        }
        result = essential(std::move(joined), index);
        if (result.size() > most_on_the_way) {
            break; // Too many already.
        }
    }
    return result;
}

void ResidualSetsBuilder::keep(Facts facts, FactFamily& family) const {
    if (!is_contradictory(facts) && is_affordable(facts)) {
        family.push_back(std::move(facts));
    }
}

// What can be taken once does not come out in two ways.
bool ResidualSetsBuilder::is_contradictory(Facts const& facts) const {
    std::vector<std::uint32_t> come_out;
    for_each_need(facts, [&](std::size_t index) {
        ResidualNode const& node = layout_.nodes()[index];
        if (node.outcome != ResidualNode::no_outcome &&
            instance_.actions[node.action].attempts <= 1) {
            come_out.push_back(node.action);
        }
    });
    std::sort(come_out.begin(), come_out.end());
    return std::adjacent_find(come_out.begin(), come_out.end()) != come_out.end();
}

bool ResidualSetsBuilder::is_affordable(Facts const& facts) const {
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        std::int64_t left = instance_.budget[r];
        for (ResidualSets::Need const& need : needs_of(facts)) {
            left -=
                need.is_free ? 0 : instance_.actions[need.action].variants[0].price[r];
            if (left < 0) {
                return false;
            }
        }
    }
    return true;
}

// That an action was attempted comes with what came of it.
std::vector<ResidualSets::Need>
ResidualSetsBuilder::needs_of(Facts const& facts) const {
    std::vector<ResidualSets::Need> result;
    for_each_need(facts, [&](std::size_t index) {
        ResidualNode const& node = layout_.nodes()[index];
        bool is_free = false;
        if (node.outcome == ResidualNode::no_outcome) {
            auto const& literals = layout_.literals(node.action);
            is_free =
                std::any_of(literals.begin(), literals.end(), [&](NodeId literal) {
                    return index_of(literal) != index &&
                           has_bit(facts.data(), index_of(literal));
                });
        }
        result.push_back({static_cast<std::uint32_t>(index), node.action, is_free});
    });
    return result;
}

} // namespace branchwise
