#include "branchwise/paper/states/state_rules.hpp"

#include <algorithm>

namespace branchwise {

StateRules::StateRules(Instance const& instance)
    : instance_(instance), layout_(instance), tests_(instance_, layout_),
      budget_(instance.budget.begin(), instance.budget.end()), moves_(1),
      prices_(budget_.size()) {
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
    for (std::size_t r = 0; layout_.has_even_prices() && r < budget_.size(); ++r) {
        Word const each = price(actions_[0].first_move, r);
        most_attempts_ =
            each == 0 ? most_attempts_ : std::min(most_attempts_, budget_[r] / each);
    }
    for (InstanceReward const& reward : instance.rewards) {
        rewards_.push_back({tests_.gated(tests_.add(reward.when)), reward.value});
    }
    effects_.resize(owners_.size());
    find_askers();
    find_paid_for();
}

void StateRules::find_paid_for() {
    for (InstanceReward const& reward : instance_.rewards) {
        auto const asked = outcomes_in(reward.when);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            if (asked[i]) {
                effects_[i].is_paid_for = true;
            }
        }
    }
}

// Most outcomes change what is allowed for few actions. Knowing these, the actions that
// a child allows follow from its parent's without testing all conditions again.
void StateRules::find_askers() {
    std::vector<std::vector<std::uint32_t>> askers(owners_.size());
    for (std::uint32_t i = 0; i < actions_.size(); ++i) {
        add_askers(ActionId{i}, askers);
    }
    for (std::size_t i = 0; i < askers.size(); ++i) {
        effects_[i].first_asker = static_cast<std::uint32_t>(askers_.size());
        askers_.insert(askers_.end(), askers[i].begin(), askers[i].end());
        effects_[i].last_asker = static_cast<std::uint32_t>(askers_.size());
    }
}

void StateRules::add_askers(ActionId id,
                            std::vector<std::vector<std::uint32_t>>& askers) {
    auto const asked = outcomes_in(instance_.actions[index_of(id)].allowed);
    for (std::size_t outcome = 0; outcome < asked.size(); ++outcome) {
        bool const is_own = owners_[outcome] == index_of(id);
        if (is_own && !actions_[index_of(id)].repeats) {
            effects_[outcome].used_up = Word{1} << index_of(id) % 64;
        } else if (is_own || asked[outcome]) {
            askers[outcome].push_back(static_cast<std::uint32_t>(id));
        }
    }
}

std::vector<bool> StateRules::outcomes_in(ConditionId id) const {
    std::vector<bool> asked(owners_.size());
    // Inner conditions have smaller numbers, so one way down finds them all.
    std::vector<bool> is_inside(index_of(id) + 1);
    is_inside.back() = true;
    for (std::size_t i = is_inside.size(); i-- > 0;) {
        if (!is_inside[i]) {
            continue;
        }
        Condition const& condition = instance_.conditions[static_cast<ConditionId>(i)];
        if (condition.kind == Condition::Kind::happened) {
            asked[condition.subject] = true;
        } else if (condition.kind == Condition::Kind::attempted) {
            for (std::size_t j = 0; j < asked.size(); ++j) {
                asked[j] = asked[j] || owners_[j] == condition.subject;
            }
        }
        for (ConditionId const inner : condition.inside) {
            is_inside[index_of(inner)] = true;
        }
    }
    return asked;
}

Word StateRules::allowed(Key key) const {
    Word found = 0;
    for (std::size_t action = 0; action < num_actions(); ++action) {
        found |= is_allowed(action, key) ? Word{1} << action : 0;
    }
    return found;
}

double StateRules::sum(Key key) const {
    double total = 0;
    for (RuledReward const& reward : rewards_) {
        total += tests_.holds(reward.when, key) ? reward.value : 0;
    }
    return total;
}

double StateRules::highest(Key key) const {
    double best = 0;
    bool is_first = true;
    for (RuledReward const& reward : rewards_) {
        if (tests_.holds(reward.when, key)) {
            best = is_first ? reward.value : std::max(best, reward.value);
            is_first = false;
        }
    }
    return best;
}

StateRules::RuledAction StateRules::ruled(ActionId id) {
    InstanceAction const& action = instance_.actions[index_of(id)];
    RuledAction rule;
    // Taken once, "untried" is one more bit of the mask; else attempts are counted.
    rule.repeats = action.attempts != 1;
    rule.allowed = tests_.gated(rule.repeats ? tests_.add(action.allowed)
                                             : tests_.add_untried(action.allowed, id));
    rule.first_move = moves_.size();
    for (Variant const& variant : action.variants) {
        add_move(id, variant);
    }
    rule.last_move = moves_.size() - 1;
    most_children_ += action.num_outcomes;
    return rule;
}

void StateRules::add_move(ActionId id, Variant const& variant) {
    InstanceAction const& action = instance_.actions[index_of(id)];
    Move move{.action = static_cast<std::uint32_t>(id),
              .when = tests_.add(variant.when),
              .first_chance = static_cast<std::uint32_t>(chances_.size()),
              .cost = variant.cost,
              .charge = variant.charge,
              .repeats = action.attempts != 1};
    prices_.insert(prices_.end(), variant.price.begin(), variant.price.end());
    auto const first = static_cast<std::uint32_t>(action.first_outcome);
    for (std::uint32_t i = 0; i < action.num_outcomes; ++i) {
        OutcomeId const outcome{first + i};
        if (variant.probabilities[i] > 0) {
            chances_.push_back(outcome);
            probabilities_.push_back(variant.probabilities[i]);
            add_step(moves_.size(), layout_.happened(outcome), steps_);
            add_step(moves_.size(), layout_.again(outcome), steps_again_);
            ++move.num_chances;
        }
    }
    moves_.push_back(move);
}

// A child's key is its parent's plus a constant: fields are wide enough that nothing is
// carried from one into the next.
void StateRules::add_step(std::size_t move, BitField what,
                          std::vector<Word>& steps) const {
    std::size_t const row = steps.size();
    steps.resize(row + layout_.num_words());
    steps[row + what.word] += what.times(1);
    for (std::size_t r = 0; r < layout_.spent_fields().size(); ++r) {
        BitField const spent = layout_.spent_fields()[r];
        steps[row + spent.word] += spent.times(price(move, r));
    }
}

std::size_t StateRules::find_clause(RuledAction const& rule, Key key) const {
    std::size_t i = rule.first_move;
    while (i < rule.last_move && !tests_.holds(moves_[i].when, key)) {
        ++i;
    }
    return i;
}

bool StateRules::has_attempts(std::size_t action, Key key) const {
    InstanceAction const& what = instance_.actions[action];
    return layout_.num_attempts(key, what) < static_cast<Word>(what.attempts);
}

} // namespace branchwise
