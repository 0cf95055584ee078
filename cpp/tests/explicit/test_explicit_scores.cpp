#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/explicit/explicit_scores.hpp"

namespace branchwise {

namespace {

/// Four states: 0 leads to 1 or 2 by option 0, and to 3 for sure by option 1.
struct Arrays {
    std::vector<double> rewards{0, 10, 0, 5};
    std::vector<std::int64_t> first_options{0, 2, 2, 2};
    std::vector<std::int32_t> num_options{2, 0, 0, 0};
    std::vector<double> costs{1, 1};
    std::vector<double> charges{0, 0};
    std::vector<std::int64_t> first_branches{0, 2, 3};
    std::vector<std::int32_t> children{1, 2, 3};
    std::vector<double> probabilities{0.5, 0.5, 1};

    [[nodiscard]] ExplicitGraph graph() const {
        return {rewards, first_options,  num_options, costs,
                charges, first_branches, children,    probabilities};
    }
};

std::vector<ExplicitGraph::Number> order_of(ExplicitGraph const& graph) {
    return std::get<0>(children_first(graph));
}

} // namespace

TEST_CASE("Of two actions of equal worth the one with fewer nodes is taken") {
    Arrays const arrays;
    ExplicitGraph const graph = arrays.graph();

    auto const scores =
        explicit_scores(graph, order_of(graph), Objective::fewest_nodes);

    CHECK(scores.scores[0] == 5);
    CHECK(scores.choices[0] == 1); // 2 nodes against 3
    CHECK(scores.num_nodes == 2);
    CHECK(scores.num_leaves == 1);
    CHECK(scores.depth == 1);
    CHECK(scores.num_reduced == 4); // Both trees count.
    CHECK(explicit_scores(graph, order_of(graph), Objective::order).choices[0] == 0);
}

TEST_CASE("A state that can be reached from itself is found") {
    Arrays arrays;
    arrays.first_options[3] = 2;
    arrays.num_options[3] = 1;
    arrays.costs.push_back(1);
    arrays.charges.push_back(0);
    arrays.first_branches.push_back(4);
    arrays.children.push_back(0);
    arrays.probabilities.push_back(1);

    auto const found = children_first(arrays.graph());

    REQUIRE(std::holds_alternative<Circle>(found));
    CHECK(std::get<Circle>(found).state == 3);
    CHECK(std::get<Circle>(found).child == 0);
}

TEST_CASE("Open states count as the end for the plan, and as their bound above it") {
    Arrays arrays;
    arrays.first_options[3] = ExplicitGraph::open;
    ExplicitGraph const graph = arrays.graph();
    constexpr double infinite = std::numeric_limits<double>::infinity();
    std::vector<double> const bounds{infinite, infinite, infinite, 8};

    auto const order = order_of(graph);
    auto const uppers = upper_bounds(graph, order, bounds);

    CHECK(explicit_scores(graph, order, Objective::fewest_nodes).scores[0] == 5);
    CHECK(uppers[0] == 8);
    CHECK(open_states(graph, uppers, false) == std::vector<std::int32_t>{3});
}

TEST_CASE("A bound below what a plan is worth is found") {
    Arrays const arrays;
    ExplicitGraph const graph = arrays.graph();
    auto const scores =
        explicit_scores(graph, order_of(graph), Objective::fewest_nodes);

    CHECK(broken_bound(scores, std::vector<double>{4, 10, 0, 5}) == 0U);
    CHECK_FALSE(broken_bound(scores, std::vector<double>{5, 10, 0, 5}).has_value());
}

} // namespace branchwise
