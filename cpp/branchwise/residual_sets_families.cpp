// How the sets that make each node true are found, from the facts upwards.

#include <algorithm>
#include <bit>
#include <utility>

#include "branchwise/residual_sets_builder.hpp"

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;
using Facts = ResidualSetsBuilder::Facts;
using Family = ResidualSetsBuilder::Family;

constexpr std::size_t most_on_the_way = 1024;
constexpr std::size_t most_joined = 1U << 16U; // more take too long

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

Family smallest(Family family) {
    std::stable_sort(family.begin(), family.end(), [](Facts const& a, Facts const& b) {
        return count(a) < count(b);
    });
    Family result;
    for (Facts& facts : family) {
        if (std::none_of(result.begin(), result.end(),
                         [&](Facts const& known) { return is_subset(known, facts); })) {
            result.push_back(std::move(facts));
        }
    }
    return result;
}

} // namespace

bool ResidualSetsBuilder::find_families() {
    num_facts_ = 2 * num_places();
    for (ResidualNode const& node : layout_.nodes()) {
        first_reasons_.push_back(num_facts_);
        num_facts_ += node.kind == Kind::any ? node.inside.size() : 0;
    }
    for (std::size_t i = 0; i < layout_.nodes().size(); ++i) {
        families_.push_back(smallest(family_of(i)));
        if (is_too_much_ || families_.back().size() > most_on_the_way) {
            return false;
        }
    }
    return true;
}

Family ResidualSetsBuilder::family_of(NodeRef ref) const {
    if (!ref.is_negated) {
        return families_[index_of(ref.node)];
    }
    Facts facts = nothing();
    set_bit(facts.data(), num_places() + index_of(ref.node));
    return {facts};
}

Family ResidualSetsBuilder::family_of(std::size_t index) {
    ResidualNode const& node = layout_.nodes()[index];
    switch (node.kind) {
    case Kind::literal:
        return family_of_fact(index);
    case Kind::all:
        return family_of_all(node);
    case Kind::any:
        break;
    }
    return family_of_any(index);
}

// What precludes an action may force an order on the facts of a set, and then it
// matters which of them are there in time: sets with other reasons are other sets.
Family ResidualSetsBuilder::family_of_any(std::size_t index) const {
    Family result;
    std::size_t reason = first_reasons_[index];
    for (NodeRef const ref : layout_.nodes()[index].inside) {
        for (Facts facts : family_of(ref)) {
            if (layout_.has_negation()) {
                set_bit(facts.data(), reason);
            }
            result.push_back(std::move(facts));
        }
        ++reason;
    }
    return result;
}

Family ResidualSetsBuilder::family_of_fact(std::size_t index) const {
    if (!layout_.is_possible(static_cast<NodeId>(index))) {
        return {};
    }
    Family result;
    for (Facts facts : family_of(layout_.nodes()[index].allowed)) {
        set_bit(facts.data(), index);
        keep(std::move(facts), result);
    }
    return result;
}

Family ResidualSetsBuilder::family_of_all(ResidualNode const& node) {
    Family result{nothing()};
    for (NodeRef const ref : node.inside) {
        Family joined;
        Family const more = family_of(ref);
        if (result.size() * more.size() > most_joined) {
            is_too_much_ = true;
            return {};
        }
        for (Facts const& other : more) {
            for (Facts facts : result) {
                for (std::size_t w = 0; w < facts.size(); ++w) {
                    facts[w] |= other[w];
                }
                keep(std::move(facts), joined);
            }
        }
        result = smallest(std::move(joined));
        if (result.size() > most_on_the_way) {
            break; // Too many already.
        }
    }
    return result;
}

void ResidualSetsBuilder::keep(Facts facts, Family& family) const {
    if (!is_contradictory(facts) && is_affordable(facts)) {
        family.push_back(std::move(facts));
    }
}

// What can be taken once does not come out in two ways.
bool ResidualSetsBuilder::is_contradictory(Facts const& facts) const {
    std::vector<bool> has_come_out(instance_.actions.size());
    bool result = false;
    for_each_need(facts, [&](std::size_t index) {
        ResidualNode const& node = layout_.nodes()[index];
        if (node.outcome != ResidualNode::no_outcome &&
            instance_.actions[node.action].attempts <= 1) {
            result |= has_come_out[node.action];
            has_come_out[node.action] = true;
        }
    });
    return result;
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
