#include "branchwise/canonical/lanes/residual_lanes.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

using StateWords = std::vector<Word>;

/// Problems with a bit of everything, in which each unit of cost counts as many. Wide
/// ones have counters, costs of outcomes and hidden facts as well.
class Dice {
  public:
    explicit Dice(std::uint32_t seed, std::int64_t unit, bool is_wide = false)
        : random_(seed), unit_(unit), is_wide_(is_wide) {}

    Instance instance() {
        std::vector<std::int64_t> budget;
        for (std::uint32_t r = 0; r < 1 + roll(2); ++r) {
            budget.push_back(unit_ * (3 + roll(3)));
        }
        InstanceDraft draft(budget);
        std::uint32_t const num_actions = 4 + roll(3);
        if (is_wide_) {
            add_counters(draft, num_actions);
        }
        for (std::uint32_t a = 0; a < num_actions; ++a) {
            draft.add(0.5, condition(draft), 1 + (roll(4) == 0 ? roll(3) : 0));
            for (std::int64_t& price :
                 draft.instance.actions.back().variants[0].price) {
                price = unit_ * (roll(3) + (draft.instance.budget.size() == 1 ? 1 : 0));
            }
        }
        for (std::uint32_t a = 0; a < num_actions; ++a) {
            if (roll(5) == 0) { // where it may depend on itself, in a circle
                draft.instance.actions[a].allowed = condition(draft);
            }
            if (roll(4) == 0) {
                auto& variants = draft.instance.actions[a].variants;
                Variant variant = variants[0];
                variant.when = condition(draft);
                variant.price[0] = unit_ * roll(4);
                variants.insert(variants.begin(), variant);
            }
        }
        draft.instance.is_sum = roll(2) == 0;
        for (std::uint32_t i = 0; i < 1 + roll(3); ++i) {
            double const sign = draft.instance.is_sum && roll(4) == 0 ? -1 : 1;
            draft.instance.rewards.push_back({condition(draft), sign * (1 + roll(3))});
        }
        if (is_wide_) {
            add_outcome_prices(draft.instance);
            add_hidden(draft.instance);
            add_effects(draft.instance);
        }
        return draft.instance;
    }

  private:
    std::uint32_t roll(std::uint32_t sides) {
        return static_cast<std::uint32_t>(random_() % sides);
    }

    // What changes them comes first, as comparisons name it.
    void add_counters(InstanceDraft& draft, std::uint32_t num_actions) {
        Conditions& conditions = draft.instance.conditions;
        for (std::uint32_t c = 0; c < 1 + roll(2); ++c) {
            std::int64_t const size = 1 + roll(3);
            draft.instance.counters.push_back({size, roll(2) * size});
            std::vector<ConditionId> inside;
            for (std::uint32_t a = 0; a < num_actions; ++a) {
                auto const change = static_cast<std::int64_t>(roll(5)) - 2;
                changes_.push_back(roll(2) == 0 ? change : 0);
                if (changes_.back() != 0) {
                    ConditionId const again = conditions.again(ActionId{a});
                    inside.push_back(change > 0 ? again : conditions.negation(again));
                }
            }
            comparisons_.push_back(
                conditions.at_least(CounterId{c}, 1 + roll(2) % size, inside));
        }
        num_changed_ = num_actions;
    }

    // The second outcome of an action changes counters, or tells about what is hidden.
    void add_effects(Instance& instance) {
        for (std::uint32_t a = 0; a < num_changed_; ++a) {
            for (Variant& variant : instance.actions[a].variants) {
                variant.effects.resize(2);
                for (std::uint32_t c = 0; c * num_changed_ < changes_.size(); ++c) {
                    if (std::int64_t const change = changes_[c * num_changed_ + a]) {
                        variant.effects[1].push_back({CounterId{c}, change});
                    }
                }
                if (instance.actions[a].group != no_group) {
                    auto const last =
                        static_cast<CounterId>(instance.counters.size() - 1);
                    variant.effects[1].push_back({last, 1});
                }
            }
        }
    }

