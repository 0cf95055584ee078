#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "branchwise/search/plans/plan.hpp"

namespace branchwise {

/// A node of a plan: the action taken, and by outcome which node comes next.
struct BookedStep {
    std::uint32_t action{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> branches{};

    auto operator<=>(BookedStep const&) const = default;
};

/// Plans, each of which stands here once: two have the same number if they take the
/// same actions after the same outcomes, whatever the probabilities, costs and rewards.
class PlanBook {
  public:
    /// The node of every plan that ends.
    static constexpr std::uint32_t stop = 0;

    /// The number of a node, which is new if it was not met before.
    std::uint32_t enter(BookedStep step);
    /// The number of a plan, which is that of its root.
    std::uint32_t enter(Plan const& plan);

    [[nodiscard]] std::uint32_t size() const {
        return static_cast<std::uint32_t>(steps_.size()) + 1;
    }
    /// What is done at a node other than `stop`.
    [[nodiscard]] BookedStep const& step(std::uint32_t node) const {
        return *steps_[node - 1];
    }

  private:
    std::map<BookedStep, std::uint32_t> numbers_;
    std::vector<BookedStep const*> steps_; // by number; a map does not move its keys
};

} // namespace branchwise
