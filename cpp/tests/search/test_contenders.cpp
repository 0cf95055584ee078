#include <cstddef>

#include <doctest/doctest.h>

#include "branchwise/search/plans/contenders.hpp"
#include "branchwise/search/rounding.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

Contenders after_exploring(CanonicalEngine& engine) {
    RunWatch watch({});
    REQUIRE(engine.explore(Objective::fewest_nodes, watch));
    return contenders_of(engine);
}

Contenders after_searching(CanonicalEngine& engine) {
    RunWatch watch({});
    REQUIRE(engine.search(0, Objective::fewest_nodes, watch) == Found::tree);
    return contenders_of(engine);
}

void check_order(Contenders const& found, StateId root) {
    REQUIRE(!found.states.empty());
    CHECK(found.states.back() == static_cast<std::uint32_t>(root));
    for (std::size_t state = 0; state < found.states.size(); ++state) {
        for (auto option = found.first_options[state];
             option < found.first_options[state + 1]; ++option) {
            for (auto branch = found.first_branches[option];
                 branch < found.first_branches[option + 1]; ++branch) {
                CHECK(found.children[branch] < state);
            }
        }
    }
}

} // namespace

TEST_CASE("every state comes after its children, however it was found") {
    for (bool const is_exact : {false, true}) {
        CanonicalEngine engine(illustrative(6), 1);
        engine.set_exact(is_exact);
        Contenders const explored = after_exploring(engine);
        check_order(explored, engine.root());

        CanonicalEngine other(illustrative(6), 1);
        other.set_exact(is_exact);
        Contenders const searched = after_searching(other);
        check_order(searched, other.root());
        CHECK(searched.states.size() == explored.states.size());
        CHECK(searched.actions.size() == explored.actions.size());
    }
}

TEST_CASE("of a plan nothing is kept but what it does") {
    CanonicalEngine engine(illustrative(6), 1);
    Contenders const all = after_exploring(engine);
    Plan const plan(engine);
    Contenders const taken = contenders_of(engine, plan);

    check_order(taken, engine.root());
    CHECK(taken.states.size() <= all.states.size());
    for (std::size_t state = 0; state < taken.states.size(); ++state) {
        CHECK(taken.first_options[state + 1] - taken.first_options[state] <= 1);
    }
}

TEST_CASE("rounding grows with the number of actions and with the largest reward") {
    Instance const instance = illustrative(6);
    double const one = rounding_of_scores(instance, 1, 100);

    CHECK(one > 0);
    CHECK(rounding_of_scores(instance, 3, 100) == doctest::Approx(2 * one));
    CHECK(rounding_of_scores(instance, 1, 50) == doctest::Approx(one / 2));
}

} // namespace branchwise
