#include "branchwise/expansion.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace branchwise {

template <std::size_t Width>
Expansion<Width>::Expansion(StateRules const& rules, RewardingFilter const* filter)
    : rules_(rules), filter_(filter), width_(rules.layout().num_words()) {
    // Full but for one child, it may still have to take in one more state.
    std::size_t const most = most_children + rules.instance().num_outcomes();
    keys_.resize(most * width());
    hashes_.resize(most);
    child_slots_.resize(most);
    candidates_.resize(rules.num_actions());
}

template <std::size_t Width>
void Expansion<Width>::clear() {
    slots_.clear();
    first_options_.clear();
    options_.clear();
    num_children_ = 0;
}

template <std::size_t Width>
void Expansion<Width>::start(std::size_t slot) {
    slots_.push_back(slot);
    first_options_.push_back(options_.size());
}

template <std::size_t Width>
Word Expansion<Width>::open(std::size_t slot, Word const* key, Table const& below) {
    start(slot);
    Key const whole(key, width());
    std::span const found(candidates_);
    auto const candidates = found.first(rules_.find_candidates(whole, found));
    if (filter_ != nullptr) {
        Word asked = 0;
        for (std::uint32_t const action : candidates) {
            asked |= rules_.outcomes(action)[0];
        }
        filter_->find_needs(whole, asked, scratch_);
    }
    Word mask = 0;
    for (std::uint32_t const action : candidates) {
        bool const is_needed = filter_ == nullptr || is_among_needs(action);
        if (is_needed && consider(action, key, below)) {
            mask |= Word{1} << action % 64;
        }
    }
    return mask;
}

template <std::size_t Width>
bool Expansion<Width>::is_among_needs(std::uint32_t action) const {
    auto const outcomes = rules_.outcomes(action);
    for (std::size_t word = 0; word < scratch_.needs.size(); ++word) {
        if ((outcomes[word] & scratch_.needs[word]) != 0) {
            return true;
        }
    }
    return false;
}

template <std::size_t Width>
void Expansion<Width>::reopen(std::size_t slot, Word const* key, Word mask,
                              Table const& below) {
    start(slot);
    for (; mask != 0; mask &= mask - 1) {
        auto const action = static_cast<std::uint32_t>(std::countr_zero(mask));
        add(action, rules_.move(action, Key(key, width())), key, below);
    }
}

template <std::size_t Width>
void Expansion<Width>::take(std::size_t slot, Word const* key, std::uint32_t action,
                            Table const& below) {
    start(slot);
    add(action, rules_.move(action, Key(key, width())), key, below);
}

template <std::size_t Width>
bool Expansion<Width>::consider(std::uint32_t action, Word const* key,
                                Table const& below) {
    Move const* const move = rules_.available(action, Key(key, width()));
    if (move != nullptr) {
        add(action, *move, key, below);
    }
    return move != nullptr;
}

template <std::size_t Width>
void Expansion<Width>::add(std::uint32_t action, Move const& move, Word const* key,
                           Table const& below) {
    options_.push_back({action, static_cast<std::uint32_t>(num_children_), &move});
    for (std::size_t i = 0; i < move.chances.size(); ++i) {
        Word* const child = &keys_[num_children_ * width()];
        rules_.template follow<Width>(move, i, key, child);
        Word const hash = below.hash(child);
        hashes_[num_children_] = hash;
        below.prefetch(hash);
        ++num_children_;
    }
}

template <std::size_t Width>
void Expansion<Width>::resolve(Table const& below) {
    for (std::size_t i = 0; i < num_children_; ++i) {
        child_slots_[i] = below.find(child_key(i), hashes_[i]);
        assert(child_slots_[i] != Table::nowhere);
    }
}

template <std::size_t Width>
double Expansion<Width>::score(Option const& option, Table const& below) const {
    double expected = 0;
    std::size_t child = option.first_child;
    for (PossibleOutcome const& chance : option.move->chances) {
        expected += chance.probability * below.real(child_slots_[child]);
        ++child;
    }
    return expected - option.move->charge;
}

template class Expansion<0>;
template class Expansion<1>;
template class Expansion<2>;
template class Expansion<4>;

} // namespace branchwise
