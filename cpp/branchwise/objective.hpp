#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "branchwise/instance.hpp"

namespace branchwise {

/// Which of several optimal trees to prefer.
enum class Objective : std::uint8_t {
    fewest_nodes,
    least_depth,
    least_expected_cost,
    fewest_expected_actions,
    order,
};

__extension__ using Count = unsigned __int128;

/// A tree may have more nodes than any number holds; then they count as equal.
[[nodiscard]] constexpr Count saturating_sum(Count a, Count b) {
    Count const sum = a + b;
    return sum < a ? ~Count{0} : sum;
}

/// The number of nodes of a tree: itself, and all below.
struct NodeCount {
    using Value = Count;
    static Value stop() { return 1; }
    template <typename Children>
    static Value act(Variant const& variant, Children const& of_child) {
        Count total = 1;
        of_child(variant,
                 [&](double, Value below) { total = saturating_sum(total, below); });
        return total;
    }
    static bool is_less(Value a, Value b) { return a < b; }
};

/// What objectives in floating point share: rounding makes nothing smaller.
struct Measured {
    using Value = double;
    static Value stop() { return 0; }
    static bool is_less(Value a, Value b) {
        return a < b - 1e-12 * std::max(std::abs(a), std::abs(b));
    }
};

struct Depth : Measured {
    template <typename Children>
    static Value act(Variant const& variant, Children const& of_child) {
        double deepest = 0;
        of_child(variant,
                 [&](double, Value below) { deepest = std::max(deepest, 1 + below); });
        return deepest;
    }
    static bool is_less(Value a, Value b) { return a < b; }
};

struct ExpectedCost : Measured {
    template <typename Children>
    static Value act(Variant const& variant, Children const& of_child) {
        double total = variant.cost;
        of_child(variant, [&](double odds, Value below) { total += odds * below; });
        return total;
    }
};

struct ExpectedActions : Measured {
    template <typename Children>
    static Value act(Variant const& variant, Children const& of_child) {
        double total = 1;
        of_child(variant, [&](double odds, Value below) { total += odds * below; });
        return total;
    }
};

struct FileOrder : Measured {
    template <typename Children>
    static Value act(Variant const& /*variant*/, Children const& /*of_child*/) {
        return 0;
    }
};

/// Call `visit` with the type that computes an objective.
template <typename Visit>
decltype(auto) with_objective(Objective objective, Visit visit) {
    switch (objective) {
    case Objective::least_depth:
        return visit(Depth{});
    case Objective::least_expected_cost:
        return visit(ExpectedCost{});
    case Objective::fewest_expected_actions:
        return visit(ExpectedActions{});
    case Objective::order:
        return visit(FileOrder{});
    case Objective::fewest_nodes:
        break;
    }
    return visit(NodeCount{});
}

} // namespace branchwise
