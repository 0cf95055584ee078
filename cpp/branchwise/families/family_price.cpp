#include "branchwise/families/family_price.hpp"

#include <algorithm>
#include <limits>

namespace branchwise {

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

// The ends of an interval that is open to one side stay where they are.
std::int64_t shifted(std::int64_t end, std::int64_t price) {
    return end == lowest || end == highest ? end : end + price;
}

} // namespace

FamilyPrice::FamilyPrice(FamilyTable& table, FamilyWatch& watch, Family family,
                         std::span<std::int64_t const> prices)
    : table_(table), watch_(watch), diagram_(table, family), prices_(prices),
      known_(diagram_.size()) {
    ranges_.reserve(diagram_.size());
    for (Place place = 0; place < diagram_.size(); ++place) {
        watch_.step();
        ranges_.push_back(range_of(place));
    }
}

Family FamilyPrice::within(std::int64_t budget) {
    return select(diagram_.root(), budget).family;
}

std::int64_t FamilyPrice::price(Place place) const {
    return prices_[static_cast<std::size_t>(diagram_[place].element)];
}

FamilyPrice::Range FamilyPrice::range_of(Place place) const {
    if (place == FamilyDiagram::empty_place) {
        return {highest, lowest};
    }
    if (place == FamilyDiagram::unit_place) {
        return {0, 0};
    }
    Range const low = ranges_[diagram_[place].low];
    Range const high = ranges_[diagram_[place].high];
    return {std::min(low.least, high.least + price(place)),
            std::max(low.largest, high.largest + price(place))};
}

// The sets within a budget change only where the budget passes the price of one. So a
// selection holds for a whole interval of budgets, and nodes that are met with many
// budgets share few of them.
FamilyPrice::Selection FamilyPrice::select(Place place, std::int64_t budget) {
    Range const range = ranges_[place];
    if (place == FamilyDiagram::empty_place) {
        return {lowest, highest, empty_family};
    }
    if (budget < range.least) {
        return {lowest, range.least, empty_family};
    }
    if (budget >= range.largest) {
        return {range.largest, highest, diagram_[place].family};
    }
    auto const is_past = [](std::int64_t wanted, Selection const& selection) {
        return wanted < selection.from;
    };
    auto const& known = known_[place];
    auto const next = std::ranges::upper_bound(known, budget, {}, &Selection::from);
    if (next != known.begin() && budget < std::prev(next)->until) {
        return *std::prev(next);
    }
    watch_.step();
    Selection const result = compute(place, budget);
    auto& now_known = known_[place];
    now_known.insert(
        std::upper_bound(now_known.begin(), now_known.end(), budget, is_past), result);
    return result;
}

// It holds where both sides hold; the interval of the high side is seen from before its
// element is paid for.
FamilyPrice::Selection FamilyPrice::compute(Place place, std::int64_t budget) {
    auto const& node = diagram_[place];
    std::int64_t const paid = price(place);
    Selection const low = select(node.low, budget);
    Selection const high = select(node.high, budget - paid);
    return {std::max(low.from, shifted(high.from, paid)),
            std::min(low.until, shifted(high.until, paid)),
            table_.make(node.element, low.family, high.family)};
}

} // namespace branchwise
