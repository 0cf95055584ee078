#include "branchwise/paper/states/rewarding_filter.hpp"

#include <algorithm>
#include <bit>

#include "branchwise/support/bits.hpp"

namespace branchwise {

namespace {

bool pays_more(RewardingGoal const& goal, RewardingGoal const& held) {
    return goal.rank > held.rank;
}

} // namespace

RewardingFilter::RewardingFilter(StateRules& rules, RewardingSets const& found)
    : rules_(rules), num_words_(rules.layout().happened_masks().size()),
      num_set_words_((found.sets.size() + word_bits - 1) / word_bits),
      ended_by_(rules.instance().num_outcomes() * num_set_words_) {
    for (RewardingSet const& set : found.sets) {
        add(set, found);
    }
    group_endings();
    add_goals(rules, found);
    find_prices();
    carry(found);
}

void RewardingFilter::add(RewardingSet const& set, RewardingSets const& found) {
    std::size_t const row = needs_.size();
    needs_.resize(row + num_words_);
    std::vector<std::uint32_t> actions;
    for (OutcomeId const outcome : set.needs) {
        BitField const field = rules_.layout().happened(outcome);
        needs_[row + field.word] |= field.mask();
        actions.push_back(rules_.action_of(outcome));
    }
    all_needs_ |= needs_[row];
    std::ranges::sort(actions);
    auto const doubles = std::ranges::unique(actions);
    actions.erase(doubles.begin(), doubles.end());

    Word mask = 0;
    for (std::uint32_t const action : actions) {
        mask |= Word{1} << action % word_bits;
    }
    actions_.push_back(mask);

    auto const first = static_cast<std::uint32_t>(repeated_.size());
    Key const needs(needs_.data() + row, num_words_);
    for (std::uint32_t const action : actions) {
        add_repeated(ActionId{action}, needs, found.attempts[action]);
    }
    sets_.push_back({first, static_cast<std::uint32_t>(repeated_.size()),
                     static_cast<std::uint32_t>(set.needs.size())});
}

void RewardingFilter::add_repeated(ActionId id, Key needs, std::int64_t attempts) {
    InstanceAction const& action = rules_.instance().actions[index_of(id)];
    auto const first = static_cast<std::uint32_t>(action.first_outcome);
    std::vector<Word> mask(num_words_);
    for (std::uint32_t i = 0; i < action.num_outcomes; ++i) {
        BitField const field = rules_.layout().happened(OutcomeId{first + i});
        mask[field.word] |= field.mask();
        bool const is_needed = (needs[field.word] & field.mask()) != 0;
        if (attempts == 1 && !is_needed) {
            // Another outcome has taken the only attempt: the set is lost.
            std::size_t const set = sets_.size();
            ended_by_[(first + i) * num_set_words_ + set / word_bits] |=
                Word{1} << set % word_bits;
        }
    }
    if (attempts != 1) {
        repeated_.push_back({static_cast<std::uint32_t>(id),
                             static_cast<std::uint32_t>(repeat_masks_.size()),
                             static_cast<Word>(attempts)});
        repeat_masks_.insert(repeat_masks_.end(), mask.begin(), mask.end());
    }
}

// With the reward of a goal held for good, a set is only worth completing if it pays
// more, or, where rewards add up, if it is for another goal.
void RewardingFilter::add_goals(StateRules& rules, RewardingSets const& found) {
    bool const is_sum = rules.instance().is_sum;
    for (std::uint32_t held = 0; held < found.goals.size(); ++held) {
        RewardingGoal const& goal = found.goals[held];
        if (!goal.lasts) {
            continue;
        }
        auto const first = static_cast<std::uint32_t>(worth_.size());
        worth_.resize(first + num_set_words_);
        for (std::size_t set = 0; set < found.sets.size(); ++set) {
            std::uint32_t const its = found.sets[set].goal;
            if (is_sum ? its != held : pays_more(found.goals[its], goal)) {
                worth_[first + set / word_bits] |= Word{1} << set % word_bits;
            }
        }
        GatedTest const when = rules.tests().gated(rules.tests().add(goal.when));
        lasting_.push_back({when, held, first});
    }
}

void RewardingFilter::find_prices() {
    Instance const& instance = rules_.instance();
    for (std::size_t r = 0; r < instance.budget.size(); ++r) {
        std::size_t const row = least_.size();
        for (InstanceAction const& action : instance.actions) {
            auto const price = [&](Variant const& variant) { return variant.price[r]; };
            auto const least = std::ranges::min(action.variants, {}, price).price[r];
            least_.insert(least_.end(), action.num_outcomes, static_cast<Word>(least));
        }
        auto const begin = least_.begin() + static_cast<std::ptrdiff_t>(row);
        bool const is_uniform =
            std::all_of(begin, least_.end(), [&](Word p) { return p == *begin; });
        uniform_.push_back(is_uniform ? *begin : no_price);
        if (!is_uniform) {
            uneven_.push_back(r);
        }
    }
}

void RewardingFilter::group_endings() {
    auto const masks = rules_.layout().happened_masks();
    left_by_.assign(num_words_ * num_set_words_ * rows_per_word, ~Word{0});
    for (std::size_t i = 0; i < left_by_.size(); ++i) {
        std::size_t const row = i % rows_per_word;
        std::size_t const word = i / rows_per_word / num_set_words_;
        std::size_t const sets = i / rows_per_word % num_set_words_;
        for_each_bit((row % group_rows) << row / group_rows * group_bits & masks[word],
                     [&](std::size_t bit) {
                         auto const outcome =
                             index_of(OutcomeVector::outcome_at(word, bit));
                         left_by_[i] &= ~ended_by_[outcome * num_set_words_ + sets];
                     });
    }
}

/// Have the sets carried along, if there is a word of each, and one attempt and one
/// price for all.
void RewardingFilter::carry(RewardingSets const& found) {
    if (num_words_ != 1 || num_set_words_ != 1 || !repeated_.empty() ||
        !rules_.layout().has_even_prices() || rules_.num_actions() > word_bits) {
        return;
    }
    std::vector<CarriedSets::Set> sets;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
        sets.push_back({needs_[i], actions_[i]});
    }
    std::vector<CarriedSets::Lasting> lasting;
    for (Lasting const& goal : lasting_) {
        lasting.push_back({goal.when, worth_[goal.first_worth],
                           rules_.outcomes_in(found.goals[goal.goal].when)});
    }
    std::vector<Word> const root(rules_.layout().num_words());
    std::vector<Word> alive;
    find_alive(root, alive);
    carried_.emplace(rules_, sets, ended_by_, lasting, alive[0]);
}

// Outcomes that have happened end sets. Looking them up six at a time takes a table of
// 64 rows per group, and eleven steps at most for a word, instead of one for each
// outcome.
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
            // Where the resources pay for a whole set, there is nothing to count.
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
