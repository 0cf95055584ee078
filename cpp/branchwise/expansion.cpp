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
void Expansion<Width>::open(std::size_t slot, Word const* key, Table const& below) {
    start(slot);
    Key const whole(key, width());
    if (filter_ != nullptr) {
        filter_->find_needs(whole, ~Word{0}, scratch_);
    }
    for (std::uint32_t action = 0; action < rules_.num_actions(); ++action) {
        bool const is_needed =
            filter_ == nullptr || filter_->is_among(action, scratch_.needs);
        if (is_needed && rules_.is_allowed(action, whole)) {
            Move const& move = rules_.move(action, whole);
            if (rules_.affords(move, whole)) {
                add(action, move, key, below);
            }
        }
    }
}

template <std::size_t Width>
Word Expansion<Width>::open(std::size_t slot, Word const* key, Word allowed,
                            Table const& below) {
    Word mask = affordable(key, allowed);
    if (filter_ != nullptr && mask != 0) {
        mask = filter_->find_useful(Key(key, width()), mask, most_, scratch_);
    }
    reopen(slot, key, mask, below);
    return mask;
}

/// Those of some actions that there is enough left for.
template <std::size_t Width>
Word Expansion<Width>::affordable(Word const* key, Word mask) const {
    if (rules_.layout().has_even_prices()) {
        return most_ > 0 ? mask : 0;
    }
    Key const whole(key, width());
    Word found = 0;
    for (Word rest = mask; rest != 0; rest &= rest - 1) {
        auto const action = static_cast<std::size_t>(std::countr_zero(rest));
        bool const has_enough = rules_.affords(rules_.move(action, whole), whole);
        found |= has_enough ? Word{1} << action : 0;
    }
    return found;
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
void Expansion<Width>::add(std::uint32_t action, Move const& move, Word const* key,
                           Table const& below) {
    std::size_t child = num_children_;
    options_.push_back({action, static_cast<std::uint32_t>(child), &move});
    Word* const hashes = hashes_.data();
    Word* place = &keys_[child * width()];
    for (std::size_t i = 0; i < move.chances.size(); ++i) {
        rules_.template follow<Width>(move, i, key, place);
        Word const hash = below.hash(place);
        below.prefetch(hash);
        hashes[child++] = hash;
        place += width();
    }
    num_children_ = child;
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
