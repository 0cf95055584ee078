#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/families/family_diagram.hpp"
#include "branchwise/families/family_table.hpp"
#include "branchwise/families/family_watch.hpp"

namespace branchwise {

/// The prices of the sets of one family: the sum over the elements of a set.
///
/// The sets within a budget change only at finitely many budgets. So a result is kept
/// with the whole interval of budgets it holds for, and a part of the diagram whose
/// sets are all cheap enough, or all too dear, is never entered.
class FamilyPrice {
  public:
    /// There is one price for each element.
    FamilyPrice(FamilyTable& table, FamilyWatch& watch, Family family,
                std::span<std::int64_t const> prices);

    /// The sets that cost at most `budget`.
    [[nodiscard]] Family within(std::int64_t budget);

  private:
    using Place = FamilyDiagram::Place;

    /// The least and the largest price of a set.
    struct Range {
        std::int64_t least;
        std::int64_t largest;
    };

    /// The sets within any budget that is at least `from` and less than `until`.
    struct Selection {
        std::int64_t from;
        std::int64_t until;
        Family family;
    };

    [[nodiscard]] std::int64_t price(Place place) const;
    [[nodiscard]] Range range_of(Place place) const;
    [[nodiscard]] Selection select(Place place, std::int64_t budget);
    [[nodiscard]] Selection compute(Place place, std::int64_t budget);

    FamilyTable& table_;
    FamilyWatch& watch_;
    FamilyDiagram diagram_;
    std::span<std::int64_t const> prices_;
    std::vector<Range> ranges_;                 // by place
    std::vector<std::vector<Selection>> known_; // by place, then ascending
};

} // namespace branchwise
