#include "branchwise/canonical/worst_probabilities.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "branchwise/search/canonical_engine.hpp"
#include "branchwise/search/plans/plan.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

std::vector<double> worst(Variant const& variant, std::vector<double> const& values) {
    std::vector<double> probabilities(values.size());
    worst_probabilities(variant, values, 0, probabilities.data());
    return probabilities;
}

/// The illustrative example, with every success off by up to a tenth.
Instance unsure(std::int64_t budget) {
    Instance instance = illustrative(budget);
    for (InstanceAction& action : instance.actions) {
        double const success = action.variants[0].probabilities[1];
        double const low = success - 0.1;
        double const high = success + 0.1;
        action.variants[0].spread = {{1 - high, low}, {1 - low, high}, 0.1};
    }
    return instance;
}

double worst_case(std::uint32_t deviations, bool searches) {
    CanonicalEngine engine(unsure(6), 1);
    engine.face(deviations);
    RunWatch watch({});
    if (searches) {
        CHECK(engine.search(0, Objective::fewest_nodes, watch) == Found::tree);
    } else {
        CHECK(engine.explore(Objective::fewest_nodes, watch));
    }
    Plan const plan(engine);
    return plan.score(plan.root());
}

} // namespace

TEST_CASE("probability moves from the best to the worst, as far as it may") {
    Variant variant;
    variant.probabilities = {0.2, 0.3, 0.5};
    variant.spread = {{0.1, 0.2, 0.3}, {0.5, 0.6, 0.6}, 0.25};
    auto const probabilities = worst(variant, {1, 2, 3});
    CHECK(probabilities[0] ==
          doctest::Approx(0.45)); // 0.2 of the best, 0.05 of the next
    CHECK(probabilities[1] == doctest::Approx(0.25));
    CHECK(probabilities[2] == doctest::Approx(0.3));
}

TEST_CASE("what cannot happen has no probabilities, and equal values move nothing") {
    Variant variant;
    variant.probabilities = {0.5, 0.0, 0.5};
    variant.spread = {{0.0, 0.0, 0.0}, {1.0, 0.0, 1.0}, 1.0};
    auto const probabilities = worst(variant, {4, 4});
    CHECK(probabilities == std::vector<double>{0.5, 0.5});
}

TEST_CASE("the worst case never rises with the number of deviations") {
    double last = worst_case(0, false);
    CHECK(last == doctest::Approx(8.43672));
    for (std::uint32_t const deviations : {1U, 2U, 3U, WorstCase::endless}) {
        double const now = worst_case(deviations, false);
        CHECK(now <= last);
        CHECK(now == doctest::Approx(worst_case(deviations, true)));
        last = now;
    }
}

} // namespace branchwise
