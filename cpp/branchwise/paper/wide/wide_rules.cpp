#include "branchwise/paper/wide/wide_rules.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace branchwise {

namespace {

using Kind = Condition::Kind;

} // namespace

WideRules::WideRules(Instance const& instance)
    : instance_(instance), num_outcomes_(instance.num_outcomes()),
      width_(num_outcomes_ + instance.budget.size() + instance.counters.size()),
      holds_(instance.conditions.size()), knowledge_(instance) {
    for (std::uint32_t a = 0; a < instance.actions.size(); ++a) {
        owners_.insert(owners_.end(), instance.actions[a].num_outcomes, a);
    }
}

std::vector<std::int64_t> WideRules::start() const {
    std::vector<std::int64_t> row(width_);
    for (std::size_t i = 0; i < instance_.counters.size(); ++i) {
        row[num_outcomes_ + instance_.budget.size() + i] = instance_.counters[i].start;
    }
    return row;
}

// Conditions have larger numbers than what is inside of them.
void WideRules::load(WideRow row) {
    row_ = row;
    knowledge_.start_over(counters());
    for (std::size_t i = 0; i < holds_.size(); ++i) {
        Condition const& condition = instance_.conditions[static_cast<ConditionId>(i)];
        holds_[i] = holds_now(condition) ? 1 : 0;
    }
}

bool WideRules::holds_now(Condition const& condition) const {
    auto const is_held = [this](ConditionId id) { return holds(id); };
    switch (condition.kind) {
    case Kind::happened:
        return row_[condition.subject] > 0;
    case Kind::attempted: {
        InstanceAction const& action = instance_.actions[condition.subject];
        auto const counts =
            row_.subspan(index_of(action.first_outcome), action.num_outcomes);
        return std::ranges::any_of(counts, [](auto count) { return count > 0; });
    }
    case Kind::again: // Only comparisons over canonical states ask for it.
        return false;
    case Kind::all:
        return std::ranges::all_of(condition.inside, is_held);
    case Kind::any:
        return std::ranges::any_of(condition.inside, is_held);
    case Kind::negation:
        return !holds(condition.inside[0]);
    case Kind::at_least:
        break;
    }
    return counters()[condition.subject] >= condition.threshold;
}

bool WideRules::may_stop() const {
    return !instance_.must_finish() || holds(instance_.finish->when);
}

double WideRules::reward() {
    if (!may_stop() && !instance_.finish->may_get_stuck) {
        return -std::numeric_limits<double>::infinity();
    }
    return instance_.is_sum ? expected_sum() + paid_on_the_way() : expected_best();
}

// What each step of a counter pays, outcomes pay as often as they come up.
double WideRules::paid_on_the_way() const {
    double total = 0;
    for (std::size_t i = 0; i < num_outcomes_; ++i) {
        InstanceAction const& action = instance_.actions[owners_[i]];
        if (row_[i] == 0 || action.payments.empty()) {
            continue;
        }
        for (std::uint32_t const reward :
             action.payments[i - index_of(action.first_outcome)]) {
            total += static_cast<double>(row_[i]) * instance_.rewards[reward].value;
        }
    }
    return total;
}

double WideRules::expected_sum() {
    double total = 0;
    for (InstanceReward const& reward : instance_.rewards) {
        if (holds(reward.when)) {
            total += reward.group == no_group
                         ? reward.value
                         : reward.value * knowledge_.chance(reward.group, reward.given);
        }
    }
    return total;
}

// The best of what is paid, for each way that hidden facts may be. All rewards that
// depend on any have one group.
double WideRules::expected_best() {
    std::optional<double> sure;
    std::uint32_t group = no_group;
    for (InstanceReward const& reward : instance_.rewards) {
        if (!holds(reward.when)) {
            continue;
        }
        if (reward.group == no_group) {
            sure = sure ? std::max(*sure, reward.value) : reward.value;
        } else {
            group = reward.group;
        }
    }
    if (group == no_group) {
        return sure.value_or(0);
    }
    auto const weights = knowledge_.weights(group);
    double total = 0;
    for (std::size_t h = 0; h < weights.size(); ++h) {
        std::optional<double> best = sure;
        for (InstanceReward const& reward : instance_.rewards) {
            if (reward.group != no_group && holds(reward.when) && reward.given[h] > 0) {
                best = best ? std::max(*best, reward.value) : reward.value;
            }
        }
        total += weights[h] * best.value_or(0);
    }
    return total;
}

std::size_t WideRules::variant(std::size_t action) const {
    auto const& variants = instance_.actions[action].variants;
    std::size_t number = 0;
    while (number + 1 < variants.size() && !holds(variants[number].when)) {
        ++number;
    }
    return number;
}

// With the dearest outcomes, however unlikely.
bool WideRules::is_available(std::size_t number) const {
    InstanceAction const& action = instance_.actions[number];
    auto const counts =
        row_.subspan(index_of(action.first_outcome), action.num_outcomes);
    if (std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) >=
            action.attempts ||
        !holds(action.allowed)) {
        return false;
    }
    auto const& price = action.variants[variant(number)].price;
    auto const gone = spent(row_);
    for (std::size_t r = 0; r < price.size(); ++r) {
        if (gone[r] + price[r] + action.dearest_outcome(r) > instance_.budget[r]) {
            return false;
        }
    }
    return true;
}

double WideRules::probability(std::size_t number, std::size_t variant,
                              std::size_t outcome) {
    InstanceAction const& action = instance_.actions[number];
    Variant const& own = action.variants[variant];
    return own.likelihoods.empty()
               ? own.probabilities[outcome]
               : knowledge_.chance(action.group, own.likelihoods[outcome]);
}

void WideRules::follow(std::size_t number, std::size_t variant, std::size_t outcome,
                       std::span<std::int64_t> child) const {
    InstanceAction const& action = instance_.actions[number];
    Variant const& own = action.variants[variant];
    std::ranges::copy(row_, child.begin());
    ++child[index_of(action.first_outcome) + outcome];
    for (std::size_t r = 0; r < own.price.size(); ++r) {
        std::int64_t const extra =
            action.has_outcome_costs() ? action.outcome_prices[outcome][r] : 0;
        child[num_outcomes_ + r] += own.price[r] + extra;
    }
    if (own.effects.empty()) {
        return;
    }
    auto const counters = child.subspan(num_outcomes_ + instance_.budget.size());
    for (Effect const& effect : own.effects[outcome]) {
        std::size_t const at = index_of(effect.counter);
        counters[at] = std::clamp(counters[at] + effect.change, std::int64_t{0},
                                  instance_.counters[at].size);
    }
}

} // namespace branchwise
