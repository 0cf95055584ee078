#pragma once

#include <span>

#include "branchwise/families/family_table.hpp"
#include "branchwise/families/family_watch.hpp"

namespace branchwise {

/// The operations on families, by recursion over the element on top.
///
/// Every call works on elements below those of its caller, so the depth of the
/// recursion is at most the number of elements. Results are remembered in the table.
class FamilyAlgebra {
  public:
    FamilyAlgebra(FamilyTable& table, FamilyWatch& watch)
        : table_(table), watch_(watch) {}

    [[nodiscard]] Family unite(Family f, Family g);
    [[nodiscard]] Family intersect(Family f, Family g);
    [[nodiscard]] Family subtract(Family f, Family g);

    /// All unions of one set of `f` and one of `g`.
    [[nodiscard]] Family join(Family f, Family g);

    /// The sets of `f` that contain no other set of `f`.
    [[nodiscard]] Family minimal(Family f);

    /// The sets of `f` that contain no set of `g`.
    [[nodiscard]] Family nonsupersets(Family f, Family g);

    /// `minimal(unite(f, g))`, where `f` and `g` are minimal already.
    [[nodiscard]] Family minimal_union(Family f, Family g);

    /// `minimal(join(f, g))`, where `f` and `g` are minimal already.
    [[nodiscard]] Family minimal_join(Family f, Family g);

    /// The family of one set; its elements ascend.
    [[nodiscard]] Family single_set(std::span<ElementId const> elements);

    /// The sets of `f` that have the one element of the one set of `element`.
    [[nodiscard]] Family with_element(Family f, Family element);

    /// The sets of `f` that have no element of the one set of `elements`.
    [[nodiscard]] Family without(Family f, Family elements);

    /// The sets of `f`, less the elements of the one set of `elements`.
    [[nodiscard]] Family project_out(Family f, Family elements);

  private:
    /// Two families, split by the element on top of both.
    struct Split {
        ElementId top;
        Family f0, f1; // the sets of f without it; those with it, less the element
        Family g0, g1;
    };

    [[nodiscard]] Split split(Family f, Family g) const;

    /// What `compute` makes of the split, unless it is remembered.
    template <typename Compute>
    Family remembered(FamilyOperation operation, Family f, Family g, Compute compute);

    /// `elements` less what is above the top of `f`, where it cannot matter.
    [[nodiscard]] Family skip_above(Family f, Family elements) const;

    FamilyTable& table_;
    FamilyWatch& watch_;
};

} // namespace branchwise
