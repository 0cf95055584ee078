#include "branchwise/search/bounds/perfect_information.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/search/bounds/node_probabilities.hpp"
#include "tests/instances.hpp"

namespace branchwise {

TEST_CASE(
    "the bounds of the README's example are 4 and 5.6, with and without diagrams") {
    Instance const instance = intrusion(2);
    ResidualLayout const layout(instance);
    Residual residual(layout);
    Word root = 0;
    residual.start(std::array<std::int64_t, 1>{2}, &root);
    residual.refresh(&root);
    PerfectInformation information(layout, Threat::none, {});

    for (bool const is_hurried : {false, true}) {
        information.hurry(is_hurried);
        Bound const bound = information.bound(residual);
        CHECK(bound.lower == doctest::Approx(4));
        CHECK(bound.upper == doctest::Approx(5.6));
    }

    Word open = 0b0'01'10000;
    residual.refresh(&open);
    information.hurry(false);
    CHECK(information.bound(residual).lower == doctest::Approx(8));
    CHECK(information.bound(residual).upper == doctest::Approx(8));
}

TEST_CASE("the probability of a node depends on what is left") {
    Instance const instance = intrusion(2);
    ResidualLayout const layout(instance);
    Residual residual(layout);
    NodeProbabilities probabilities(layout, {{0.5, 0.5}, {0.6, 0.4}, {0.2, 0.8}});
    NodeRef const way_in = layout.allowed(2);
    NodeRef const admin = layout.reward(0);
    Word root = 0;
    residual.start(std::array<std::int64_t, 1>{2}, &root);
    residual.refresh(&root);

    probabilities.work_out(residual);

    CHECK(probabilities.of_any(residual, {&way_in, 1}) == doctest::Approx(0.7));
    CHECK(probabilities.of_any(residual, {&admin, 1}) == doctest::Approx(0.56));
}

} // namespace branchwise
