#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "branchwise/families/family_algebra.hpp"

namespace branchwise {

/// An element and the probability that it comes true.
struct Chance {
    ElementId element;
    double probability;
};

/// Elements that exclude each other: one of them comes true, or, with the probability
/// that is left, none. In the order of the elements no element of another group may
/// stand between two of the same group.
using ChanceGroup = std::vector<Chance>;

/// The probability that all elements of some set come true. Groups are independent;
/// an element in no group never comes true.
///
/// Decides one group after another, from the top: what is left of the family once an
/// outcome is known is a family again, and equal ones are worked out once.
class FamilyProbability {
  public:
    FamilyProbability(FamilyTable& table, FamilyWatch& watch,
                      std::uint32_t num_elements, std::span<ChanceGroup const> groups);

    /// That of any family, minimal or not.
    [[nodiscard]] double of(Family family);

  private:
    static constexpr std::uint32_t no_group = UINT32_MAX;

    [[nodiscard]] double of_minimal(Family family);
    [[nodiscard]] double decided(Family family, std::uint32_t group);

    /// Which group is the top of the family in?
    [[nodiscard]] std::uint32_t group_of(Family family) const;

    /// The sets that have no element of the group, which is the one on top.
    [[nodiscard]] Family without_group(Family family, std::uint32_t group) const;

    FamilyTable& table_;
    FamilyWatch& watch_;
    FamilyAlgebra algebra_;
    std::vector<std::uint32_t> groups_; // by element
    std::vector<double> probabilities_; // by element
    Family never_;                      // the set of all elements in no group
    std::unordered_map<Family, double> known_;
};

} // namespace branchwise
