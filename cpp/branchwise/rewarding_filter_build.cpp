// How a filter is made of the rewarding sets that were found.

#include <algorithm>

#include "branchwise/bits.hpp"
#include "branchwise/rewarding_filter.hpp"

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

} // namespace branchwise
