#include "branchwise/paper/states/carried_sets.hpp"

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/instances.hpp"

namespace branchwise {

TEST_CASE("sets are carried along as the example in the header says") {
    InstanceDraft draft({3});
    for (int i = 0; i < 4; ++i) { // a, b, c, d
        draft.add(0.5, draft.always);
    }
    StateRules const rules(draft.instance);
    auto const ok = [](std::uint32_t action) { return OutcomeId{2 * action + 1}; };
    auto const bit = [&](std::uint32_t action) {
        return rules.layout().happened(ok(action)).mask();
    };
    std::vector<CarriedSets::Set> const sets{{bit(0) | bit(1), 0b0011},
                                             {bit(2), 0b0100},
                                             {bit(0) | bit(1) | bit(3), 0b1011}};
    // A failure ends the sets that need a success of its action.
    std::vector<Word> const ended_by{0b101, 0, 0b101, 0, 0b010, 0, 0b100, 0};
    CarriedSets const carried(rules, sets, ended_by, {}, 0b111);
    using Halves = std::vector<CarriedSets::Half>;
    std::vector<Word> const key(rules.layout().num_words());

    REQUIRE(carried.at_root() == Halves{0b111, 0b001, 0b010});

    Halves after_a(3);
    CHECK(carried.follow(carried.at_root().data(), ok(0), key, after_a.data()) ==
          0b111);
    CHECK(after_a == Halves{0b111, 0b011, 0b000});

    Halves after_c(3);
    OutcomeId const c_fails{4};
    CHECK(carried.follow(after_a.data(), c_fails, key, after_c.data()) == 0b001);
    CHECK((after_c[1] & 0b001) == 0);
    CHECK((after_c[2] & 0b001) == 0);
    CHECK(carried.find_useful(0b1010, carried.alive(after_c.data())) == 0b0010);
}

} // namespace branchwise
