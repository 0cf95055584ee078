#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include "branchwise/paper/states/rewarding_filter.hpp"
#include "branchwise/paper/states/state_rules.hpp"

namespace branchwise {

/// Which actions are considered at a state: those that are available (Algorithm 1), or
/// with a filter those of them that an open rewarding set needs (Algorithm 3).
class ConsideredActions {
  public:
    /// What is known about a state, and makes it easy to know the same about children.
    struct Known {
        Word allowed; // actions, where there are no more than bits
        double reward;
        bool may_act = true; // something may be worth doing
    };

    ConsideredActions(StateRules const& rules, RewardingFilter const* filter)
        : rules_(rules), filter_(filter), has_masks_(rules.has_masks()),
          is_even_(rules.layout().has_even_prices()),
          carried_(filter == nullptr ? nullptr : filter->carried()),
          most_(rules.most_attempts()) {}

    /// The states that follow are one attempt further down.
    void descend() { --most_; }

    [[nodiscard]] bool has_masks() const { return has_masks_; }
    /// How much the filter carries along from state to state.
    [[nodiscard]] std::size_t num_carried() const {
        return carried_ == nullptr ? 0 : carried_->size();
    }
    [[nodiscard]] Known at_root(Key root, CarriedSets::Half* carried) const {
        if (carried_ != nullptr) {
            std::ranges::copy(carried_->at_root(), carried);
        }
        return {has_masks_ ? rules_.allowed(root) : 0, rules_.reward(root)};
    }
    /// The same about a child; `result` is what is carried on.
    [[nodiscard, gnu::always_inline]] Known after(Known const& parent,
                                                  CarriedSets::Half const* carried,
                                                  OutcomeId outcome, Key child,
                                                  CarriedSets::Half* result) const {
        Word alive = ~Word{0};
        if (carried_ != nullptr) {
            alive = carried_->follow(carried, outcome, child, result);
        }
        double const reward = rules_.reward_after(parent.reward, outcome, child);
        if (!has_masks_) {
            return {0, reward};
        }
        if (alive == 0 || (most_ <= 1 && is_even_)) {
            return {0, reward, false};
        }
        Word const allowed = rules_.allowed_after(parent.allowed, outcome, child);
        Word const useful =
            carried_ == nullptr ? allowed : carried_->find_useful(allowed, alive);
        return {allowed, reward, useful != 0};
    }

    /// As a mask, where there are few enough.
    [[nodiscard, gnu::always_inline]] Word
    find(Key key, Word allowed, CarriedSets::Half const* carried,
         RewardingFilter::Scratch& scratch) const {
        Word const mask =
            is_even_ ? (most_ > 0 ? allowed : 0) : affordable(key, allowed);
        if (mask == 0 || filter_ == nullptr) {
            return mask;
        }
        return carried_ == nullptr
                   ? filter_->find_useful(key, mask, scratch)
                   : carried_->find_useful(mask, carried_->alive(carried));
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
    bool is_even_;               // every attempt costs the same
    CarriedSets const* carried_; // if there are any
    Word most_; // attempts that can still be paid for, where all cost the same
};

} // namespace branchwise
