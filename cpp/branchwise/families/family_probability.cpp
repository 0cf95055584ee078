#include "branchwise/families/family_probability.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace branchwise {

namespace {

std::size_t at(ElementId element) {
    return static_cast<std::size_t>(element);
}

// Once another group has begun, a group must not come back.
[[maybe_unused]] bool are_adjacent(std::span<std::uint32_t const> groups,
                                   std::uint32_t no_group) {
    std::vector<bool> is_over(groups.size());
    std::uint32_t current = no_group;
    for (std::uint32_t const group : groups) {
        if (group == no_group || group == current) {
            continue;
        }
        if (is_over[group]) {
            return false;
        }
        if (current != no_group) {
            is_over[current] = true;
        }
        current = group;
    }
    return true;
}

} // namespace

FamilyProbability::FamilyProbability(FamilyTable& table, FamilyWatch& watch,
                                     std::uint32_t num_elements,
                                     std::span<ChanceGroup const> groups)
    : table_(table), watch_(watch), algebra_(table, watch),
      groups_(num_elements, no_group), probabilities_(num_elements) {
    std::uint32_t num_groups = 0;
    for (ChanceGroup const& group : groups) {
        if (group.empty()) {
            continue;
        }
        for (auto const& [element, probability] : group) {
            assert(at(element) < num_elements && groups_[at(element)] == no_group);
            groups_[at(element)] = num_groups;
            probabilities_[at(element)] = probability;
        }
        ++num_groups;
    }
    assert(are_adjacent(groups_, no_group));
    std::vector<ElementId> never;
    for (std::uint32_t i = 0; i < num_elements; ++i) {
        if (groups_[i] == no_group) {
            never.push_back(ElementId{i});
        }
    }
    never_ = algebra_.single_set(never);
}

// What never comes true and what contains another set do not change the probability;
// without them more families turn out to be the same.
double FamilyProbability::of(Family family) {
    return of_minimal(algebra_.minimal(algebra_.without(family, never_)));
}

double FamilyProbability::of_minimal(Family family) {
    if (family == empty_family || family == unit_family) {
        return family == unit_family ? 1.0 : 0.0;
    }
    if (auto const known = known_.find(family); known != known_.end()) {
        return known->second;
    }
    watch_.step();
    double const result = decided(family, group_of(family));
    known_.emplace(family, result);
    return result;
}

// Sum over what the group on top comes out as. Each element that comes true leaves the
// sets it was part of, less itself, and those that need none of the group; if another
// one does, or none, only the latter are left.
double FamilyProbability::decided(Family family, std::uint32_t group) {
    Family const rest = without_group(family, group);
    double total = 0;
    double left = 1;
    while (group_of(family) == group) {
        FamilyNode const node = table_.node(family);
        double const probability = probabilities_[at(node.element)];
        if (probability > 0) {
            // A set with a second element of the group never comes true.
            Family const needs = without_group(node.high, group);
            total += probability * of_minimal(algebra_.minimal_union(rest, needs));
            left -= probability;
        }
        family = node.low;
    }
    // Rounding may leave a little less than nothing.
    return left > 0 ? total + left * of_minimal(rest) : total;
}

std::uint32_t FamilyProbability::group_of(Family family) const {
    ElementId const top = table_.node(family).element;
    return top == no_element ? no_group : groups_[at(top)];
}

Family FamilyProbability::without_group(Family family, std::uint32_t group) const {
    while (group_of(family) == group) {
        family = table_.node(family).low;
    }
    return family;
}

} // namespace branchwise