    void add_outcome_prices(Instance& instance) {
        for (InstanceAction& action : instance.actions) {
            if (roll(3) == 0) {
                std::vector<std::int64_t> const free(instance.budget.size());
                std::vector<std::int64_t> const dear(instance.budget.size(),
                                                     unit_ * (1 + roll(2)));
                action.outcome_prices = {free, dear};
                action.outcome_costs = action.outcome_charges = {0, 0};
            }
        }
    }

    void add_hidden(Instance& instance) {
        HiddenGroup group{{0.5, 0.5}, {}};
        for (std::uint32_t a = 0; a < 2; ++a) {
            group.informers.push_back(instance.conditions.again(ActionId{a}));
            instance.actions[a].group = 0;
            for (Variant& variant : instance.actions[a].variants) {
                variant.likelihoods = {{0.25, 0.5}, {0.75, 0.5}};
            }
        }
        instance.groups = {group};
        instance.counters.push_back({6, 0, 0, {1, 0.5}});
        instance.rewards.back().group = 0;
        instance.rewards.back().given = {1, 0};
    }

    ConditionId condition(InstanceDraft& draft) {
        auto const count = static_cast<std::uint32_t>(draft.instance.actions.size());
        if (count == 0) {
            return draft.always;
        }
        std::vector<ConditionId> facts;
        for (std::uint32_t i = 0; i < 1 + roll(3); ++i) {
            std::uint32_t const action = roll(count);
            ConditionId fact = draft.outcome(action, roll(2));
            if (roll(6) == 0) {
                fact = draft.instance.conditions.attempted(ActionId{action});
            }
            if (!comparisons_.empty() && roll(3) == 0) {
                fact =
                    comparisons_[roll(static_cast<std::uint32_t>(comparisons_.size()))];
            }
            facts.push_back(roll(5) == 0 ? draft.instance.conditions.negation(fact)
                                         : fact);
        }
        std::sort(facts.begin(), facts.end());
        facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
        Conditions& conditions = draft.instance.conditions;
        return roll(2) == 0 ? conditions.all(facts) : conditions.any(facts);
    }

    std::mt19937 random_;
    std::int64_t unit_;
    bool is_wide_;
    std::vector<ConditionId> comparisons_;
    std::vector<std::int64_t> changes_; // by counter and action
    std::uint32_t num_changed_ = 0;
};

/// Every state that can be reached, with the steps that can be taken there.
class Walk {
  public:
    explicit Walk(ResidualLayout const& layout, LaneForm form = LaneForm::best)
        : layout_(layout), residual_(layout), lanes_(layout, form) {
        StateWords root(layout.key_words());
        lanes_.start(layout.instance().budget, root.data());
        states_.push_back(root);
        std::set<StateWords> met{root};
        for (std::size_t i = 0; i < states_.size(); ++i) {
            std::vector<LaneStep> const steps = this->steps(states_[i]);
            for (StateWords const& child : taken(steps)) {
                if (met.insert(child).second) {
                    states_.push_back(child);
                }
            }
        }
    }

    [[nodiscard]] std::vector<StateWords> const& states() const { return states_; }

    std::vector<LaneStep> steps(StateWords const& state) {
        std::vector<AvailableAction> actions;
        residual_.load(state.data());
        residual_.available(actions);
        std::vector<LaneStep> result;
        for (AvailableAction const action : actions) {
            for (std::uint32_t outcome : {0U, 1U}) {
                result.push_back(
                    {state.data(), action.action, action.variant, outcome});
            }
        }
        return result;
    }

    std::vector<StateWords> taken(std::span<LaneStep const> steps) {
        std::vector<Word> keys(steps.size() * layout_.key_words());
        lanes_.take(steps, keys.data());
        std::vector<StateWords> result;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            auto const first =
                keys.begin() + static_cast<std::ptrdiff_t>(i * layout_.key_words());
            result.emplace_back(
                first, first + static_cast<std::ptrdiff_t>(layout_.key_words()));
        }
        return result;
    }

  private:
    ResidualLayout const& layout_;
    Residual residual_;
    ResidualLanes lanes_;
    std::vector<StateWords> states_;
};

