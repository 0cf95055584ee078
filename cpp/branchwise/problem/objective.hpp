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
// and f of every child. The first of equals in the problem's order is taken; an
// objective that `goes_by_order` takes the first action that makes a difference, and
// goes by f only where none does.
//
// All count nodes in the end. So an action that is of no use, which an engine may leave
// out, is never taken: a tree without it has fewer nodes, and is as good in all else.

/// The number of nodes of a tree: itself, and all below.
struct FewestNodes {
    static constexpr bool goes_by_order = false;
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
        children(
            [&](double probability, Value below) { start += probability * below; });
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

/// A measure; and the number of nodes where that is the same.
template <typename Measure>
struct ThenFewestNodes {
    static constexpr bool goes_by_order = false;
    struct Value {
        typename Measure::Value measure;
        NodeCount num_nodes;
    };
    static Value stop() { return {Measure::stop(), FewestNodes::stop()}; }
    template <typename Children>
    static Value act(double cost, Children children) {
        return {Measure::act(cost, part(children, &Value::measure)),
                FewestNodes::act(cost, part(children, &Value::num_nodes))};
    }
    static bool is_less(Value const& one, Value const& other) {
        if (Measure::is_less(one.measure, other.measure)) {
            return true;
        }
        return !Measure::is_less(other.measure, one.measure) &&
               FewestNodes::is_less(one.num_nodes, other.num_nodes);
    }

  private:
    /// The children, with one part of their values.
    template <typename Children, typename Part>
    static auto part(Children& children, Part of) {
        return [&children, of](auto take) {
            children([&](double probability, Value const& below) {
                take(probability, below.*of);
            });
        };
    }
};

/// The first action that makes a difference, in the problem's order.
struct ProblemOrder : FewestNodes {
    static constexpr bool goes_by_order = true;
};

/// Call `visit` with the type that computes an objective.
template <typename Visit>
decltype(auto) with_objective(Objective objective, Visit visit) {
    switch (objective) {
    case Objective::least_depth:
        return visit(ThenFewestNodes<LeastDepth>{});
    case Objective::least_expected_cost:
        return visit(ThenFewestNodes<LeastExpectedCost>{});
    case Objective::fewest_expected_actions:
        return visit(ThenFewestNodes<FewestExpectedActions>{});
    case Objective::order:
        return visit(ProblemOrder{});
    case Objective::fewest_nodes:
        break;
    }
    return visit(FewestNodes{});
}

} // namespace branchwise
