#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/search/explorer.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

/// What a state leads to: an action, a variant and the numbers of the children, then
/// the gains on the way there, option by option.
using Links = std::vector<std::uint32_t>;

/// Ten actions, of which any two neighbors that succeed bring a reward, as long as the
/// last but one of all was not attempted: some thousand states.
Instance neighbors(bool is_sum, std::uint32_t num_actions = 10,
                   std::int64_t budget = 7) {
    InstanceDraft draft({budget});
    Conditions& conditions = draft.instance.conditions;
    for (std::uint32_t i = 0; i < num_actions; ++i) {
        draft.add(0.3 + 0.5 * i / num_actions, draft.always, i % 4 == 1 ? 2 : 1);
    }
    auto const untried =
        conditions.negation(conditions.attempted(ActionId{num_actions - 2}));
    for (std::uint32_t i = 0; i + 1 < num_actions; ++i) {
        std::vector<ConditionId> both{draft.outcome(i, 1), draft.outcome(i + 1, 1)};
        if (i % 3 == 0) {
            both.push_back(untried);
        }
        draft.instance.rewards.push_back({conditions.all(both), 1.0 + i});
    }
    draft.instance.is_sum = is_sum;
    return draft.instance;
}

Links links_of(CanonicalStates const& states, StateId state) {
    Links result;
    states.for_each_option(state, [&](Option const& option) {
        result.push_back(option.action.action);
        result.push_back(option.action.variant);
        for (StateId const child : option.children) {
            result.push_back(static_cast<std::uint32_t>(child));
        }
        for (std::uint32_t const gain : option.gains) {
            result.push_back(gain);
        }
    });
    return result;
}

StateId enter_root(CanonicalGraph& graph) {
    Residual residual(graph.layout());
    std::vector<Word> key(graph.layout().key_words());
    residual.start(graph.layout().instance().budget, key.data());
    return graph.enter(key.data(), residual);
}

/// Expand one state after another, by rank and number, without an explorer.
void expand_singly(CanonicalGraph& graph) {
    Residual residual(graph.layout());
    Successors successors;
    std::map<std::uint64_t, std::vector<StateId>, std::greater<>> by_rank;
    StateId const root = enter_root(graph);
    by_rank[graph.rank(root)].push_back(root);
    while (!by_rank.empty()) {
        std::vector<StateId> const states = by_rank.begin()->second;
        by_rank.erase(by_rank.begin());
        for (StateId const state : states) {
            std::size_t const num_before = graph.size();
            graph.expand({&state, 1}, residual, successors);
            graph.keep(state, successors, successors.parts[0], residual);
            for (std::size_t i = num_before; i < graph.size(); ++i) {
                auto const found = static_cast<StateId>(i);
                by_rank[graph.rank(found)].push_back(found);
            }
        }
    }
}

bool is_same(CanonicalGraph const& one, CanonicalGraph const& other) {
    bool result = one.size() == other.size();
    std::size_t const num_words = one.layout().key_words();
    KeyBuffer buffer;
    KeyBuffer other_buffer;
    for (std::size_t i = 0; result && i < one.size(); ++i) {
        auto const state = static_cast<StateId>(i);
        Word const* const key = one.key(state, buffer);
        result = std::equal(key, key + num_words, other.key(state, other_buffer)) &&
                 one.rank(state) == other.rank(state) &&
                 one.reward(state) == other.reward(state) &&
                 one.is_expanded(state) == other.is_expanded(state) &&
                 links_of(one, state) == links_of(other, state);
    }
    return result;
}

} // namespace

TEST_CASE("states have the same numbers and links for any number of threads") {
    for (bool const is_sum : {false, true}) {
        Instance const instance = neighbors(is_sum);
        ResidualLayout const layout(instance);
        CanonicalGraph expected(layout);
        expand_singly(expected);
        REQUIRE(expected.size() > 1000);
        for (std::size_t const num_threads : {1U, 2U, 3U, 8U}) {
            CanonicalGraph graph(layout);
            ThreadTeam team(num_threads);
            Explorer explorer(graph, team);
            RunWatch watch({});

            REQUIRE(explorer.explore(enter_root(graph), watch));

            CHECK(is_same(graph, expected));
            CHECK(graph.num_expanded() == graph.size());
            CHECK(explorer.children_first().size() == graph.size());
        }
    }
}

