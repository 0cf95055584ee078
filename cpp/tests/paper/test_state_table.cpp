#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/paper/states/condition_tests.hpp"
#include "branchwise/paper/states/state_table.hpp"
#include "branchwise/problem/objective.hpp"
#include "tests/instances.hpp"

namespace branchwise {

TEST_CASE_TEMPLATE("a table keeps every key and its value while it grows", Table,
                   StateTable<0>, StateTable<2>) {
    Table table(2);
    std::mt19937_64 random(1); // NOLINT: the same keys every time
    std::map<std::vector<Word>, Word> model;
    for (Word i = 0; i < 5'000; ++i) {
        std::vector<Word> const key{random() % 64, random() % 64};
        auto const [slot, is_new] = table.insert(key.data(), table.hash(key.data()));
        CHECK(is_new == !model.contains(key));
        *table.values(slot) = i;
        model[key] = i;
    }
    CHECK(table.size() == model.size());
    for (auto const& [key, value] : model) {
        std::size_t const slot = table.find(key.data(), table.hash(key.data()));
        REQUIRE(slot != Table::nowhere);
        CHECK(*table.values(slot) == value);
    }
    std::vector<Word> const other{64, 64};
    CHECK(table.find(other.data(), table.hash(other.data())) == Table::nowhere);
}

TEST_CASE_TEMPLATE("a table numbers keys in the order in which they come", Table,
                   StateTable<0>, StateTable<1>) {
    Table table(1);
    std::mt19937_64 random(2); // NOLINT: the same keys every time
    std::map<Word, Word> model;
    for (std::size_t count = 0; count < 100; ++count) {
        std::vector<Word> keys(count);
        std::ranges::generate(keys, [&] { return random() % 2'000; });
        while (table.size() + count > table.room()) {
            table.grow();
        }
        std::size_t num_taken = 0;
        table.number(keys.data(), count, [&](std::size_t i, Word number, Word is_new) {
            CHECK(i == num_taken++);
            auto const [known, is_first] = model.try_emplace(keys[i], model.size());
            CHECK(number == known->second);
            CHECK(is_new == (is_first ? 1 : 0));
        });
        CHECK(num_taken == count);
    }
    CHECK(table.size() == model.size());
}

TEST_CASE("fields hold the largest numbers there can be, side by side") {
    std::int64_t const many = std::int64_t{1} << 60U;
    InstanceDraft draft({many, 7});
    for (int i = 0; i < 40; ++i) {
        draft.add(0.5, draft.always, i == 3 ? many : 1);
    }
    OutcomeVector const layout(draft.instance);
    std::vector<Word> taken(layout.num_words());
    auto const take = [&](BitField field) {
        CHECK((taken[field.word] & field.mask()) == 0);
        taken[field.word] |= field.mask();
    };
    for (std::uint32_t i = 0; i < draft.instance.num_outcomes(); ++i) {
        take(layout.happened(OutcomeId{i}));
        take(layout.again(OutcomeId{i}));
    }
    take(layout.spent_fields()[0]);
    take(layout.spent_fields()[1]);
    CHECK(layout.spent_fields()[0].most >= static_cast<Word>(many));
    CHECK(layout.again(OutcomeId{6}).most >= static_cast<Word>(many - 1));
    CHECK((taken[0] & Gate::open) == 0);
}

TEST_CASE("compiled conditions hold where the conditions do") {
    InstanceDraft draft({});
    for (int i = 0; i < 3; ++i) {
        draft.add(0.5, draft.always);
    }
    Conditions& all = draft.instance.conditions;
    auto const one = draft.outcome(0, 1);
    auto const two = all.attempted(ActionId{1});
    auto const three = draft.outcome(2, 0);
    auto const either = all.any({two, all.negation(all.all({one, three}))});
    auto const tested = all.all({one, either, all.negation(all.any({three}))});
    auto const never = all.all({one, all.negation(one)});
    OutcomeVector const layout(draft.instance);
    ConditionTests tests(draft.instance, layout);
    TestId const test = tests.add(tested);
    TestId const fails = tests.add(never);
    for (Word key = 0; key < 64; ++key) {
        bool const has_one = (key & 2U) != 0;
        bool const has_two = (key & 12U) != 0;
        bool const has_three = (key & 16U) != 0;
        bool const wanted = has_one && (has_two || !has_three) && !has_three;
        CHECK(tests.holds(test, Key(&key, 1)) == wanted);
        CHECK(!tests.holds(fails, Key(&key, 1)));
    }
}

TEST_CASE("node counts stay at the most they can be") {
    CHECK(add_nodes(2, 3) == 5);
    CHECK(add_nodes(most_nodes - 1, 1) == most_nodes);
    CHECK(add_nodes(most_nodes, 1) == most_nodes);
    CHECK(add_nodes(most_nodes, most_nodes) == most_nodes);
}

} // namespace branchwise