/// The undecided nodes of a state and, in units, what is left.
std::vector<std::int64_t> meaning(ResidualLayout const& layout, StateWords const& key,
                                  std::int64_t unit) {
    Residual residual(layout);
    residual.load(key.data());
    std::vector<std::int64_t> result{residual.held_level()};
    for (std::size_t r = 0; r < layout.instance().budget.size(); ++r) {
        result.push_back(residual.left(r) / unit);
    }
    residual.for_each_undecided(
        [&](std::size_t node) { result.push_back(static_cast<std::int64_t>(node)); });
    return result;
}

constexpr std::uint32_t num_problems = 300;

} // namespace

TEST_CASE("every machine finds the same states, in the same order") {
    for (std::uint32_t seed = 0; seed < num_problems; ++seed) {
        for (std::int64_t const unit : {1, 1'000, 1'000'000}) {
            bool const is_wide = seed % 2 != 0;
            Instance const instance = Dice(seed, unit, is_wide).instance();
            ResidualLayout const layout(instance);

            std::vector<StateWords> const states =
                Walk(layout, LaneForm::portable).states();
            CHECK(Walk(layout, LaneForm::avx2).states() == states);
            CHECK(Walk(layout, LaneForm::avx512).states() == states);
        }
    }
}

TEST_CASE("the states are the same whether prices take one, two or eight bytes") {
    for (std::uint32_t seed = 0; seed < num_problems; ++seed) {
        std::vector<std::vector<std::vector<std::int64_t>>> found;
        for (std::int64_t const unit : {1, 1'000, 1'000'000}) {
            Instance const instance = Dice(seed, unit, seed % 2 != 0).instance();
            ResidualLayout const layout(instance);
            Walk const walk(layout);
            auto& meanings = found.emplace_back();
            for (StateWords const& state : walk.states()) {
                meanings.push_back(meaning(layout, state, unit));
            }
        }
        CHECK(found[0] == found[1]);
        CHECK(found[0] == found[2]);
    }
}

TEST_CASE("a state is the same with any others beside it") {
    // It takes many to meet a lane that would be changed by what another one needs.
    for (std::uint32_t seed = 0; seed < 20 * num_problems; ++seed) {
        Instance const instance = Dice(seed, 1, seed % 2 != 0).instance();
        ResidualLayout const layout(instance);
        Walk walk(layout);
        std::vector<LaneStep> steps;
        for (StateWords const& state : walk.states()) {
            for (LaneStep const& step : walk.steps(state)) {
                steps.push_back(step);
            }
        }
        std::mt19937 random(seed);
        std::shuffle(steps.begin(), steps.end(), random);
        steps.resize(std::min(steps.size(), num_lanes));
        std::vector<StateWords> const together = walk.taken(steps);

        for (std::size_t i = 0; i < steps.size(); ++i) {
            CHECK(walk.taken(std::span(steps).subspan(i, 1))[0] == together[i]);
        }
    }
}

TEST_CASE("what a state costs is the same with any others beside it") {
    for (std::uint32_t seed = 0; seed < num_problems; ++seed) {
        Instance const instance = Dice(seed, 1, seed % 2 != 0).instance();
        ResidualLayout const layout(instance);
        Walk const walk(layout);
        std::vector<LaneStep> steps;
        for (StateWords const& state : walk.states()) {
            steps.push_back({state.data()});
        }
        steps.resize(std::min(steps.size(), num_lanes));
        ResidualLanes together(layout);
        Residual alone(layout);
        together.refresh(steps);

        for (std::size_t lane = 0; lane < steps.size(); ++lane) {
            alone.refresh(steps[lane].key);
            alone.for_each_undecided([&](std::size_t node) {
                for (std::size_t r = 0; r < instance.budget.size(); ++r) {
                    CHECK(together.cost(node, r, lane) == alone.lanes().cost(node, r));
                }
            });
        }
    }
}

} // namespace branchwise
