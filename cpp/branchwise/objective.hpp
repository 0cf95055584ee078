#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace branchwise {

/// Counts the nodes of trees, exactly up to `most_nodes`, where it stays.
__extension__ typedef unsigned __int128 NodeCount;

constexpr NodeCount most_nodes = NodeCount{1} << 127;

[[nodiscard]] constexpr NodeCount add_nodes(NodeCount one, NodeCount other) {
    // Both are at most 2^127, so their sum wraps to less only as 2^128 does, to 0.
    NodeCount const sum = one + other;
    return sum > most_nodes || sum < one ? most_nodes : sum;
}

/// What f(s) an optimal tree is to make least.
enum class Objective : std::uint8_t {
    fewest_nodes,
    least_depth,
    least_expected_cost,
    fewest_expected_actions,
    order,
};

// Each objective has a type that computes it: f where the plan stops, f where an action
// is taken, and what is less. `children` calls what it is given with the probability
// and f of every child.

/// The number of nodes of a tree: itself, and all below.
struct FewestNodes {
    using Value = NodeCount;
    static Value stop() { return 1; }
    template <typename Children>
    static Value act(double /*cost*/, Children children) {
        Value total = 1;
        children([&](double, Value below) { total = add_nodes(total, below); });
        return total;
    }
    static bool is_less(Value one, Value other) { return one < other; }
};

struct LeastDepth {
    using Value = std::uint64_t;
    static Value stop() { return 0; }
    template <typename Children>
    static Value act(double /*cost*/, Children children) {
        Value deepest = 0;
        children([&](double, Value below) { deepest = std::max(deepest, below + 1); });
        return deepest;
    }
    static bool is_less(Value one, Value other) { return one < other; }
};

/// What expected values share: rounding does not make a number smaller.
struct ExpectedValue {
    using Value = double;
    static Value stop() { return 0; }
    static bool is_less(Value one, Value other) {
        return one < other - 1e-12 * std::max(std::abs(one), std::abs(other));
    }

  protected:
    template <typename Children>
    static Value expected(Value start, Children children) {
        children([&](double odds, Value below) { start += odds * below; });
        return start;
    }
};

struct LeastExpectedCost : ExpectedValue {
    template <typename Children>
    static Value act(double cost, Children children) {
        return expected(cost, children);
    }
};

struct FewestExpectedActions : ExpectedValue {
    template <typename Children>
    static Value act(double /*cost*/, Children children) {
        return expected(1, children);
    }
};

/// All are the same, so that the first action in the problem's order is taken.
struct ProblemOrder {
    using Value = std::uint8_t;
    static Value stop() { return 0; }
    template <typename Children>
    static Value act(double /*cost*/, Children /*children*/) {
        return 0;
    }
    static bool is_less(Value /*one*/, Value /*other*/) { return false; }
};

/// Call `visit` with the type that computes an objective.
template <typename Visit>
decltype(auto) with_objective(Objective objective, Visit visit) {
    switch (objective) {
    case Objective::least_depth:
        return visit(LeastDepth{});
    case Objective::least_expected_cost:
        return visit(LeastExpectedCost{});
    case Objective::fewest_expected_actions:
        return visit(FewestExpectedActions{});
    case Objective::order:
        return visit(ProblemOrder{});
    case Objective::fewest_nodes:
        break;
    }
    return visit(FewestNodes{});
}

} // namespace branchwise
