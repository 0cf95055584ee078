#include <vector>

#include <doctest/doctest.h>

#include "branchwise/paper/tree_selection.hpp"
#include "branchwise/support/large_array.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

/// What the three stages find with some threads, however few states there are.
struct Stages {
    std::size_t num_states;
    std::size_t num_reduced;
    std::vector<std::vector<double>> scores{};       // of the plan, layer by layer
    std::vector<std::vector<std::uint32_t>> moves{}; // what it does there
};

Stages found_with(Instance const& instance, std::size_t num_threads) {
    RunWatch watch({});
    StateRules const rules(instance);
    Crew crew(watch, num_threads, 1);
    FullGraph graph(rules, crew);
    graph.generate(nullptr);
    graph.score();
    ReducedGraph reduced(graph);
    reduced.generate();
    TreeSelection selection(reduced, Objective::fewest_nodes);
    selection.choose();
    Stages found{graph.num_states(), reduced.num_states()};
    for (PolicyLayer const& layer : selection.policy()) {
        found.scores.push_back(layer.scores);
        found.moves.push_back(layer.moves);
    }
    return found;
}

/// Pairs of actions in a row are rewarded; some idle ones make keys longer.
Instance rows(int num_idle) {
    InstanceDraft draft({5});
    for (int i = 0; i < 9; ++i) {
        draft.add(0.3 + 0.05 * i, draft.always, i == 4 ? 2 : 1);
    }
    for (int i = 0; i < num_idle; ++i) {
        draft.add(0.5, draft.instance.conditions.any({}));
    }
    for (std::uint32_t i = 0; i + 1 < 9; ++i) {
        auto const both = draft.instance.conditions.all(
            {draft.outcome(i, 1), draft.outcome(i + 1, 1)});
        draft.instance.rewards.push_back({both, 1.0 + i});
    }
    return draft.instance;
}

} // namespace

TEST_CASE("layers in one part, two and four have the same states, scores and plan") {
    for (int const num_idle : {0, 30, 60}) {
        Instance const instance = rows(num_idle);
        Stages const one = found_with(instance, 1);
        for (std::size_t const num_threads : {2U, 3U}) {
            Stages const more = found_with(instance, num_threads);
            CHECK(more.num_states == one.num_states);
            CHECK(more.num_reduced == one.num_reduced);
            CHECK(more.scores == one.scores);
            CHECK(more.moves == one.moves);
        }
    }
}

TEST_CASE("a large array keeps its values while it grows, moves and shrinks") {
    LargeArray<std::uint64_t> array;
    constexpr std::size_t many = 1'500'000; // some megabytes: several large pages
    for (std::uint64_t i = 0; i < many; ++i) {
        array.push_back(i * i);
    }
    LargeArray<std::uint64_t> moved = std::move(array);
    moved.shrink();
    CHECK(moved.size() == many);
    CHECK(moved.bytes() == many * sizeof(std::uint64_t));
    moved.push_back(7);
    bool is_kept = true;
    for (std::uint64_t i = 0; i < many; ++i) {
        is_kept = is_kept && moved[i] == i * i;
    }
    CHECK(is_kept);
    CHECK(moved[many] == 7);
    moved.clear();
    moved.shrink();
    moved.push_back(1);
    CHECK(moved[0] == 1);
}

} // namespace branchwise
