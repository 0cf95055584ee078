#include "branchwise/residual_sets.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "branchwise/bits.hpp"
#include "branchwise/residual_layout.hpp"

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

/// Facts, one bit per node; then that a node does not hold, one bit per node; then,
/// where it matters, which part makes an `any` hold, one bit per part.
using Facts = std::vector<Word>;
/// Sets of which none holds another.
using Family = std::vector<Facts>;

constexpr std::size_t most_sets = 256;
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

/// Finds the sets, from the facts upwards.
class ResidualSetsBuilder {
  public:
    ResidualSetsBuilder(ResidualLayout const& layout, ResidualSets& sets)
        : layout_(layout), instance_(layout.instance()), sets_(sets) {}

    void build() {
        if (layout_.is_cyclic() || !layout_.conditioned().empty() ||
            has_negation_twice() || has_penalty_unless()) {
            return;
        }
        num_facts_ = 2 * num_places();
        for (ResidualNode const& node : layout_.nodes()) {
            first_reasons_.push_back(num_facts_);
            num_facts_ += node.kind == Kind::any ? node.inside.size() : 0;
        }
        for (std::size_t i = 0; i < layout_.nodes().size(); ++i) {
            families_.push_back(smallest(family_of(i)));
            if (is_too_much_ || families_.back().size() > most_on_the_way) {
                return;
            }
        }
        for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
            if (is_sought(i)) {
                Family const& more = families_[index_of(layout_.reward(i).node)];
                found_.insert(found_.end(), more.begin(), more.end());
            }
            ends_.push_back(found_.size());
        }
        if (found_.size() <= most_sets) {
            settle();
        }
    }

  private:
    [[nodiscard]] bool is_sought(std::size_t reward) const {
        return instance_.rewards[reward].value > 0 &&
               !layout_.reward(reward).is_negated;
    }

    // Who pays unless something holds must know when it cannot come true any more, and
    // not only that it is of no use.
    [[nodiscard]] bool has_penalty_unless() const {
        for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
            if (instance_.rewards[i].value < 0 && layout_.reward(i).is_negated) {
                return true;
            }
        }
        return false;
    }

    // What should come out false because something should come out false that it is in
    // is wanted for itself. The sets would not tell.
    [[nodiscard]] bool has_negation_twice() const {
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

    [[nodiscard]] Family family_of(NodeRef ref) const {
        if (!ref.is_negated) {
            return families_[index_of(ref.node)];
        }
        Facts facts = nothing();
        set_bit(facts.data(), num_places() + index_of(ref.node));
        return {facts};
    }

    [[nodiscard]] Facts nothing() const { return Facts((num_facts_ + 63) / 64); }
    [[nodiscard]] std::size_t num_places() const { return 64 * layout_.node_words(); }

    /// Visit the facts that somebody has to bring about.
    template <typename Visit>
    void for_each_need(Facts const& facts, Visit visit) const {
        for_each_bit(facts, [&](std::size_t place) {
            if (place < num_places()) {
                visit(place);
            }
        });
    }

    [[nodiscard]] Family family_of(std::size_t index) {
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
    [[nodiscard]] Family family_of_any(std::size_t index) const {
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

    [[nodiscard]] Family family_of_fact(std::size_t index) const {
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

    [[nodiscard]] Family family_of_all(ResidualNode const& node) {
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

    void keep(Facts facts, Family& family) const {
        if (!is_contradictory(facts) && is_affordable(facts)) {
            family.push_back(std::move(facts));
        }
    }

    // What can be taken once does not come out in two ways.
    [[nodiscard]] bool is_contradictory(Facts const& facts) const {
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

    [[nodiscard]] bool is_affordable(Facts const& facts) const {
        for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
            std::int64_t left = instance_.budget[r];
            for (ResidualSets::Need const& need : needs_of(facts)) {
                left -= need.is_free
                            ? 0
                            : instance_.actions[need.action].variants[0].price[r];
                if (left < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    // That an action was attempted comes with what came of it.
    [[nodiscard]] std::vector<ResidualSets::Need> needs_of(Facts const& facts) const {
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

    void settle() {
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
                if (place < 2 * num_places()) {
                    auto& facts = place < num_places() ? sets_.with_ : sets_.without_;
                    facts[place % num_places() * num_words + i / 64] |= bit;
                }
            });
            auto const needs = needs_of(found_[i]);
            sets_.needs_.insert(sets_.needs_.end(), needs.begin(), needs.end());
            sets_.first_needs_.push_back(sets_.needs_.size());
        }
    }

    ResidualLayout const& layout_;
    Instance const& instance_;
    ResidualSets& sets_;
    std::size_t num_facts_ = 0;
    bool is_too_much_ = false;
    std::vector<std::size_t> first_reasons_; // by node: the place of its first part
    std::vector<Family> families_;
    Family found_;
    std::vector<std::size_t> ends_; // of the sets of each reward
};

ResidualSets::ResidualSets(ResidualLayout const& layout) {
    ResidualSetsBuilder(layout, *this).build();
}

} // namespace branchwise
