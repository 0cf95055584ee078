#include "branchwise/search/restricted_plan.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>

#include <doctest/doctest.h>

#include "branchwise/canonical/lanes/residual.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

constexpr RestrictedPlan::Focus narrow{1, 8};
constexpr std::size_t plenty = 1'000;

Word root_of(ResidualLayout const& layout) {
    Residual residual(layout);
    Word root = 0;
    residual.start(layout.instance().budget, &root);
    return root;
}

} // namespace

TEST_CASE("the plan of the README's example scans and goes on from there") {
    Instance const instance = intrusion(2);
    ResidualLayout const layout(instance);
    RestrictedPlan plan(layout);
    Word const root = root_of(layout);

    REQUIRE(plan.work_out(&root, narrow, plenty, [] {}));

    Word const open = 0b0'01'10000;
    Word const over = 0;
    REQUIRE(plan.action(&root));
    CHECK(plan.action(&root)->action == 0);
    REQUIRE(plan.action(&open));
    CHECK(plan.action(&open)->action == 2);
    CHECK_FALSE(plan.action(&over));
}

TEST_CASE("a plan that takes more states than it may is none") {
    Instance const instance = illustrative(4);
    ResidualLayout const layout(instance);
    RestrictedPlan plan(layout);
    Word const root = root_of(layout);

    CHECK_FALSE(plan.work_out(&root, narrow, 2, [] {}));
    CHECK(plan.work_out(&root, narrow, plenty, [] {}));
}

TEST_CASE("a plan that was broken off goes on where it was") {
    Instance const instance = illustrative(4);
    ResidualLayout const layout(instance);
    RestrictedPlan plan(layout);
    RestrictedPlan other(layout);
    Word const root = root_of(layout);
    std::size_t num_looks = 0;
    std::size_t num_breaks = 0;
    auto const look = [&] {
        if (++num_looks % 3 == 0) {
            throw std::runtime_error("enough");
        }
    };
    bool is_done = false;
    while (!is_done) {
        try {
            is_done = plan.work_out(&root, narrow, plenty, look);
        } catch (std::runtime_error const&) {
            REQUIRE(++num_breaks < plenty);
        }
    }
    std::size_t num_needed = 0;
    REQUIRE(other.work_out(&root, narrow, plenty, [&] { ++num_needed; }));

    CHECK(num_breaks > 3);
    CHECK(num_looks <= num_needed + num_breaks);
    CHECK(plan.action(&root)->action == other.action(&root)->action);
}

TEST_CASE("a plan is improved where it leads, until all of it considers all actions") {
    Instance const instance = intrusion(2);
    ResidualLayout const layout(instance);
    RestrictedPlan plan(layout);
    Word const root = root_of(layout);
    Word const open = 0b0'01'10000;
    Word const over = 0;
    std::array<Word const*, 3> const states{&root, &open, &over};
    REQUIRE(plan.work_out(&root, narrow, plenty, [] {}));

    REQUIRE(plan.widen(states));
    CHECK_FALSE(plan.work_out(&root, narrow, 0, [] {}));
    REQUIRE(plan.work_out(&root, narrow, plenty, [] {}));

    CHECK(plan.action(&root)->action == 0);
    CHECK(plan.action(&open)->action == 2);
    CHECK_FALSE(plan.widen(states));
    CHECK(plan.work_out(&root, narrow, 0, [] {}));
}

} // namespace branchwise
