#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// A plan that was chosen once and is carried out whatever the numbers are: what it is
/// worth where probabilities, costs, rewards and budget are others.
///
/// A position is one point of carrying it out; all ways to it have had the same facts
/// that matter, and have paid for the same.
class FixedPlan {
  public:
    /// Add a position where the plan stops with these rewards.
    std::uint32_t add_stop(std::span<std::uint32_t const> held);
    /// Add a position where an action is taken while this variant counts, with the next
    /// position by outcome, all of which stand here already. Where the
    /// budget does not pay for it, the plan stops with these rewards.
    std::uint32_t add_step(std::uint32_t action, std::uint32_t variant,
                           std::span<std::uint32_t const> children,
                           std::span<std::uint32_t const> held);

    [[nodiscard]] std::size_t size() const { return positions_.size(); }

    /// The expected reward by the numbers of an instance; the plan begins at the
    /// position that was added last.
    [[nodiscard]] double value(Instance const& instance) const;

  private:
    static constexpr std::uint32_t stop = UINT32_MAX;

    struct Position {
        std::uint32_t action = stop;
        std::uint32_t variant = 0;
        std::size_t first_child = 0;
        std::size_t first_held = 0;
        std::size_t end_held = 0;
    };

    void add(Position position, std::span<std::uint32_t const> held);
    /// By position: can its action be paid for? The others are never reached.
    [[nodiscard]] std::vector<bool> affordable(Instance const& instance) const;
    [[nodiscard]] double reward(Position const& position,
                                Instance const& instance) const;

    std::vector<Position> positions_;
    std::vector<std::uint32_t> children_;
    std::vector<std::uint32_t> held_;
};

} // namespace branchwise
