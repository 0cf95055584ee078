#include "branchwise/canonical/set_reach.hpp"

#include <bit>

#include "branchwise/canonical/residual.hpp"

namespace branchwise {

using Kind = ResidualNode::Kind;

SetReach::SetReach(ResidualLayout const& layout)
    : layout_(layout), sets_(layout.sets()),
      true_in_(layout.nodes().size() * sets_.num_words()),
      within_reach_(sets_.num_words()) {}

// Those that nothing has ruled out and that there is enough left for.
void SetReach::work_out(Residual const& state) {
    if (sets_.is_empty()) {
        return;
    }
    state.for_each_undecided([&](std::size_t node) { evaluate(node, state); });
    for (std::size_t w = 0; w < sets_.num_words(); ++w) {
        Word found = sought(w, state);
        for (Word rest = found; rest != 0; rest &= rest - 1) {
            auto const bit = static_cast<std::size_t>(std::countr_zero(rest));
            found ^= is_affordable(w * 64 + bit, state) ? 0 : Word{1} << bit;
        }
        within_reach_[w] = found;
    }
}

// All sets at once: a bit for each, for whether the node holds if just that set comes
// true.
void SetReach::evaluate(std::size_t index, Residual const& state) {
    ResidualNode const& node = layout_.nodes()[index];
    for (std::size_t w = 0; w < sets_.num_words(); ++w) {
        Word holds = node.kind == Kind::any ? 0 : ~Word{0};
        if (node.kind == Kind::literal) {
            holds = sets_.with(index)[w] & holds_under(node.allowed, w, state);
        } else if (node.kind == Kind::all) {
            for (NodeRef const ref : node.inside) {
                holds &= holds_under(ref, w, state);
            }
        } else {
            for (NodeRef const ref : node.inside) {
                holds |= state.is_undecided(ref.node) ? holds_under(ref, w, state) : 0;
            }
        }
        true_in_[index * sets_.num_words() + w] = holds;
    }
}

// The sets that bring a reward which is still worth something.
Word SetReach::sought(std::size_t word, Residual const& state) const {
    Word found = 0;
    for (std::size_t i = 0; i < layout_.instance().rewards.size(); ++i) {
        NodeId const node = layout_.reward(i).node;
        if (state.is_relevant(i) && state.is_undecided(node)) {
            found |= holds_under({node, false}, word, state) & sets_.of_reward(i)[word];
        }
    }
    return found;
}

// What is decided holds where it is asked for.
Word SetReach::holds_under(NodeRef ref, std::size_t word, Residual const& state) const {
    std::size_t const node = index_of(ref.node);
    if (!state.is_undecided(ref.node)) {
        return ~Word{0};
    }
    return ref.is_negated ? sets_.without(node)[word]
                          : true_in_[node * sets_.num_words() + word];
}

bool SetReach::is_affordable(std::size_t set, Residual const& state) const {
    for (std::size_t r = 0; r < layout_.instance().budget.size(); ++r) {
        std::int64_t left = state.left(r);
        for (ResidualSets::Need const& need : sets_.needs(set)) {
            bool const is_open = state.is_undecided(static_cast<NodeId>(need.node));
            left -= is_open && !need.is_free ? state.cheapest(need.action, r) : 0;
        }
        if (left < 0) {
            return false;
        }
    }
    return true;
}

} // namespace branchwise
