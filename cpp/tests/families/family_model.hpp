// Families as sets of sets: slow, plain, and the measure for the fast ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "branchwise/families/families.hpp"

namespace branchwise {

using ModelSet = std::set<std::uint32_t>;
using Model = std::set<ModelSet>;

inline bool includes(ModelSet const& a, ModelSet const& b) {
    return std::ranges::includes(a, b);
}

inline ModelSet together(ModelSet a, ModelSet const& b) {
    a.insert(b.begin(), b.end());
    return a;
}

/// The sets that `is_wanted` accepts.
template <typename Predicate>
Model filtered(Model const& f, Predicate is_wanted) {
    Model result;
    std::ranges::copy_if(f, std::inserter(result, result.end()), is_wanted);
    return result;
}

inline Model united(Model f, Model const& g) {
    f.insert(g.begin(), g.end());
    return f;
}

inline Model joined(Model const& f, Model const& g) {
    Model result;
    for (ModelSet const& a : f) {
        for (ModelSet const& b : g) {
            result.insert(together(a, b));
        }
    }
    return result;
}

inline Model nonsupersets_of(Model const& f, Model const& g) {
    return filtered(f, [&](ModelSet const& a) {
        return std::ranges::none_of(g, [&](auto const& b) { return includes(a, b); });
    });
}

inline Model minimal_of(Model const& f) {
    return filtered(f, [&](ModelSet const& a) {
        return std::ranges::none_of(
            f, [&](ModelSet const& b) { return a != b && includes(a, b); });
    });
}

/// Up to `most` sets of elements below `num_elements`; the empty set now and then.
inline Model random_model(std::mt19937& random, std::uint32_t num_elements,
                          std::uint32_t most) {
    Model model;
    for (auto left = random() % (most + 1); left > 0; --left) {
        ModelSet set;
        auto const density = 1 + random() % 4;
        for (std::uint32_t i = 0; i < num_elements; ++i) {
            if (random() % (density + 1) == 0) {
                set.insert(i);
            }
        }
        model.insert(set);
    }
    return model;
}

inline ElementSet elements(ModelSet const& set) {
    ElementSet result;
    for (std::uint32_t const i : set) {
        result.push_back(ElementId{i});
    }
    return result;
}

inline ModelSet model_set(ElementSet const& set) {
    ModelSet result;
    for (ElementId const element : set) {
        result.insert(static_cast<std::uint32_t>(element));
    }
    return result;
}

inline Family family(Families& families, Model const& model) {
    std::vector<ElementSet> sets;
    for (ModelSet const& set : model) {
        sets.push_back(elements(set));
    }
    return families.from_sets(sets);
}

/// All sets of a family, back again.
inline Model model(Families& families, Family f) {
    Model result;
    for (ElementSet const& set : families.sets(f, SIZE_MAX)) {
        result.insert(model_set(set));
    }
    return result;
}

} // namespace branchwise