TEST_CASE("states are the same where memory is spared from the first one on") {
    Instance const instance = neighbors(true, 100, 3);
    ResidualLayout const layout(instance);
    REQUIRE(layout.key_words() > 1);
    for (std::size_t const num_threads : {1U, 2U}) {
        ThreadTeam team(num_threads);
        RunWatch watch({});
        CanonicalGraph expected(layout);
        Explorer plain(expected, team);
        REQUIRE(plain.explore(enter_root(expected), watch));
        REQUIRE(expected.size() > 1500);
        CanonicalGraph graph(layout, {.keys = 20'000, .index = 0});
        Explorer explorer(graph, team);
        StateId const root = enter_root(graph);
        std::size_t num_states = 500;
        // Broken off again and again, and then nothing is found by its key any more.
        for (bool is_done = false; !is_done; num_states += 500) {
            RunWatch shorter({.states = num_states});
            graph.release_index();
            CHECK(graph.bytes_to_restore_index() > 0);
            graph.restore_index();
            CHECK(graph.bytes_to_restore_index() == 0);
            is_done = explorer.explore(root, shorter);
        }

        CHECK(graph.bytes_to_pack_keys() == 0);
        CHECK(graph.bytes() < expected.bytes());
        CHECK(is_same(graph, expected));
    }
}

TEST_CASE("a small graph is the same where keys are packed whatever that gains") {
    for (bool const is_sum : {false, true}) {
        Instance const instance = neighbors(is_sum);
        ResidualLayout const layout(instance);
        CanonicalGraph expected(layout);
        expand_singly(expected);
        for (std::size_t const num_threads : {1U, 2U}) {
            CanonicalGraph graph(layout, CanonicalGraph::LargeSizes::none());
            ThreadTeam team(num_threads);
            Explorer explorer(graph, team);
            RunWatch watch({});

            REQUIRE(explorer.explore(enter_root(graph), watch));

            CHECK(graph.bytes_to_pack_keys() == 0);
            CHECK(is_same(graph, expected));
        }
    }
}

TEST_CASE("an exploration that was cut short goes on to the same states") {
    Instance const instance = neighbors(true);
    ResidualLayout const layout(instance);
    CanonicalGraph whole(layout);
    CanonicalGraph graph(layout);
    ThreadTeam team(2);
    Explorer explorer(graph, team);
    Explorer undisturbed(whole, team);
    RunWatch endless({});
    REQUIRE(undisturbed.explore(enter_root(whole), endless));
    StateId const root = enter_root(graph);
    for (std::uint64_t most = 10; most < whole.size(); most *= 3) {
        RunWatch watch({.states = most});
        CHECK(!explorer.explore(root, watch));
        CHECK(graph.size() > most);
    }
    RunWatch watch({});

    REQUIRE(explorer.explore(root, watch));

    CHECK(is_same(graph, whole));
    CHECK(std::equal(explorer.children_first().begin(), explorer.children_first().end(),
                     undisturbed.children_first().begin(),
                     undisturbed.children_first().end()));
}

TEST_CASE("links are read as they were kept") {
    for (bool const is_sum : {false, true}) {
        Instance const instance = neighbors(is_sum);
        ResidualLayout const layout(instance);
        CanonicalGraph graph(layout);
        expand_singly(graph);
        Residual residual(layout);
        Successors again;
        for (std::size_t i = 0; i < graph.size(); ++i) {
            auto const state = static_cast<StateId>(i);
            graph.expand({&state, 1}, residual, again);
            std::vector<StateId> children;
            std::vector<std::uint32_t> actions;
            std::vector<double> gains;
            graph.for_each_option(state, [&](Option const& option) {
                actions.push_back(option.action.action);
                children.insert(children.end(), option.children.begin(),
                                option.children.end());
                for (std::uint32_t const gain : option.gains) {
                    gains.push_back(graph.gain_value(gain));
                }
            });
            std::vector<std::uint32_t> expected;
            for (AvailableAction const& action : again.actions) {
                expected.push_back(action.action);
            }
            REQUIRE(actions == expected);
            REQUIRE(children == again.known);
            REQUIRE(again.num_unknown == 0);
            REQUIRE(gains.size() == (is_sum ? children.size() : 0));
            for (std::size_t k = 0; k < gains.size(); ++k) {
                double gained = 0;
                for (std::size_t g = again.first_gained[k];
                     g < again.first_gained[k + 1]; ++g) {
                    gained += instance.rewards[again.gained[g]].value;
                }
                REQUIRE(gains[k] == gained);
            }
        }
    }
}

TEST_CASE("a snapshot can be read while the graph grows in another thread") {
    Instance const instance = neighbors(true);
    ResidualLayout const layout(instance);
    CanonicalGraph graph(layout);
    ThreadTeam team(2);
    Explorer explorer(graph, team);
    StateId const root = enter_root(graph);
    for (std::uint64_t most = 5; most < 3000; most = most * 5 / 4 + 1) {
        RunWatch watch({.states = most});
        (void)explorer.explore(root, watch);
        CanonicalStates states = graph.snapshot();
        std::vector<Links> expected(states.size());
        std::vector<bool> is_expanded(states.size());
        for (std::size_t i = 0; i < states.size(); ++i) {
            auto const state = static_cast<StateId>(i);
            is_expanded[i] = states.is_expanded(state);
            expected[i] = is_expanded[i] ? links_of(states, state) : Links{};
        }
        std::atomic<bool> is_sound = true;
        std::thread reader([&, own = std::move(states)] {
            for (int round = 0; round < 3; ++round) {
                for (std::size_t i = 0; i < own.size(); ++i) {
                    auto const state = static_cast<StateId>(i);
                    bool const is_as_it_was =
                        own.is_expanded(state) == is_expanded[i] &&
                        (!is_expanded[i] || links_of(own, state) == expected[i]);
                    is_sound = is_sound && is_as_it_was;
                }
            }
        });
        RunWatch more({.states = most * 5 / 4 + 1});
        (void)explorer.explore(root, more);
        reader.join();
        CHECK(is_sound);
    }
}

} // namespace branchwise
