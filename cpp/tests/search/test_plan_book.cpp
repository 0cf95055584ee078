#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/search/canonical_engine.hpp"
#include "branchwise/search/plans/fixed_plan.hpp"
#include "branchwise/search/plans/plan.hpp"
#include "branchwise/search/plans/plan_book.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

/// The number of the plan that solves an instance.
std::uint32_t entered(PlanBook& book, Instance const& instance) {
    CanonicalEngine engine(instance, 1);
    RunWatch watch({});
    REQUIRE(engine.explore(Objective::fewest_nodes, watch));
    return book.enter(Plan(engine));
}

} // namespace

TEST_CASE("plans that do the same have the same number, whatever the numbers") {
    PlanBook book;
    Instance other = illustrative(6);
    for (InstanceReward& reward : other.rewards) {
        reward.value *= 2;
    }

    std::uint32_t const number = entered(book, illustrative(6));

    CHECK(number != PlanBook::stop);
    CHECK(entered(book, illustrative(6)) == number);
    CHECK(entered(book, other) == number);
    CHECK(entered(book, illustrative(5)) != number);
    CHECK(book.step(number).action == 0);
}

TEST_CASE("rewards in the same order can be taken over") {
    for (bool const is_sum : {false, true}) {
        Instance before = illustrative(6);
        before.is_sum = is_sum;
        Instance after = before;
        after.rewards[0].value = 77;
        after.rewards[2].value = 78;
        CanonicalEngine engine(before, 1);
        CanonicalEngine fresh(after, 1);
        RunWatch watch({});
        REQUIRE(engine.explore(Objective::fewest_nodes, watch));
        REQUIRE(fresh.explore(Objective::fewest_nodes, watch));

        engine.change_rewards(after);
        engine.start(before.budget);
        REQUIRE(engine.explore(Objective::fewest_nodes, watch));

        PlanBook book;
        CHECK(engine.lower_bound() == fresh.lower_bound());
        CHECK(book.enter(Plan(engine)) == book.enter(Plan(fresh)));
    }
}

TEST_CASE("a fixed plan goes on as long as it can be paid for") {
    InstanceDraft draft({2});
    draft.add(0.5, draft.always);
    draft.instance.rewards = {{draft.outcome(0, 1), 8}};
    FixedPlan plan;
    std::vector<std::uint32_t> const won{0};
    std::uint32_t const good = plan.add_stop(won);
    std::uint32_t const bad = plan.add_stop({});
    std::vector<std::uint32_t> const last{bad, good};
    std::uint32_t const second = plan.add_step(0, 0, last, {});
    std::vector<std::uint32_t> const first{second, good};
    plan.add_step(0, 0, first, {});

    CHECK(plan.value(draft.instance) == 6);
    draft.instance.budget = {1};
    CHECK(plan.value(draft.instance) == 4);
    draft.instance.actions[0].variants[0].charge = 1;
    CHECK(plan.value(draft.instance) == 3);
    draft.instance.budget = {0};
    CHECK(plan.value(draft.instance) == 0);
}

} // namespace branchwise
