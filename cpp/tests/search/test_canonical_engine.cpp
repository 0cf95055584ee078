#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/search/bounds/lots.hpp"
#include "branchwise/search/canonical_engine.hpp"
#include "branchwise/search/plans/plan.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

double score_at_root(CanonicalEngine& engine) {
    Plan const plan(engine);
    return plan.score(plan.root());
}

} // namespace

TEST_CASE("the example has 37 canonical states, and the paper's tree") {
    CanonicalEngine engine(illustrative(6), 1);
    RunWatch watch({});

    REQUIRE(engine.explore(Objective::fewest_nodes, watch));

    CHECK(engine.graph().size() == 37);
    CHECK(score_at_root(engine) == doctest::Approx(8.43672));
    TreeShape const shape = Plan(engine).shape();
    CHECK(static_cast<std::uint64_t>(shape.num_nodes) == 33);
    CHECK(static_cast<std::uint64_t>(shape.num_leaves) == 17);
    CHECK(shape.depth == 6);
}

TEST_CASE("the README's example has 4 canonical states, and is worth 4") {
    CanonicalEngine engine(intrusion(2), 1);
    RunWatch watch({});

    REQUIRE(engine.explore(Objective::fewest_nodes, watch));

    CHECK(engine.graph().size() == 4);
    CHECK(score_at_root(engine) == doctest::Approx(4));
    CHECK(static_cast<std::uint64_t>(Plan(engine).shape().num_nodes) == 5);
}

TEST_CASE("best first finds the same, for any number of threads") {
    for (std::size_t const num_threads : {1U, 2U, 3U}) {
        CanonicalEngine engine(illustrative(7), num_threads);
        RunWatch watch({});

        CHECK(engine.search(0, Objective::fewest_nodes, watch) == Found::tree);

        CHECK(score_at_root(engine) == doctest::Approx(530211.0 / 62500.0));
        CHECK(static_cast<std::uint64_t>(Plan(engine).shape().num_nodes) == 37);
    }
}

TEST_CASE("a smaller budget starts from states that are known") {
    CanonicalEngine engine(illustrative(6), 1);
    RunWatch watch({});
    REQUIRE(engine.explore(Objective::fewest_nodes, watch));

    std::vector<std::int64_t> const budget{5};
    engine.start(budget);
    REQUIRE(engine.explore(Objective::fewest_nodes, watch));

    CHECK(score_at_root(engine) == doctest::Approx(4119.0 / 500.0));
}

TEST_CASE("a plan stays as it is when the engine goes on to more states") {
    CanonicalEngine engine(illustrative(7), 1);
    RunWatch watch({});
    std::vector<std::int64_t> const less{4};
    engine.start(less);
    REQUIRE(engine.explore(Objective::fewest_nodes, watch));
    Plan const plan(engine);
    auto const num_known = plan.graph().size();
    auto const num_nodes = plan.shape().num_nodes;

    std::vector<std::int64_t> const more{7};
    engine.start(more);
    REQUIRE(engine.explore(Objective::fewest_nodes, watch));

    CHECK(engine.graph().size() > num_known);
    CHECK(plan.graph().size() == num_known);
    CHECK(plan.shape().num_nodes == num_nodes);
    CHECK(plan.score(plan.root()) == doctest::Approx(393.0 / 50.0));
    // The root of all that was to come was known by then, but not where it leads.
    CHECK(!plan.graph().is_expanded(engine.root()));
    CHECK(engine.snapshot().is_expanded(engine.root()));
    CHECK(plan.graph().is_expanded(plan.root().state));
}

