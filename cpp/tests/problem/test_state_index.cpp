#include "branchwise/problem/state_index.hpp"

#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

using branchwise::BigIndex;
using branchwise::StateIndex;
using Ranks = std::vector<StateIndex::Rank>;

TEST_CASE("five decimal digits are numbered 0 to 99999, first digit least") {
    StateIndex const digits(Ranks(5, 10));

    CHECK(digits.num_states() == BigIndex(100'000));
    CHECK(digits.index(Ranks{0, 0, 0, 0, 0}) == BigIndex(0));
    CHECK(digits.index(Ranks{1, 2, 3, 4, 5}) == BigIndex(54'321));
    CHECK(digits.index(Ranks{9, 9, 9, 9, 9}) == BigIndex(99'999));
    CHECK(digits.state(BigIndex(54'321)) == Ranks{1, 2, 3, 4, 5});
}

TEST_CASE("each element has a base of its own") {
    // 1 + 0 * 2 + 3 * (2 * 3) = 19, out of 2 * 3 * 4 = 24 states.
    StateIndex const mixed(Ranks{2, 3, 4});

    CHECK(mixed.num_states() == BigIndex(24));
    CHECK(mixed.index(Ranks{1, 0, 3}) == BigIndex(19));
    CHECK(mixed.state(BigIndex(19)) == Ranks{1, 0, 3});
}

TEST_CASE("every index below num_states is the index of its own state") {
    StateIndex const mixed(Ranks{3, 1, 4, 2});

    for (BigIndex::Word i = 0; i < 3 * 1 * 4 * 2; ++i) {
        CHECK(mixed.index(mixed.state(BigIndex(i))) == BigIndex(i));
    }
}

TEST_CASE("a state without elements is the only one") {
    StateIndex const nothing(Ranks{});

    CHECK(nothing.num_states() == BigIndex(1));
    CHECK(nothing.index(Ranks{}) == BigIndex(0));
    CHECK(nothing.state(BigIndex(0)).empty());
}

TEST_CASE("500 actions of four values each need 1000 bits, and none is lost") {
    StateIndex const many(Ranks(500, 4));

    // 4^500 = 2^1000, and 1000 = 31 * 32 + 8.
    Ranks words(32, 0);
    words.back() = 1U << 8U;
    CHECK(many.num_states() == BigIndex(words));

    Ranks state;
    for (StateIndex::Rank i = 0; i < 500; ++i) {
        state.push_back(i * i % 4);
    }
    CHECK(many.state(many.index(state)) == state);
}
