#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/canonical/score_graph.hpp"
#include "branchwise/paper/paper_score_graph.hpp"
#include "branchwise/search/canonical_engine.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

/// The score of the root, worked out from the arrays alone.
double score_of(ScoreGraph const& graph) {
    std::vector<double> scores = graph.rewards;
    for (std::size_t state = scores.size(); state-- > 0;) {
        for (auto option = graph.first_options[state];
             option < graph.first_options[state + 1]; ++option) {
            double worth = -graph.charges[option];
            for (auto branch = graph.first_branches[option];
                 branch < graph.first_branches[option + 1]; ++branch) {
                REQUIRE(graph.children[branch] > state);
                worth += graph.probabilities[branch] *
                         (graph.gains[branch] + scores[graph.children[branch]]);
            }
            scores[state] = std::max(scores[state], worth);
        }
    }
    return scores[0] + graph.root_gain;
}

ScoreGraph explored(CanonicalEngine& engine) {
    RunWatch watch({});
    REQUIRE(engine.explore(Objective::fewest_nodes, watch));
    return engine.score_graph();
}

} // namespace

TEST_CASE("the arrays of the example give its score") {
    CanonicalEngine engine(illustrative(6), 1);
    ScoreGraph const graph = explored(engine);

    CHECK(graph.rewards.size() == 37);
    CHECK(graph.actions.size() == 60);
    CHECK(graph.children.size() == 120);
    CHECK(score_of(graph) == doctest::Approx(8.43672));
}

TEST_CASE("the naive full graph of the example has 175 states and the same score") {
    RunWatch watch({});
    ScoreGraph const graph = paper_score_graph(illustrative(6), {}, watch);

    CHECK(graph.rewards.size() == 175);
    CHECK(graph.actions.size() == 207);
    CHECK(score_of(graph) == doctest::Approx(8.43672));
}

TEST_CASE("with a smaller budget the arrays hold only what it leads to") {
    CanonicalEngine engine(illustrative(6), 1);
    CHECK(explored(engine).rewards.size() == 37);
    std::vector<std::int64_t> const budget{5};
    engine.start(budget);
    ScoreGraph const graph = explored(engine);

    CHECK(graph.rewards.size() < engine.graph().size());
    CHECK(score_of(graph) == doctest::Approx(4119.0 / 500.0));
}

TEST_CASE("rewards that add up are gains of the branches") {
    Instance instance = illustrative(6);
    instance.is_sum = true;
    CanonicalEngine engine(instance, 1);
    ScoreGraph const graph = explored(engine);

    CHECK(std::any_of(graph.gains.begin(), graph.gains.end(),
                      [](double gain) { return gain > 0; }));
    CHECK(score_of(graph) == doctest::Approx(engine.lower_bound() + graph.root_gain));
}

} // namespace branchwise
