#pragma once

#include <bit>
#include <cstddef>

#include "branchwise/rewarding_filter.hpp"
#include "branchwise/state_rules.hpp"

namespace branchwise {

/// Which actions are considered at a state: those that are available (Algorithm 1), or
/// with a filter those of them that an open rewarding set needs (Algorithm 3).
class ConsideredActions {
  public:
    /// What is known about a state, and makes it easy to know the same about children.
    struct Known {
        Word allowed; // actions, where there are no more than bits
        Word alive;   // rewarding sets, where the filter carries them along
        double reward;
    };

    ConsideredActions(StateRules const& rules, RewardingFilter const* filter)
        : rules_(rules), filter_(filter), has_masks_(rules.has_masks()),
          is_even_(rules.layout().has_even_prices()),
          carries_(filter != nullptr && filter->carries()),
          most_(rules.most_attempts()) {}

    /// The states that follow are one attempt further down.
    void descend() { --most_; }

    [[nodiscard]] bool has_masks() const { return has_masks_; }
    [[nodiscard]] Known at_root(Key root) const {
        return {has_masks_ ? rules_.allowed(root) : 0,
                carries_ ? filter_->alive_at(root) : 0, rules_.reward(root)};
    }
    [[nodiscard, gnu::always_inline]] Known after(Known const& parent,
                                                  OutcomeId outcome, Key child) const {
        // Where nothing can be worth doing, nobody will ask what is allowed.
        bool may_act = has_masks_ && (most_ > 1 || !is_even_);
        Word alive = 0;
        if (carries_) {
            alive = filter_->alive_after(parent.alive, outcome, child);
            may_act = may_act && alive != 0;
        }
        return {may_act ? rules_.allowed_after(parent.allowed, outcome, child) : 0,
                alive, rules_.reward_after(parent.reward, outcome, child)};
    }

    /// As a mask, where there are few enough; may find fewer sets to be alive.
    [[nodiscard, gnu::always_inline]] Word
    find(Key key, Word allowed, Word& alive, RewardingFilter::Scratch& scratch) const {
        Word const mask =
            is_even_ ? (most_ > 0 ? allowed : 0) : affordable(key, allowed);
        if (mask == 0 || filter_ == nullptr) {
            return mask;
        }
        return carries_ ? filter_->find_useful(key, mask, most_, alive)
                        : filter_->find_useful(key, mask, scratch);
    }

    /// Call `visit` with the moves of any number of them.
    template <typename Visit>
    void for_each_move(Key key, RewardingFilter::Scratch& scratch, Visit visit) const {
        if (filter_ != nullptr) {
            filter_->find_needs(key, ~Word{0}, scratch);
        }
        for (std::size_t action = 0; action < rules_.num_actions(); ++action) {
            bool const is_needed =
                filter_ == nullptr || filter_->is_among(action, scratch.needs);
            if (is_needed && rules_.is_allowed(action, key)) {
                std::size_t const move = rules_.find_move(action, key);
                if (rules_.affords(move, key)) {
                    visit(move);
                }
            }
        }
    }

  private:
    /// Those of some actions that there is enough left for.
    [[nodiscard]] Word affordable(Key key, Word mask) const {
        Word found = 0;
        for (Word rest = mask; rest != 0; rest &= rest - 1) {
            auto const action = static_cast<std::size_t>(std::countr_zero(rest));
            std::size_t const move = rules_.find_move(action, key);
            found |= rules_.affords(move, key) ? Word{1} << action : 0;
        }
        return found;
    }

    StateRules const& rules_;
    RewardingFilter const* filter_;
    bool has_masks_;
    bool is_even_; // every attempt costs the same
    bool carries_;
    Word most_; // attempts that can still be paid for, where all cost the same
};

} // namespace branchwise
