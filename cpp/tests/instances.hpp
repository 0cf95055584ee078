#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// Problems for tests, put together action by action.
class InstanceDraft {
  public:
    explicit InstanceDraft(std::vector<std::int64_t> budget) {
        instance.budget = std::move(budget);
    }

    /// The condition that an outcome of an action has happened.
    ConditionId outcome(std::uint32_t action, std::uint32_t label) {
        auto const first =
            static_cast<std::uint32_t>(instance.actions[action].first_outcome);
        return instance.conditions.happened(OutcomeId{first + label});
    }

    /// An action at unit cost that fails or comes out well.
    void add(double success, ConditionId allowed, std::int64_t attempts = 1) {
        InstanceAction action;
        action.first_outcome = static_cast<OutcomeId>(instance.num_outcomes());
        action.num_outcomes = 2;
        action.attempts = attempts;
        action.allowed = allowed;
        std::vector<std::int64_t> const price(instance.budget.size(), 1);
        action.variants = {{always, price, 1.0, 0.0, {1 - success, success}}};
        instance.actions.push_back(action);
    }

    Instance instance{};
    ConditionId always = instance.conditions.all({});
};

/// The paper's Table 1.
inline Instance illustrative(std::int64_t budget) {
    InstanceDraft draft({budget});
    Conditions& conditions = draft.instance.conditions;
    auto const ok = [&](std::uint32_t number) { return draft.outcome(number - 1, 1); };
    draft.add(0.6, draft.always);
    draft.add(0.6, draft.always);
    draft.add(0.3, draft.always);
    draft.add(0.3, conditions.any({ok(1), ok(3)}));
    auto const untried = conditions.negation(conditions.attempted(ActionId{2}));
    draft.add(0.6, conditions.all({ok(4), untried}));
    draft.add(0.4, conditions.all({ok(4), ok(2)}));
    draft.add(0.1, ok(3));
    draft.instance.rewards = {{ok(5), 50}, {ok(6), 10}, {ok(7), 100}};
    return draft.instance;
}

/// The example that runs through cpp/README.md: `scan`, `mail`, and `admin`, which
/// requires a success of either. Outcome 1 is the success.
inline Instance intrusion(std::int64_t budget) {
    InstanceDraft draft({budget});
    draft.add(0.5, draft.always);
    draft.add(0.4, draft.always);
    Conditions& conditions = draft.instance.conditions;
    draft.add(0.8, conditions.any({draft.outcome(0, 1), draft.outcome(1, 1)}));
    draft.instance.rewards = {{draft.outcome(2, 1), 10}};
    return draft.instance;
}

} // namespace branchwise
