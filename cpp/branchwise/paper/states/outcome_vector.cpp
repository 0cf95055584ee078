#include "branchwise/paper/states/outcome_vector.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace branchwise {

namespace {

constexpr std::uint32_t word_bits = 64;

/// Is every action taken once, at the same price in every resource?
bool are_prices_even(Instance const& instance) {
    auto const is_like_first = [&](InstanceAction const& action) {
        return action.attempts == 1 && action.variants.size() == 1 &&
               action.variants[0].price == instance.actions[0].variants[0].price;
    };
    return !instance.actions.empty() &&
           std::ranges::all_of(instance.actions, is_like_first);
}

} // namespace

OutcomeVector::OutcomeVector(Instance const& instance) {
    for (std::size_t i = 0; i < instance.num_outcomes(); ++i) {
        happened_.push_back(place(1));
        masks_.resize(num_words_);
        masks_.back() |= happened_.back().mask();
    }
    for (InstanceAction const& action : instance.actions) {
        auto const more = std::max<std::int64_t>(action.attempts, 1) - 1;
        for (std::uint32_t i = 0; i < action.num_outcomes; ++i) {
            again_.push_back(place(static_cast<Word>(more)));
        }
    }
    has_even_prices_ = are_prices_even(instance);
    if (has_even_prices_) {
        auto const& prices = instance.actions[0].variants[0].price;
        prices_.assign(prices.begin(), prices.end());
        return;
    }
    for (std::int64_t const amount : instance.budget) {
        spent_.push_back(place(static_cast<Word>(amount)));
    }
}

BitField OutcomeVector::place(Word most) {
    auto const width = static_cast<std::uint32_t>(std::bit_width(most));
    // The top bit of the first word stays free, so that no key is `no_key`.
    auto const room = num_words_ == 1 ? word_bits - 1 : word_bits;
    if (num_bits_ + width > room) {
        ++num_words_;
        num_bits_ = 0;
    }
    // A field without bits must not be shifted by a whole word.
    auto const shift = width == 0 ? 0 : num_bits_;
    num_bits_ += width;
    Word const all = width == word_bits ? ~Word{0} : (Word{1} << width) - 1;
    return {static_cast<std::uint32_t>(num_words_ - 1), shift, all};
}

Word OutcomeVector::count(Key key, OutcomeId outcome) const {
    return happened(outcome).read(key) + again(outcome).read(key);
}

Word OutcomeVector::num_attempts(Key key, InstanceAction const& action) const {
    Word total = 0;
    for (std::uint32_t i = 0; i < action.num_outcomes; ++i) {
        auto const first = static_cast<std::uint32_t>(action.first_outcome);
        total += count(key, OutcomeId{first + i});
    }
    return total;
}

Word OutcomeVector::num_attempts(Key key) const {
    Word total = 0;
    for (std::size_t i = 0; i < happened_.size(); ++i) {
        total += count(key, static_cast<OutcomeId>(i));
    }
    return total;
}

} // namespace branchwise
