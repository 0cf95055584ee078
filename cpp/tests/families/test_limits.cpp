#include <stdexcept>
#include <thread>

#include <doctest/doctest.h>

#include "branchwise/families/families.hpp"
#include "branchwise/families/strongest_sets.hpp"
#include "tests/families/family_model.hpp"

namespace branchwise {

namespace {

/// The join of `{2i} or {2i + 1}` over all i, from the last one up.
Family choices(Families& families) {
    Family result = families.unit();
    for (std::uint32_t i = families.num_elements(); i >= 2; i -= 2) {
        auto const either = families.unite(families.single(ElementId{i - 2}),
                                           families.single(ElementId{i - 1}));
        result = families.minimal_join(either, result);
    }
    return result;
}

/// Joins that take very long: every element is in many sets on both sides.
Family hard(Families& families) {
    std::mt19937 random(2); // NOLINT: the same family every time
    Family result = families.unit();
    for (int i = 0; i < 40; ++i) {
        Model const model = random_model(random, families.num_elements(), 60);
        result = families.minimal_join(result, family(families, model));
    }
    return result;
}

} // namespace

TEST_CASE("a choice out of two, two hundred times, makes 2 to the 200 sets") {
    Families families(400, 1'000'000);
    BigIndex power(1);
    for (int i = 0; i < 200; ++i) {
        power.multiply_add(2, 0);
    }
    CHECK(families.count(choices(families)) == power);
}

TEST_CASE("ten thousand elements are not too deep, and more are refused") {
    Families families(Families::most_elements, 1'000'000);
    auto const all = choices(families);

    CHECK(families.minimal(all) == all);
    CHECK(families.minimal_union(all, families.single(ElementId{9'999})) != all);
    CHECK(families.sets(all, 1).front().size() == 5'000);
    CHECK_THROWS_AS(Families(Families::most_elements + 1, 10), TooLarge);
}

TEST_CASE("too many nodes leave the families as they were") {
    Families families(60, 2'000);
    auto const before = choices(families);
    auto const num_before = families.num_nodes_total();

    CHECK_THROWS_AS((void)hard(families), TooLarge);
    CHECK(families.num_nodes_total() < 2'000);
    CHECK(families.num_nodes_total() >= num_before);
    CHECK(choices(families) == before);
    CHECK(families.minimal(before) == before);
}

TEST_CASE("a stop ends one operation, and the next one works") {
    Families families(60, 100'000'000);
    families.watch().stop();
    CHECK_THROWS_AS((void)families.single(ElementId{0}), Stopped);
    CHECK_NOTHROW((void)families.single(ElementId{0}));
}

TEST_CASE("another thread may stop a long operation") {
    Families families(60, 100'000'000);
    std::jthread const other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        families.watch().stop();
    });
    CHECK_THROWS_AS((void)hard(families), Stopped);
}

TEST_CASE("a time limit ends the work, and is then spent") {
    Families families(60, 100'000'000);
    families.watch().set_time_limit(0.05);
    CHECK_THROWS_AS((void)hard(families), Stopped);
    CHECK(!families.watch().time_limit_seconds());
    CHECK_NOTHROW((void)families.single(ElementId{0}));

    families.watch().set_time_limit(1e300);
    CHECK_NOTHROW((void)families.single(ElementId{1}));
}

TEST_CASE("what the hook throws ends the operation") {
    Families families(60, 100'000'000);
    int num_calls = 0;
    families.watch().set_hook([&] {
        if (++num_calls == 2) {
            throw std::domain_error("enough");
        }
    });
    CHECK_THROWS_AS((void)hard(families), std::domain_error);
}

TEST_CASE("a stopped listing goes on where it was") {
    Families families(20, 10'000);
    StrongestSets strongest(families, choices(families), std::vector(20, 0.5));
    CHECK(strongest.next(1'000).sets.size() == 1'000);
    families.watch().stop();
    CHECK_THROWS_AS((void)strongest.next(10), Stopped);
    CHECK(strongest.next(1'000).sets.size() == 24);
}

} // namespace branchwise
