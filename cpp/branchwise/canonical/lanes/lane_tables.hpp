#pragma once

#include <cstdint>
#include <vector>

#include "branchwise/canonical/lanes/lane_view.hpp"

namespace branchwise {

/// A layout as flat tables, which kernels go through.
class LaneTables {
  public:
    explicit LaneTables(ResidualLayout const& layout);
    // Views look into it.
    LaneTables(LaneTables const&) = delete;
    LaneTables& operator=(LaneTables const&) = delete;

    /// A view of the tables and of no states yet.
    [[nodiscard]] LaneView const& view() const { return view_; }
    /// The largest number that a state has to hold: a budget, attempts, or a counter.
    [[nodiscard]] std::uint64_t largest_number() const { return largest_number_; }

  private:
    void add_nodes(ResidualLayout const& layout);
    void add_actions(ResidualLayout const& layout);
    void add_outcome_prices(Instance const& instance);
    void add_effects(InstanceAction const& action);
    void add_counters(ResidualLayout const& layout);
    void add_groups(ResidualLayout const& layout);
    void add_rewards(ResidualLayout const& layout);
    void add_sets(ResidualLayout const& layout);
    void add_needs(ResidualLayout const& layout, std::size_t set);
    void add_users();
    void find_circles();
    [[nodiscard]] std::vector<std::uint32_t> paid_for(std::uint32_t node) const;

    std::vector<LaneNode> nodes_;
    std::vector<LaneRef> inside_;
    std::vector<std::uint32_t> part_ends_;
    std::vector<NodeOwner> owners_;
    std::vector<std::uint32_t> users_;
    std::vector<std::uint32_t> first_users_;
    std::vector<Word> circles_;
    std::vector<LaneAction> actions_;
    std::vector<std::uint32_t> literals_;
    std::vector<std::uint8_t> is_possible_;
    std::vector<std::int64_t> prices_;
    std::vector<std::int64_t> outcome_prices_;
    std::vector<std::int64_t> dearest_outcomes_;
    std::vector<std::int64_t> attempts_;
    std::vector<LaneCounter> counters_;
    std::vector<std::uint32_t> comparisons_;
    std::vector<std::uint32_t> changers_;
    std::vector<Effect> effects_;
    std::vector<std::uint32_t> first_effects_;
    std::vector<KeyField> counter_fields_;
    std::vector<AttemptBound> attempt_bounds_;
    std::vector<std::uint32_t> first_attempt_bounds_;
    std::vector<std::uint32_t> payers_;
    std::vector<std::uint32_t> moves_;
    std::vector<LaneGroup> groups_;
    std::vector<std::uint32_t> group_parts_;
    std::vector<KeyField> secured_fields_;
    std::vector<LaneRef> clauses_;
    std::vector<LaneRef> reward_nodes_;
    std::vector<std::uint32_t> levels_;
    std::vector<std::uint32_t> repeatable_;
    std::vector<std::uint32_t> conditioned_;
    std::vector<KeyField> attempts_fields_;
    std::vector<KeyField> tail_fields_;
    std::vector<KeyField> left_fields_;
    std::vector<Word> with_sets_;
    std::vector<Word> without_sets_;
    std::vector<std::uint32_t> set_rewards_;
    std::vector<std::uint32_t> first_set_rewards_;
    std::vector<std::uint32_t> needs_;
    std::vector<std::uint32_t> first_needs_;
    std::vector<std::int64_t> need_prices_;
    std::uint64_t largest_number_ = 0;
    LaneView view_;
};

} // namespace branchwise
