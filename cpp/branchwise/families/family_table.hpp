#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace branchwise {

/// One of the things that the sets are sets of. The least is on top of a diagram.
enum class ElementId : std::uint32_t {};

/// A family of sets: the number of the node on top of its diagram. Within one table
/// two families are equal if and only if their numbers are.
enum class Family : std::uint32_t {};

/// The family without sets, and the family of the empty set alone.
constexpr Family empty_family{0};
constexpr Family unit_family{1};

/// Below every element: what the two families above have on top.
constexpr ElementId no_element{UINT32_MAX};

/// The sets without `element` are those of `low`; the sets with it are those of
/// `high`, and `element` added to each.
struct FamilyNode {
    ElementId element;
    Family low;
    Family high;
};

/// What the results of an operation are remembered under.
enum class FamilyOperation : std::uint32_t {
    none,
    unite,
    intersect,
    subtract,
    join,
    minimal,
    nonsupersets,
    minimal_union,
    minimal_join,
    with_element,
    without,
    project_out,
};

/// Every node once, and a memory of results that forgets.
///
/// A node is numbered after both its children, so ascending numbers go up a diagram.
class FamilyTable {
  public:
    explicit FamilyTable(std::size_t max_nodes);

    [[nodiscard]] FamilyNode node(Family family) const {
        return nodes_[static_cast<std::size_t>(family)];
    }

    /// The family whose top is this node. Throws `TooLarge` if it were one too many.
    Family make(ElementId element, Family low, Family high);

    /// The result that was remembered, if it has not been forgotten since.
    [[nodiscard]] std::optional<Family> recall(FamilyOperation operation, Family f,
                                               Family g) const;
    void remember(FamilyOperation operation, Family f, Family g, Family result);

    /// Is it known that no set of this family contains another?
    [[nodiscard]] bool is_known_minimal(Family family) const {
        return known_minimal_[static_cast<std::size_t>(family)];
    }
    void mark_minimal(Family family) {
        known_minimal_[static_cast<std::size_t>(family)] = true;
    }

    /// How many nodes there are, counting the empty and the unit family.
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }

    /// Forget every node past the first `size` ones.
    void truncate(std::size_t size);

    /// How much memory all this takes.
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Memory {
        FamilyOperation operation = FamilyOperation::none;
        Family f{};
        Family g{};
        Family result{};
    };

    [[nodiscard]] std::size_t memory_slot(FamilyOperation operation, Family f,
                                          Family g) const;
    [[nodiscard]] std::size_t bucket(FamilyNode node) const;
    void fill_buckets(std::size_t num_buckets);
    void grow_memories();

    std::size_t max_nodes_;
    std::vector<FamilyNode> nodes_;
    std::vector<bool> known_minimal_;
    std::vector<Family> buckets_;  // open addressing; `empty_family` where vacant
    std::vector<Memory> memories_; // one place each, doubled when much was forgotten
    std::size_t num_forgotten_ = 0;
};

} // namespace branchwise
