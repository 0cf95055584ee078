#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "branchwise/canonical/lanes/residual_lanes.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/problem/knowledge.hpp"
#include "branchwise/support/bits.hpp"

namespace branchwise {

/// An action that can be taken now, and the variant of it that counts.
struct AvailableAction {
    std::uint32_t action{};
    std::uint32_t variant{};
};

/// What is left of an instance at a state: the conditions that are still open, the
/// budget, and the reward that is certain. Two states with the same key have the same
/// future.
///
/// A node is undecided as long as it matters and may come out either way. Of an
/// undecided `all` the decided parts are true, of an undecided `any` they are false:
/// so the set of undecided nodes is all there is to know. See cpp/README.md.
///
/// One object serves many states, one after another, and keeps its scratch space.
class Residual {
  public:
    explicit Residual(ResidualLayout const& layout);
    /// So many of them, one for each thread.
    [[nodiscard]] static std::vector<Residual> several(ResidualLayout const& layout,
                                                       std::size_t count);

    /// Become the state in which nothing has happened yet, and write its key, which is
    /// `layout.key_words()` long. Actions that are `left_out`, if anything is said by
    /// action, are never taken.
    void start(std::span<std::int64_t const> budget, Word* key,
               std::span<std::uint8_t const> left_out = {});
    /// Become the state with this key.
    void load(Word const* key);
    /// Become the state with this key, and work out what a key does not hold: what
    /// attempts cost, what is slack, and how far nodes are from a reward.
    void refresh(Word const* key);
    /// The slack of a node: what can be spent on making it true such that the rest of
    /// the way to a reward can still be paid for. Negative if that is out of reach.
    /// Valid after `refresh`.
    [[nodiscard]] std::int64_t slack(std::size_t node, std::size_t resource) const {
        return left_[resource] - lanes_.rest(node, resource);
    }

    /// Add the actions that can be taken and may help, in the problem's order.
    void available(std::vector<AvailableAction>& actions);

    /// For `max`: the level of what is paid for stopping at the state with this key.
    [[nodiscard]] std::uint32_t level_at(Word const* key);
    /// For `sum`: the rewards that are paid for stopping there, besides those that were
    /// gained on the way, ascending.
    [[nodiscard]] std::vector<std::uint32_t> rewards_at(Word const* key);
    /// Where there are hidden facts: what stopping there pays on average, besides what
    /// was gained on the way.
    [[nodiscard]] double stop_value(Word const* key);
    /// May one stop at the state with this key although something can be done?
    [[nodiscard]] bool may_stop(Word const* key);
    /// How likely an outcome of an action is at the state that is loaded, by what is
    /// known of hidden facts.
    [[nodiscard]] double probability(AvailableAction const& action,
                                     std::size_t outcome);
    /// For `max`: the reward that can no longer be lost.
    [[nodiscard]] double held() const { return layout_.levels()[held_]; }
    [[nodiscard]] std::uint32_t held_level() const { return held_; }

    [[nodiscard]] bool is_undecided(NodeId node) const {
        return has_bit(undecided_.data(), index_of(node));
    }
    [[nodiscard]] std::int64_t left(std::size_t resource) const {
        return left_[resource];
    }
    /// What an attempt of an action costs, at least.
    [[nodiscard]] std::int64_t cheapest(std::size_t action,
                                        std::size_t resource) const {
        return cheapest_[action * num_resources_ + resource];
    }
    /// Does the budget pay for all that could still be done? Valid after `refresh`.
    [[nodiscard]] bool is_budget_slack() const { return lanes_.is_budget_slack(); }
    /// States side by side, for taking actions in.
    [[nodiscard]] ResidualLanes& lanes() { return lanes_; }

    /// Visit the undecided nodes, each after what it is made of.
    template <typename Visit>
    void for_each_undecided(Visit visit) const {
        for_each_bit(undecided_, visit);
    }

  private:
    void find_fickle();
    [[nodiscard]] bool is_fickle(NodeRef ref) const {
        return ref.is_negated || has_bit(fickle_.data(), index_of(ref.node));
    }
    [[nodiscard]] bool may_pay_at(Word const* key) const;
    void evaluate_now();
    [[nodiscard]] bool holds_now(NodeRef ref) const;
    [[nodiscard]] double expected_sum(std::span<std::uint32_t const> rewards);
    [[nodiscard]] double expected_best(std::span<std::uint32_t const> rewards);
    [[nodiscard]] std::uint32_t variant_now(std::size_t action) const;
    void find_live();
    [[nodiscard]] bool affords(std::size_t action, std::uint32_t variant) const;

    ResidualLayout const& layout_;
    Instance const& instance_;
    std::size_t num_resources_; // at least one, so that costs have a place
    std::vector<Word> undecided_;
    std::vector<std::int64_t> attempts_;
    std::vector<std::uint32_t> tails_;
    std::vector<std::int64_t> left_;
    std::vector<std::int64_t> counts_;     // by counter
    std::vector<std::uint8_t> is_secured_; // by reward, if it depends on hidden facts
    Knowledge knowledge_;
    std::uint32_t held_ = 0;
    std::vector<std::int64_t> cheapest_;  // by action and resource
    std::vector<Word> is_live_;           // by action
    std::vector<std::uint8_t> holds_;     // by node: does it hold now, if undecided?
    std::vector<Word> literals_;          // by node: is it one?
    std::vector<Word> fickle_;            // by node: may it hold while it is undecided?
    std::vector<NodeRef> fickle_rewards_; // what rewards ask for, if it may
    std::vector<std::uint32_t> actions_;  // by node: of a literal
    ResidualLanes lanes_;
};

} // namespace branchwise
