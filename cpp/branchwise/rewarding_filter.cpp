#include "branchwise/rewarding_filter.hpp"

#include <algorithm>
#include <bit>

#include "branchwise/bits.hpp"

namespace branchwise {

void RewardingFilter::find_alive(Key key, std::vector<Word>& alive) const {
    alive.assign(num_set_words_, ~Word{0});
    if (std::size_t const rest = sets_.size() % word_bits; rest != 0) {
        alive.back() = (Word{1} << rest) - 1;
    }
    for (Lasting const& goal : lasting_) {
        if (rules_.tests().holds(goal.when, key)) {
            for (std::size_t i = 0; i < num_set_words_; ++i) {
                alive[i] &= worth_[goal.first_worth + i];
            }
        }
    }
    auto const masks = rules_.layout().happened_masks();
    for (std::size_t word = 0; word < num_words_; ++word) {
        Word const happened = key[word] & masks[word];
        for (std::size_t i = 0; happened != 0 && i < num_set_words_; ++i) {
            Word const* row = &left_by_[(word * num_set_words_ + i) * rows_per_word];
            Word kept = alive[i];
            for (Word rest = happened; rest != 0;
                 rest >>= group_bits, row += group_rows) {
                kept &= row[rest % group_rows];
            }
            alive[i] = kept;
        }
    }
}

Word RewardingFilter::find_useful(Key key, Word allowed, Scratch& scratch) const {
    Word asked = 0;
    for_each_bit(allowed,
                 [&](std::size_t action) { asked |= rules_.outcomes(action)[0]; });
    find_needs(key, asked, scratch);
    Word useful = 0;
    for_each_bit(allowed, [&](std::size_t action) {
        bool const is_needed = is_among(action, scratch.needs);
        useful |= is_needed ? Word{1} << action : 0;
    });
    return useful;
}

bool RewardingFilter::is_among(std::size_t action, Key needs) const {
    auto const outcomes = rules_.outcomes(action);
    for (std::size_t word = 0; word < needs.size(); ++word) {
        if ((outcomes[word] & needs[word]) != 0) {
            return true;
        }
    }
    return false;
}

void RewardingFilter::find_needs(Key key, Word asked, Scratch& scratch) const {
    scratch.needs.assign(num_words_, 0);
    if (sets_.empty()) {
        return;
    }
    find_alive(key, scratch.alive);
    scratch.open.resize(num_words_);
    if (num_words_ == 1) {
        find_open<1>(key, asked & all_needs_ & ~key[0], scratch);
    } else {
        find_open<0>(key, asked, scratch);
    }
}

template <std::size_t Words>
void RewardingFilter::find_open(Key key, Word asked, Scratch& scratch) const {
    std::size_t const num_words = Words == 0 ? num_words_ : Words;
    Word const most = most_outcomes(key);
    Word* const open = scratch.open.data();
    for (std::size_t i = 0; i < num_set_words_; ++i) {
        for (Word rest = scratch.alive[i]; rest != 0; rest &= rest - 1) {
            auto const bit = static_cast<std::size_t>(std::countr_zero(rest));
            std::size_t const set = i * word_bits + bit;
            Word count = 0;
            for (std::size_t word = 0; word < num_words; ++word) {
                open[word] = needs_[set * num_words + word] & ~key[word];
                count += sets_[set].size > most ? count_bits(open[word]) : 0;
            }
            if (count <= most && is_open(sets_[set], Key(open, num_words), key)) {
                for (std::size_t word = 0; word < num_words; ++word) {
                    scratch.needs[word] |= open[word];
                }
                if (Words == 1 && (scratch.needs[0] & asked) == asked) {
                    return;
                }
            }
        }
    }
}

Word RewardingFilter::left(std::size_t resource, Key key) const {
    return static_cast<Word>(rules_.instance().budget[resource]) -
           rules_.layout().spent(key, resource);
}

/// How many outcomes the resources pay for where every outcome has the same price.
Word RewardingFilter::most_outcomes(Key key) const {
    Word most = ~Word{0};
    for (std::size_t r = 0; r < uniform_.size(); ++r) {
        if (uniform_[r] == 1) {
            most = std::min(most, left(r, key));
        } else if (uniform_[r] != 0 && uniform_[r] != no_price) {
            most = std::min(most, left(r, key) / uniform_[r]);
        }
    }
    return most;
}

bool RewardingFilter::has_attempts(OpenSet const& set, Key open, Key key) const {
    for (std::uint32_t i = set.first_repeated; i < set.last_repeated; ++i) {
        Repeated const& repeated = repeated_[i];
        Word wanted = rules_.layout().num_attempts(
            key, rules_.instance().actions[repeated.action]);
        for (std::size_t word = 0; word < num_words_; ++word) {
            wanted += static_cast<Word>(
                std::popcount(open[word] & repeat_masks_[repeated.first_mask + word]));
        }
        if (wanted > repeated.attempts) {
            return false;
        }
    }
    return true;
}

bool RewardingFilter::affords(Key open, Key key) const {
    return std::ranges::all_of(uneven_, [&](std::size_t resource) {
        Word const have = left(resource, key);
        return price_within(open, resource, have) <= have;
    });
}

/// What the outcomes cost together; or, once that is more than is left, any such sum.
Word RewardingFilter::price_within(Key open, std::size_t resource, Word left) const {
    Word total = 0;
    Word const* const least = &least_[resource * rules_.instance().num_outcomes()];
    for (std::size_t word = 0; word < open.size(); ++word) {
        for (Word rest = open[word]; rest != 0 && total <= left; rest &= rest - 1) {
            auto const bit = static_cast<std::size_t>(std::countr_zero(rest));
            total += least[index_of(rules_.layout().outcome_at(word, bit))];
        }
    }
    return total;
}

} // namespace branchwise
