#include "branchwise/canonical/lanes/residual.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/support/run_watch.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

/// The actions that the facts of each set ask for, set by set.
std::vector<std::vector<std::uint32_t>> actions_of_sets(ResidualLayout const& layout,
                                                        std::size_t num_sets) {
    std::vector<std::vector<std::uint32_t>> result(num_sets);
    for (std::size_t i = 0; i < num_sets; ++i) {
        for (ResidualSets::Need const& need : layout.sets().needs(i)) {
            result[i].push_back(need.action);
        }
        std::sort(result[i].begin(), result[i].end());
    }
    return result;
}

} // namespace

TEST_CASE("a layout is looked away from wherever the run must end") {
    InstanceDraft draft({40});
    draft.add(0.5, draft.always);
    for (std::uint32_t i = 1; i < 40; ++i) {
        draft.add(0.5, draft.outcome(i - 1, 1));
    }
    draft.instance.rewards = {{draft.outcome(39, 1), 1}};
    std::size_t most = 0;
    ResidualLayout const whole(draft.instance, [&] { ++most; });

    CHECK(most >= 4 * whole.nodes().size());
    for (std::size_t last = 0; last < most; ++last) {
        std::size_t count = 0;
        auto const look = [&] {
            if (count++ == last) {
                throw RunStopped(Ending::time);
            }
        };
        CHECK_THROWS_AS(ResidualLayout(draft.instance, look), RunStopped);
    }
}

TEST_CASE("the keys of the README's example are those it says") {
    Instance const instance = intrusion(2);
    ResidualLayout const layout(instance);
    Residual residual(layout);
    std::array<std::int64_t, 1> const budget{2};
    Word root = 0;
    residual.start(budget, &root);

    REQUIRE(layout.nodes().size() == 5);
    REQUIRE(layout.key_words() == 1);
    CHECK(layout.nodes()[1].action == 1);
    CHECK(layout.nodes()[2].action == 0);
    CHECK(index_of(layout.allowed(2).node) == 3);
    CHECK(index_of(layout.reward(0).node) == 4);
    CHECK(root == 0b0'10'11110);

    auto const after = [&](Word key, std::uint32_t action, std::uint32_t outcome) {
        Word child = 0;
        LaneStep const step{&key, action, 0, outcome};
        residual.lanes().take({&step, 1}, &child);
        return child;
    };
    Word const open = 0b0'01'10000;
    CHECK(after(root, 0, 1) == open);
    CHECK(after(root, 1, 1) == open);
    CHECK(after(root, 0, 0) == 0);
    CHECK(after(root, 1, 0) == 0);
    CHECK(after(open, 2, 1) == 0b1'00'00000);
    CHECK(after(open, 2, 0) == 0);
}

TEST_CASE("the README's example has a rewarding set for each way in") {
    Instance const instance = intrusion(2);
    ResidualLayout const layout(instance);

    using Sets = std::vector<std::vector<std::uint32_t>>;
    REQUIRE(layout.sets().num_words() == 1);
    CHECK(actions_of_sets(layout, 2) == Sets{{0, 2}, {1, 2}});
}

TEST_CASE("a set stays that contains another one but opens a gate earlier") {
    InstanceDraft draft({3});
    Conditions& conditions = draft.instance.conditions;
    draft.add(0.5, draft.always);                                               // x
    draft.add(0.5, draft.always);                                               // y
    draft.add(0.5, conditions.any({draft.outcome(0, 1), draft.outcome(1, 1)})); // g
    auto const both = conditions.all({draft.outcome(0, 1), draft.outcome(2, 1)});
    draft.instance.rewards = {{both, 1}};
    ResidualLayout const layout(draft.instance);

    using Sets = std::vector<std::vector<std::uint32_t>>;
    CHECK(actions_of_sets(layout, 2) == Sets{{0, 2}, {0, 1, 2}});
}

} // namespace branchwise