TEST_CASE("what is left out starts from another state, and shares what is known") {
    CanonicalEngine engine(intrusion(2), 1);
    RunWatch watch({});
    REQUIRE(engine.explore(Objective::fewest_nodes, watch));
    CHECK(!engine.is_restricted());
    auto const num_expanded = engine.graph().num_expanded();

    // Without scan there is mail: 0.4 * 0.8 * 10. After its success all is known.
    std::vector<std::uint8_t> const without_scan{1, 0, 0};
    engine.start(std::vector<std::int64_t>{2}, without_scan);
    REQUIRE(engine.explore(Objective::fewest_nodes, watch));

    CHECK(engine.is_restricted());
    CHECK(score_at_root(engine) == doctest::Approx(3.2));
    CHECK(engine.graph().num_expanded() == num_expanded + 1);
    CHECK(engine.whole_bound(watch) == doctest::Approx(5.6));
}

TEST_CASE("a bound on the whole is there even if the run must end at once") {
    CanonicalEngine engine(intrusion(2), 1);
    RunWatch watch({});
    watch.end(Ending::asked);
    std::vector<std::uint8_t> const without_mail{0, 1, 0};
    engine.start(std::vector<std::int64_t>{2}, without_mail);

    CHECK(engine.whole_bound(watch) >= 4);
}

TEST_CASE("an engine at work refuses other callers") {
    CanonicalEngine engine(illustrative(4), 1);
    EngineTurn const turn(engine);

    CHECK_THROWS_AS(EngineTurn{engine}, std::runtime_error);
}

TEST_CASE("every state lies between its bounds") {
    CanonicalEngine engine(illustrative(6), 1);
    RunWatch watch({});
    REQUIRE(engine.explore(Objective::order, watch));
    Plan const plan(engine);
    for (std::uint32_t i = 0; i < engine.graph().size(); ++i) {
        for (bool const is_rough : {false, true}) {
            Bound const bound = engine.bound(StateId{i}, is_rough);
            CHECK(bound.lower <= plan.score({StateId{i}, 0}) + 1e-12);
            CHECK(bound.upper >= plan.score({StateId{i}, 0}) - 1e-12);
        }
    }
}

TEST_CASE("a plan knows what else was considered, and what that is worth at most") {
    CanonicalEngine engine(illustrative(6), 1);
    RunWatch watch({});
    REQUIRE(engine.search(0, Objective::fewest_nodes, watch) == Found::tree);
    Plan const plan(engine);

    auto const options = plan.options(plan.root().state);

    REQUIRE(options.has_value());
    CHECK(options->size() == 3);
    CHECK(plan.ceiling(plan.root()).value == doctest::Approx(8.43672));
    CHECK(plan.ceiling(plan.root()).is_reached);
    for (Option const& option : *options) {
        double worth = 0;
        engine.graph().for_each_child(option, [&](StateId child, double probability) {
            worth += probability * plan.ceiling({child, 0}).value;
        });
        CHECK(worth <= 8.43672 + 1e-9);
    }
}

TEST_CASE("a run that is asked to stop has bounds and a plan") {
    CanonicalEngine engine(illustrative(7), 1);
    RunWatch watch({}, [](RunProgress const&) { return false; });
    std::ignore = engine.search(0, Objective::fewest_nodes, watch);

    CHECK(engine.lower_bound() <= 8.483376 + 1e-9);
    CHECK(engine.upper_bound() >= 8.483376 - 1e-9);
    CHECK(score_at_root(engine) <= 8.483376 + 1e-9);
}

TEST_CASE("lots of an action add up to one") {
    InstanceAction action;
    action.num_outcomes = 2;
    action.attempts = 3;
    Variant const plain{{}, {}, 1, 0, {0.5, 0.5}};
    Variant const lucky{{}, {}, 1, 0, {0.2, 0.8}};
    action.variants = {lucky, plain};

    double total = 0;
    double with_success = 0;
    for (DrawnLot const& lot : lots_of(action)) {
        total += lot.probability;
        with_success += lot.outcomes[1] ? lot.probability : 0;
    }

    CHECK(total == doctest::Approx(1));
    // At best, each of the three attempts succeeds with 0.8.
    CHECK(with_success == doctest::Approx(1 - 0.2 * 0.2 * 0.2));
}

} // namespace branchwise
