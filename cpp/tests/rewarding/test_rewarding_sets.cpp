#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/rewarding/rewarding_sets.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

using Set = std::pair<std::vector<std::uint32_t>, std::uint32_t>;

/// The sets as numbers of outcomes, each with its goal.
std::set<Set> as_numbers(RewardingSets const& found) {
    std::set<Set> result;
    for (RewardingSet const& set : found.sets) {
        std::vector<std::uint32_t> needs;
        for (OutcomeId const outcome : set.needs) {
            needs.push_back(static_cast<std::uint32_t>(outcome));
        }
        result.emplace(needs, set.goal);
    }
    return result;
}

/// A reward for which each of some actions may be opened by any of some others.
Instance many_ways(std::uint32_t num_opened, std::uint32_t num_openers) {
    InstanceDraft draft({100});
    Conditions& conditions = draft.instance.conditions;
    std::vector<ConditionId> openers;
    for (std::uint32_t i = 0; i < num_openers; ++i) {
        draft.add(0.5, draft.always);
        openers.push_back(draft.outcome(i, 1));
    }
    std::vector<ConditionId> opened;
    for (std::uint32_t i = 0; i < num_opened; ++i) {
        draft.add(0.5, conditions.any(openers));
        opened.push_back(draft.outcome(num_openers + i, 1));
    }
    draft.instance.rewards = {{conditions.all(opened), 1}};
    return draft.instance;
}

std::optional<RewardingSets> listed(Instance const& instance,
                                    std::vector<std::uint32_t> const& ranks) {
    std::vector<RewardingGoal> goals;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        goals.push_back({instance.rewards[i].when, ranks[i]});
    }
    RunWatch watch({});
    return list_rewarding_sets(
        instance, goals, std::vector<std::int64_t>(instance.actions.size(), 1), watch);
}

} // namespace

TEST_CASE("the paper's example has four rewarding sets, and fewer with less to spend") {
    auto const found = listed(illustrative(6), {1, 0, 2});
    REQUIRE(found);
    std::set<Set> const expected{
        {{1, 7, 9}, 0}, {{1, 3, 7, 11}, 1}, {{3, 5, 7, 11}, 1}, {{5, 13}, 2}};
    CHECK(as_numbers(*found) == expected);
    CHECK(found->num_minimal == 4);
    CHECK(found->goals[0].lasts);

    auto const cheap = listed(illustrative(2), {1, 0, 2});
    REQUIRE(cheap);
    CHECK(as_numbers(*cheap) == std::set<Set>{{{5, 13}, 2}});
}

TEST_CASE("sets that are too many to compare are not listed") {
    auto const few = listed(many_ways(2, 3), {0});
    REQUIRE(few);
    CHECK(few->num_minimal == 3);
    CHECK_FALSE(listed(many_ways(4, 9), {0}));
}

TEST_CASE("listing ends when its time is over") {
    RunWatch watch({0.0, std::nullopt, std::nullopt});
    Instance const instance = many_ways(4, 9);
    std::vector<std::int64_t> const attempts(instance.actions.size(), 1);
    CHECK_THROWS_AS(static_cast<void>(list_rewarding_sets(
                        instance, {{instance.rewards[0].when}}, attempts, watch)),
                    RunStopped);
}

} // namespace branchwise
