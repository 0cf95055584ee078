#include "branchwise/state_rules.hpp"

#include <algorithm>

namespace branchwise {

StateRules::StateRules(Instance const& instance)
    : instance_(instance), layout_(instance), tests_(instance_, layout_),
      budget_(instance.budget.begin(), instance.budget.end()) {
    for (std::uint32_t i = 0; i < instance.actions.size(); ++i) {
        actions_.push_back(ruled(ActionId{i}));
        owners_.insert(owners_.end(), instance.actions[i].num_outcomes, i);
        outcomes_.resize((i + 1) * layout_.happened_masks().size());
    }
    for (std::size_t i = 0; i < owners_.size(); ++i) {
        BitField const field = layout_.happened(static_cast<OutcomeId>(i));
        std::size_t const row = owners_[i] * layout_.happened_masks().size();
        outcomes_[row + field.word] |= field.mask();
    }
    if (layout_.num_words() == 1) {
        for (RuledAction& rule : actions_) {
            gates_.push_back(tests_.gate(rule.allowed));
            rule.is_gated = gates_.back().is_all;
        }
    }
    for (InstanceReward const& reward : instance.rewards) {
        rewards_.push_back({tests_.add(reward.when), reward.value});
    }
}

std::size_t StateRules::find_candidates(Key key, std::span<std::uint32_t> found) const {
    std::size_t count = 0;
    for (std::uint32_t action = 0; action < actions_.size(); ++action) {
        // Written first and counted later: a branch here would be guessed wrong.
        found[count] = action;
        count += gates_.empty() || gates_[action].admits(key[0]) ? 1 : 0;
    }
    return count;
}

Move const& StateRules::move(std::size_t action, Key key) const {
    std::vector<Move> const& moves = actions_[action].moves;
    std::size_t i = 0;
    while (i + 1 < moves.size() && !tests_.holds(moves[i].when, key)) {
        ++i;
    }
    return moves[i];
}

double StateRules::reward(Key key) const {
    double total = 0;
    bool is_first = true;
    for (RuledReward const& reward : rewards_) {
        if (!tests_.holds(reward.when, key)) {
            continue;
        }
        if (instance_.is_sum) {
            total += reward.value;
        } else {
            total = is_first ? reward.value : std::max(total, reward.value);
        }
        is_first = false;
    }
    return total;
}

StateRules::RuledAction StateRules::ruled(ActionId id) {
    InstanceAction const& action = instance_.actions[index_of(id)];
    RuledAction rule;
    // Taken once, "untried" is one more bit of the mask; else attempts are counted.
    rule.repeats = action.attempts != 1;
    rule.allowed = rule.repeats ? tests_.add(action.allowed)
                                : tests_.add_untried(action.allowed, id);
    for (Variant const& variant : action.variants) {
        rule.moves.push_back(made(action, variant));
    }
    return rule;
}

Move StateRules::made(InstanceAction const& action, Variant const& variant) {
    Move move{tests_.add(variant.when),
              {variant.price.begin(), variant.price.end()},
              variant.cost,
              variant.charge,
              {},
              {}};
    auto const first = static_cast<std::uint32_t>(action.first_outcome);
    for (std::uint32_t i = 0; i < action.num_outcomes; ++i) {
        OutcomeId const outcome{first + i};
        if (variant.probabilities[i] > 0) {
            BitField const happened = layout_.happened(outcome);
            move.chances.push_back(
                {outcome, happened.word, happened.mask(), variant.probabilities[i]});
            add_step(move, happened);
            add_step(move, layout_.again(outcome));
        }
    }
    return move;
}

void StateRules::add_step(Move& move, BitField what) const {
    std::size_t const row = move.steps.size();
    move.steps.resize(row + layout_.num_words());
    move.steps[row + what.word] += what.times(1);
    for (std::size_t r = 0; r < move.price.size(); ++r) {
        BitField const spent = layout_.spent()[r];
        move.steps[row + spent.word] += spent.times(move.price[r]);
    }
}

bool StateRules::has_attempts(std::size_t action, Key key) const {
    InstanceAction const& what = instance_.actions[action];
    return layout_.num_attempts(key, what) < static_cast<Word>(what.attempts);
}

} // namespace branchwise
