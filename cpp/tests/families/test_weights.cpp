// Probabilities and strengths: what weights make of a family.

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "branchwise/families/families.hpp"
#include "branchwise/families/strongest_sets.hpp"
#include "tests/families/family_model.hpp"

namespace branchwise {

namespace {

using doctest::Approx;

/// Calls `visit` with every set that may come true, and its probability.
template <typename Visit>
void enumerate(std::span<ChanceGroup const> groups, ModelSet const& so_far,
               double probability, Visit visit) {
    if (groups.empty()) {
        visit(so_far, probability);
        return;
    }
    double left = 1;
    for (auto const& [element, chance] : groups.front()) {
        auto const now = together(so_far, {static_cast<std::uint32_t>(element)});
        enumerate(groups.subspan(1), now, probability * chance, visit);
        left -= chance;
    }
    enumerate(groups.subspan(1), so_far, probability * left, visit);
}

bool comes_true(Model const& f, ModelSet const& truth) {
    return std::ranges::any_of(f,
                               [&](auto const& set) { return includes(truth, set); });
}

/// Eight elements in groups of up to three; now and then one is in no group.
std::vector<ChanceGroup> random_groups(std::mt19937& random) {
    std::vector<ChanceGroup> groups;
    for (std::uint32_t i = 0; i < 8;) {
        ChanceGroup group;
        auto const size = 1 + random() % 3;
        for (std::uint32_t end = i + static_cast<std::uint32_t>(size);
             i < std::min(end, 8U); ++i) {
            if (random() % 6 != 0) {
                group.push_back({ElementId{i}, static_cast<double>(random() % 4) / 9});
            }
        }
        groups.push_back(group);
    }
    std::ranges::shuffle(groups, random);
    return groups;
}

} // namespace

TEST_CASE("a probability is the sum over everything that may come true") {
    std::mt19937 random(3); // NOLINT: the same families every time
    Families families(8, 100'000);
    for (int i = 0; i < 300; ++i) {
        Model const f = random_model(random, 8, 8);
        auto const groups = random_groups(random);
        double expected = 0;
        enumerate(groups, {}, 1, [&](ModelSet const& truth, double probability) {
            expected += comes_true(f, truth) ? probability : 0;
        });
        CHECK(families.probability(family(families, f), groups) == Approx(expected));
    }
}

TEST_CASE("the best of several families counts, and only that") {
    std::mt19937 random(4); // NOLINT: the same families every time
    Families families(8, 100'000);
    std::vector<double> const values{10, 7, 1};
    for (int i = 0; i < 200; ++i) {
        std::vector<Model> models;
        std::vector<Family> levels;
        for (std::size_t level = 0; level < values.size(); ++level) {
            models.push_back(random_model(random, 8, 5));
            levels.push_back(family(families, models.back()));
        }
        auto const groups = random_groups(random);
        double expected = 0;
        enumerate(groups, {}, 1, [&](ModelSet const& truth, double probability) {
            auto const is_true = [&](auto const& f) { return comes_true(f, truth); };
            auto const best = std::ranges::find_if(models, is_true);
            if (best != models.end()) {
                expected += probability *
                            values[static_cast<std::size_t>(best - models.begin())];
            }
        });
        CHECK(families.expected_best(levels, values, groups) == Approx(expected));
    }
}

TEST_CASE("strongest sets come in order, each once and all of them") {
    std::mt19937 random(5); // NOLINT: the same families every time
    Families families(8, 100'000);
    for (int i = 0; i < 300; ++i) {
        Model const f = random_model(random, 8, 30);
        std::vector<double> weights;
        for (int element = 0; element < 8; ++element) {
            weights.push_back(static_cast<double>(1 + random() % 8) / 8);
        }
        StrongestSets strongest(families, family(families, f), weights);
        Model found;
        double last = std::numeric_limits<double>::infinity();
        for (auto batch = strongest.next(4); !batch.sets.empty();
             batch = strongest.next(4)) {
            for (std::size_t at = 0; at < batch.sets.size(); ++at) {
                ModelSet const set = model_set(batch.sets[at]);
                double product = 1;
                for (std::uint32_t const element : set) {
                    product *= weights[element];
                }
                CHECK(batch.strengths[at] == Approx(product));
                CHECK(batch.strengths[at] <= last);
                CHECK(found.insert(set).second);
                last = batch.strengths[at];
            }
        }
        CHECK(found == f);
    }
}

} // namespace branchwise
