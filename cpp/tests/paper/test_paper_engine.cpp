#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/paper/paper_engine.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

/// The four rewarding sets of the paper's example; outcome 2 of action i is 2 i - 1.
RewardingSets illustrative_sets(Instance& instance) {
    auto const ok = [](std::uint32_t number) { return OutcomeId{2 * number - 1}; };
    RewardingSets found;
    std::vector<std::uint32_t> const ranks{1, 0, 2};
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        found.goals.push_back({instance.rewards[i].when, ranks[i], true});
    }
    found.sets = {{{ok(1), ok(4), ok(5)}, 0},
                  {{ok(1), ok(2), ok(4), ok(6)}, 1},
                  {{ok(2), ok(3), ok(4), ok(6)}, 1},
                  {{ok(3), ok(7)}, 2}};
    found.attempts.assign(instance.actions.size(), 1);
    return found;
}

/// Two plans went through as many states, and do the same in each of theirs.
void check_equal(PaperPlan const& one, PaperPlan const& other) {
    CHECK(one.statistics().num_full_states == other.statistics().num_full_states);
    CHECK(one.statistics().num_reduced_states == other.statistics().num_reduced_states);
    CHECK(one.statistics().num_policy_states == other.statistics().num_policy_states);
    CHECK(one.statistics().num_nodes == other.statistics().num_nodes);
    using Pair = std::pair<std::vector<Word>, std::vector<Word>>;
    std::vector<Pair> states{
        {std::vector<Word>(one.num_words()), std::vector<Word>(other.num_words())}};
    while (!states.empty()) {
        auto const [here, there] = states.back();
        states.pop_back();
        auto const step = one.step(here);
        auto const same = other.step(there);
        REQUIRE((step.has_value() && same.has_value()));
        CHECK(step->action == same->action);
        CHECK(step->value == same->value);
        CHECK(one.situation(here).spent == other.situation(there).spent);
        REQUIRE(step->branches.size() == same->branches.size());
        for (std::size_t i = 0; i < step->branches.size(); ++i) {
            states.emplace_back(step->branches[i].state, same->branches[i].state);
        }
    }
}

} // namespace

TEST_CASE("the README's example has 9 states, and 13 without pruning") {
    Instance const instance = intrusion(2);
    RunWatch watch({});
    auto const sets = list_rewarding_sets(instance, {{instance.rewards[0].when, 0}},
                                          std::vector<std::int64_t>(3, 1), watch);
    auto const num_states = [&](std::optional<RewardingSets> const& used) {
        return solve_by_paper(instance, used, Objective::fewest_nodes, watch, 1)
            ->statistics()
            .num_full_states;
    };

    REQUIRE(sets.has_value());
    CHECK(num_states(sets) == 9);
    CHECK(num_states(std::nullopt) == 13);
}

TEST_CASE("the paper's example has 168, 92 and 33; 175 without pruning") {
    Instance instance = illustrative(6);
    auto const sets = illustrative_sets(instance);
    RunWatch watch({});
    auto const plan = solve_by_paper(instance, sets, Objective::fewest_nodes, watch);
    auto const naive =
        solve_by_paper(instance, std::nullopt, Objective::fewest_nodes, watch);

    CHECK(plan->statistics().num_full_states == 168);
    CHECK(plan->statistics().num_reduced_states == 92);
    CHECK(plan->statistics().num_nodes == 33);
    CHECK(naive->statistics().num_full_states == 175);
    CHECK(naive->statistics().num_nodes == 33);
    auto const first = plan->step(std::vector<Word>(plan->num_words()));
    CHECK(first->value == doctest::Approx(105459.0 / 12500));
    CHECK(first->action == ActionId{0});
}

TEST_CASE("what is quick for even prices finds what the general way finds") {
    for (std::int64_t budget = 0; budget < 8; ++budget) {
        Instance even = illustrative(budget);
        auto sets = illustrative_sets(even);
        Instance uneven = even;
        // One more action, at another price, that nothing allows.
        InstanceAction never = uneven.actions[0];
        never.first_outcome = static_cast<OutcomeId>(uneven.num_outcomes());
        never.allowed = uneven.conditions.any({});
        never.variants[0].price = {2};
        uneven.actions.push_back(never);
        RunWatch watch({});
        auto const quick = solve_by_paper(even, sets, Objective::order, watch);
        sets.attempts.push_back(1);
        auto const general = solve_by_paper(uneven, sets, Objective::order, watch);
        check_equal(*quick, *general);
    }
}

TEST_CASE("any number of threads finds the same plan, whatever the width of keys") {
    for (int const num_idle : {0, 30, 60}) {
        InstanceDraft draft({6});
        for (int i = 0; i < 12; ++i) {
            draft.add(0.3 + 0.05 * i, draft.always);
        }
        for (int i = 0; i < num_idle; ++i) {
            draft.add(0.5, draft.instance.conditions.any({}));
        }
        for (std::uint32_t i = 0; i + 1 < 12; ++i) {
            auto const both = draft.instance.conditions.all(
                {draft.outcome(i, 1), draft.outcome(i + 1, 1)});
            draft.instance.rewards.push_back({both, 1.0 + i});
        }
        RunWatch watch({});
        auto const one = solve_by_paper(draft.instance, std::nullopt,
                                        Objective::fewest_nodes, watch, 1);
        auto const three = solve_by_paper(draft.instance, std::nullopt,
                                          Objective::fewest_nodes, watch, 3);
        check_equal(*one, *three);
    }
}

TEST_CASE("a plan knows nothing of states it never comes to") {
    RunWatch watch({});
    auto const plan =
        solve_by_paper(illustrative(6), std::nullopt, Objective::order, watch);
    std::vector<Word> key(plan->num_words(), Word{1} << 40U);
    CHECK(!plan->step(key).has_value());
}

TEST_CASE("keys of every width give two states per action of a chain") {
    for (std::uint32_t const length : {10U, 30U, 31U, 32U, 60U, 63U, 64U, 100U, 130U}) {
        InstanceDraft draft({length});
        draft.add(0.99, draft.always);
        for (std::uint32_t i = 1; i < length; ++i) {
            draft.add(0.99, draft.outcome(i - 1, 1));
        }
        draft.instance.rewards = {{draft.outcome(length - 1, 1), 1}};
        RunWatch watch({});
        auto const plan =
            solve_by_paper(draft.instance, std::nullopt, Objective::least_depth, watch);
        CHECK(plan->statistics().num_full_states == 2 * length + 1);
        CHECK(plan->statistics().num_nodes == 2 * length + 1);
    }
}

TEST_CASE("a run without time ends in order") {
    RunWatch watch({.seconds = 0.0, .bytes = {}});
    InstanceDraft draft({30});
    for (int i = 0; i < 30; ++i) {
        draft.add(0.5, draft.always);
    }
    draft.instance.rewards = {{draft.outcome(0, 1), 1}};
    try {
        auto const plan =
            solve_by_paper(draft.instance, std::nullopt, Objective::order, watch);
        FAIL("there was no time for this");
    } catch (RunStopped const& stopped) {
        CHECK(stopped.ending() == Ending::time);
    }
}

} // namespace branchwise
