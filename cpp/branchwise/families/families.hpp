#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "branchwise/families/family_algebra.hpp"
#include "branchwise/families/family_diagram.hpp"
#include "branchwise/families/family_probability.hpp"
#include "branchwise/families/family_table.hpp"
#include "branchwise/families/family_watch.hpp"
#include "branchwise/support/big_index.hpp"

namespace branchwise {

using ElementSet = std::vector<ElementId>;

/// Families of sets, as zero-suppressed decision diagrams that share their nodes.
///
/// Nodes are never freed one by one; an operation that is ended by `Stopped`,
/// `TooLarge` or the watch's hook leaves none behind, and all families from before
/// stay as they were. One thread at a time; only `watch().stop()` is for any thread.
class Families {
  public:
    /// The recursion goes as deep as there are elements, and the stack bears this.
    static constexpr std::uint32_t most_elements = 10'000;

    /// Throws `TooLarge` if there are more than `most_elements`.
    Families(std::uint32_t num_elements, std::size_t max_nodes);

    [[nodiscard]] std::uint32_t num_elements() const { return num_elements_; }

    /// Where a stop is asked for and a time limit set.
    [[nodiscard]] FamilyWatch& watch() { return watch_; }

    /// No set at all.
    [[nodiscard]] Family empty() const { return empty_family; }
    /// The empty set alone.
    [[nodiscard]] Family unit() const { return unit_family; }
    /// The set of this one element.
    [[nodiscard]] Family single(ElementId element);
    /// These sets, whose elements come in any order.
    [[nodiscard]] Family from_sets(std::span<ElementSet const> sets);

    [[nodiscard]] Family unite(Family f, Family g);
    [[nodiscard]] Family intersect(Family f, Family g);
    [[nodiscard]] Family subtract(Family f, Family g);
    /// All unions of one set of `f` and one of `g`.
    [[nodiscard]] Family join(Family f, Family g);
    /// The sets of `f` that contain no other set of `f`.
    [[nodiscard]] Family minimal(Family f);
    /// The sets of `f` that contain no set of `g`.
    [[nodiscard]] Family nonsupersets(Family f, Family g);
    /// `minimal(unite(f, g))`, without making the union first.
    [[nodiscard]] Family minimal_union(Family f, Family g);
    /// `minimal(join(f, g))`, without making the join first.
    [[nodiscard]] Family minimal_join(Family f, Family g);

    /// The sets that have this element.
    [[nodiscard]] Family with_element(Family f, ElementId element);
    /// The sets that do not have it.
    [[nodiscard]] Family without(Family f, ElementId element);
    /// All sets, less these elements.
    [[nodiscard]] Family project_out(Family f, std::span<ElementId const> elements);
    /// The sets with at most `limit` of these elements.
    [[nodiscard]] Family at_most(Family f, std::span<ElementId const> elements,
                                 std::int64_t limit);
    /// The sets whose prices sum to at most `budget`. There is one price for each
    /// element; their absolute values must sum to less than 2^62.
    [[nodiscard]] Family within(Family f, std::span<std::int64_t const> prices,
                                std::int64_t budget);

    /// How many sets, exactly.
    [[nodiscard]] BigIndex count(Family f);
    /// How many nodes its diagram has, not counting the empty and the unit family.
    [[nodiscard]] std::size_t num_nodes(Family f) const;
    /// The elements that are in some set, ascending.
    [[nodiscard]] ElementSet elements_of(Family f) const;
    /// Is this one of the sets?
    [[nodiscard]] bool contains(Family f, ElementSet set) const;
    /// The first sets, at most `limit`: those with element 0 before those without,
    /// and so on down. Each ascends.
    [[nodiscard]] std::vector<ElementSet> sets(Family f, std::size_t limit);
    /// A copy of the diagram, which stays good whatever happens here.
    [[nodiscard]] FamilyDiagram diagram(Family f) const { return {table_, f}; }

    /// The probability that all elements of some set come true.
    [[nodiscard]] double probability(Family f, std::span<ChanceGroup const> groups);
    /// The expected value of the first family some set of which comes true; 0 if there
    /// is none. There is one value per family, and they fall.
    [[nodiscard]] double expected_best(std::span<Family const> families,
                                       std::span<double const> values,
                                       std::span<ChanceGroup const> groups);

    /// How many nodes all families share, whether still of use or not.
    [[nodiscard]] std::size_t num_nodes_total() const { return table_.size() - 2; }
    /// How much memory they and the remembered results take.
    [[nodiscard]] std::size_t bytes() const { return table_.bytes(); }

  private:
    /// What `operation` returns; the nodes it made are forgotten if it throws.
    template <typename Operation>
    Family kept(Operation operation);

    [[nodiscard]] Family set_of(std::span<ElementId const> elements);
    [[nodiscard]] Family united(std::span<ElementSet const> sets);

    std::uint32_t num_elements_;
    FamilyTable table_;
    FamilyWatch watch_;
    FamilyAlgebra algebra_{table_, watch_};
};

} // namespace branchwise
