#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace branchwise {

/// States that were explored elsewhere, as arrays that belong to someone else.
///
/// State 0 is the root. The options of a state are in a row, and so are the branches of
/// an option; hence all branches of a state are, too. States may be *open*: met, but
/// not expanded, so that their options are not known.
struct ExplicitGraph {
    using Number = std::uint32_t;
    static constexpr std::int64_t open = -1;

    std::span<double const> rewards;              // by state
    std::span<std::int64_t const> first_options;  // by state; `open` if not expanded
    std::span<std::int32_t const> num_options;    // by state
    std::span<double const> costs;                // by option
    std::span<double const> charges;              // by option
    std::span<std::int64_t const> first_branches; // by option, and one more
    std::span<std::int32_t const> children;       // by branch
    std::span<double const> probabilities;        // by branch
    // By state: whether a plan may end there, or must go on; anywhere if it is empty.
    std::span<std::uint8_t const> may_stop{};

    [[nodiscard]] std::size_t size() const { return rewards.size(); }
    [[nodiscard]] bool is_open(Number state) const {
        return first_options[state] == open;
    }

    [[nodiscard]] bool may_end(Number state) const {
        return may_stop.empty() || may_stop[state] != 0;
    }

    /// A row of options or branches: numbers from the first up to the last.
    struct Row {
        std::size_t first;
        std::size_t last;
    };
    [[nodiscard]] Row options(Number state) const {
        if (is_open(state)) {
            return {0, 0};
        }
        auto const first = static_cast<std::size_t>(first_options[state]);
        return {first, first + static_cast<std::size_t>(num_options[state])};
    }
    [[nodiscard]] Row branches(std::size_t option) const {
        return {static_cast<std::size_t>(first_branches[option]),
                static_cast<std::size_t>(first_branches[option + 1])};
    }
    [[nodiscard]] Row branches_of_all(Row options) const {
        return {static_cast<std::size_t>(first_branches[options.first]),
                static_cast<std::size_t>(first_branches[options.last])};
    }
    [[nodiscard]] Number child(std::size_t branch) const {
        return static_cast<Number>(children[branch]);
    }

    /// What an option is worth by the values of the states it leads to.
    [[nodiscard]] double worth(std::size_t option,
                               std::span<double const> values) const {
        Row const row = branches(option);
        double expected = 0;
        for (std::size_t i = row.first; i < row.last; ++i) {
            // What cannot happen may be worth anything, even infinity.
            expected += probabilities[i] > 0 ? probabilities[i] * values[child(i)] : 0;
        }
        return expected - charges[option];
    }
};

/// A branch that leads back to a state from which its own one can be reached.
struct Circle {
    ExplicitGraph::Number state;
    ExplicitGraph::Number child;
};

/// The states that the root leads to, each after its children; or why there is no such
/// order.
[[nodiscard]] std::variant<std::vector<ExplicitGraph::Number>, Circle>
children_first(ExplicitGraph const& graph);

} // namespace branchwise
