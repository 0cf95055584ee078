#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/families/family_table.hpp"

namespace branchwise {

/// A copy of one family's nodes, numbered without gaps and children first, so that a
/// loop with an array beside it replaces a recursion with a memory.
class FamilyDiagram {
  public:
    using Place = std::uint32_t;

    /// The places of the empty and the unit family, which are in every diagram.
    static constexpr Place empty_place = 0;
    static constexpr Place unit_place = 1;

    struct Node {
        ElementId element;
        Place low;
        Place high;
        Family family; // the same node in the table
    };

    FamilyDiagram(FamilyTable const& table, Family family);

    [[nodiscard]] Node const& operator[](Place place) const { return nodes_[place]; }

    [[nodiscard]] Place root() const { return root_; }

    /// Every place is below this one.
    [[nodiscard]] Place size() const { return static_cast<Place>(nodes_.size()); }

    /// The nodes above the empty and the unit family; the first is at place 2.
    [[nodiscard]] std::span<Node const> inner_nodes() const {
        return std::span(nodes_).subspan(2);
    }

  private:
    std::vector<Node> nodes_;
    Place root_ = empty_place;
};

} // namespace branchwise
