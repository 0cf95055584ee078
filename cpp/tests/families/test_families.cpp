#include "branchwise/families/families.hpp"

#include <numeric>

#include <doctest/doctest.h>

#include "tests/families/family_model.hpp"

namespace branchwise {

namespace {

constexpr std::uint32_t num_elements = 7;

/// Two random families of sets, each beside its model.
struct Pair {
    Families& families;
    Model f, g;
    Family f_id = family(families, f);
    Family g_id = family(families, g);
};

/// Calls `check` with many pairs, all in the same table.
template <typename Check>
void with_random_pairs(Check check) {
    std::mt19937 random(1); // NOLINT: the same families every time
    Families families(num_elements, 1'000'000);
    for (int i = 0; i < 400; ++i) {
        Model const f = random_model(random, num_elements, 12);
        check(Pair{families, f, random_model(random, num_elements, 12)}, random);
    }
}

} // namespace

TEST_CASE("a family holds the sets it was made of, and no others") {
    with_random_pairs([](Pair p, auto&) {
        CHECK(model(p.families, p.f_id) == p.f);
        CHECK(p.families.count(p.f_id) ==
              BigIndex(static_cast<BigIndex::Word>(p.f.size())));
        for (ModelSet const& set : united(p.f, p.g)) {
            CHECK(p.families.contains(p.f_id, elements(set)) == p.f.contains(set));
        }
        ModelSet all;
        for (ModelSet const& set : p.f) {
            all.insert(set.begin(), set.end());
        }
        CHECK(p.families.elements_of(p.f_id) == elements(all));
    });
}

TEST_CASE("equal families are one node") {
    Families families(3, 100);
    auto const a = families.single(ElementId{0});
    auto const b = families.single(ElementId{1});

    CHECK(families.unite(a, b) == families.unite(b, a));
    CHECK(families.join(a, families.unit()) == a);
    CHECK(families.num_nodes(families.unite(a, b)) == 2);
    CHECK(families.num_nodes(families.unit()) == 0);
    CHECK(families.from_sets({}) == families.empty());
}

TEST_CASE("union, intersection and difference are those of sets of sets") {
    with_random_pairs([](Pair p, auto&) {
        auto const in_g = [&](ModelSet const& set) { return p.g.contains(set); };
        auto const not_in_g = [&](ModelSet const& set) { return !p.g.contains(set); };
        CHECK(model(p.families, p.families.unite(p.f_id, p.g_id)) == united(p.f, p.g));
        CHECK(model(p.families, p.families.intersect(p.f_id, p.g_id)) ==
              filtered(p.f, in_g));
        CHECK(model(p.families, p.families.subtract(p.f_id, p.g_id)) ==
              filtered(p.f, not_in_g));
    });
}

TEST_CASE("joins and minimal sets are those of sets of sets") {
    with_random_pairs([](Pair p, auto&) {
        Families& work = p.families;
        CHECK(model(work, work.join(p.f_id, p.g_id)) == joined(p.f, p.g));
        CHECK(model(work, work.minimal(p.f_id)) == minimal_of(p.f));
        CHECK(model(work, work.nonsupersets(p.f_id, p.g_id)) ==
              nonsupersets_of(p.f, p.g));
    });
}

TEST_CASE("the fused operations give what the two steps give") {
    with_random_pairs([](Pair p, auto&) {
        Families& work = p.families;
        CHECK(work.minimal_union(p.f_id, p.g_id) ==
              work.minimal(work.unite(p.f_id, p.g_id)));
        CHECK(work.minimal_join(p.f_id, p.g_id) ==
              work.minimal(work.join(p.f_id, p.g_id)));
    });
}

TEST_CASE("sets are chosen by the elements they have") {
    with_random_pairs([](Pair p, auto& random) {
        auto const i = static_cast<std::uint32_t>(random() % num_elements);
        auto const has = [i](ModelSet const& set) { return set.contains(i); };
        auto const lacks = [i](ModelSet const& set) { return !set.contains(i); };
        Families& work = p.families;
        CHECK(model(work, work.with_element(p.f_id, ElementId{i})) ==
              filtered(p.f, has));
        CHECK(model(work, work.without(p.f_id, ElementId{i})) == filtered(p.f, lacks));
    });
}

TEST_CASE("elements are taken out of all sets, or limited in number") {
    with_random_pairs([](Pair p, auto& random) {
        ModelSet const some = p.g.empty() ? ModelSet{} : *p.g.begin();
        Model less;
        for (ModelSet set : p.f) {
            std::erase_if(set, [&](std::uint32_t i) { return some.contains(i); });
            less.insert(set);
        }
        CHECK(model(p.families, p.families.project_out(p.f_id, elements(some))) ==
              less);

        auto const limit = static_cast<std::int64_t>(random() % 4) - 1;
        auto const is_few = [&](ModelSet const& set) {
            return std::ranges::count_if(
                       set, [&](auto i) { return some.contains(i); }) <= limit;
        };
        CHECK(model(p.families, p.families.at_most(p.f_id, elements(some), limit)) ==
              filtered(p.f, is_few));
    });
}

TEST_CASE("the sets within a budget cost no more than that") {
    with_random_pairs([](Pair p, auto& random) {
        std::vector<std::int64_t> prices;
        for (std::uint32_t i = 0; i < num_elements; ++i) {
            prices.push_back(static_cast<std::int64_t>(random() % 12) - 4);
        }
        for (std::int64_t budget = -10; budget < 30; ++budget) {
            auto const is_cheap = [&](ModelSet const& set) {
                std::int64_t total = 0;
                for (std::uint32_t const i : set) {
                    total += prices[i];
                }
                return total <= budget;
            };
            CHECK(model(p.families, p.families.within(p.f_id, prices, budget)) ==
                  filtered(p.f, is_cheap));
        }
        CHECK(p.families.within(p.f_id, prices, INT64_MAX) == p.f_id);
        CHECK(p.families.within(p.f_id, prices, INT64_MIN) == empty_family);
    });
}

TEST_CASE("sets are listed up to a limit, each once") {
    with_random_pairs([](Pair p, auto&) {
        auto const some = p.families.sets(p.f_id, 3);
        CHECK(some.size() == std::min<std::size_t>(3, p.f.size()));
        for (ElementSet const& set : some) {
            CHECK(p.f.contains(model_set(set)));
        }
        CHECK(p.families.sets(p.f_id, SIZE_MAX).size() == p.f.size());
    });
}

} // namespace branchwise
