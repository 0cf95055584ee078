#include "branchwise/residual_sets_builder.hpp"

namespace branchwise {

namespace {

constexpr std::size_t most_sets = 256;

} // namespace

void ResidualSetsBuilder::build() {
    if (layout_.is_cyclic() || !layout_.conditioned().empty() || has_negation_twice() ||
        has_penalty_unless() || !find_families()) {
        return;
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

bool ResidualSetsBuilder::is_sought(std::size_t reward) const {
    return instance_.rewards[reward].value > 0 && !layout_.reward(reward).is_negated;
}

// Who pays unless something holds must know when it cannot come true any more, and
// not only that it is of no use.
bool ResidualSetsBuilder::has_penalty_unless() const {
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        if (instance_.rewards[i].value < 0 && layout_.reward(i).is_negated) {
            return true;
        }
    }
    return false;
}

// What should come out false because something should come out false that it is in
// is wanted for itself. The sets would not tell.
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

} // namespace branchwise
