#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "branchwise/problem/instance.hpp"
#include "branchwise/support/run_watch.hpp"

namespace branchwise {

/// Something that makes a state worth more once it holds.
struct RewardingGoal {
    ConditionId when{};
    std::uint32_t rank = 0; // by gain: equal gains have equal ranks
    bool lasts = false;     // once it holds it holds for good
};

/// Outcomes that together reach a goal.
struct RewardingSet {
    std::vector<OutcomeId> needs{};
    std::uint32_t goal = 0;
};

/// The rewarding sets of a problem.
struct RewardingSets {
    std::vector<RewardingGoal> goals{};
    std::vector<RewardingSet> sets{};
    std::vector<std::int64_t> attempts{}; // at most, of each action
    std::size_t num_minimal = 0;          // those that no other one makes superfluous
};

/// List all rewarding sets of an instance, by working backwards from its goals; nothing
/// where there are too many to list one by one. Whether goals last is found here.
///
/// They are the sets of `branchwise.rewarding.enumerate`, in the same order.
[[nodiscard]] std::optional<RewardingSets>
list_rewarding_sets(Instance const& instance, std::vector<RewardingGoal> goals,
                    std::vector<std::int64_t> attempts, RunWatch& watch);

} // namespace branchwise
