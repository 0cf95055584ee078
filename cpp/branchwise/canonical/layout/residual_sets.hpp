#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/problem/instance.hpp"
#include "branchwise/support/bits.hpp"
#include "branchwise/support/run_watch.hpp"

namespace branchwise {

class ResidualLayout;

/// The rewarding sets of an instance: the smallest sets of facts that bring a reward,
/// with all that the actions need. That something does not hold is a fact, too, and one
/// that costs nothing.
///
/// They know which actions share their costs, which single nodes do not. There are none
/// where they would not cover all that may help, or where there are too many.
class ResidualSets {
  public:
    /// A fact of a set that an action has to bring about.
    struct Need {
        std::uint32_t node{};
        std::uint32_t action{}; // what has to be paid for it
        bool is_free = false;   // it comes with another fact of the set
    };

    ResidualSets() = default;
    ResidualSets(ResidualLayout const& layout, Look const& look);

    [[nodiscard]] bool is_empty() const { return num_words_ == 0; }
    [[nodiscard]] std::size_t size() const {
        return is_empty() ? 0 : first_needs_.size() - 1;
    }
    /// The number of words for one bit per set.
    [[nodiscard]] std::size_t num_words() const { return num_words_; }
    /// Which sets hold this fact, or that it does not hold.
    [[nodiscard]] Word const* with(std::size_t node) const {
        return &with_[node * num_words_];
    }
    [[nodiscard]] Word const* without(std::size_t node) const {
        return &without_[node * num_words_];
    }
    [[nodiscard]] Word const* of_reward(std::size_t reward) const {
        return &of_reward_[reward * num_words_];
    }
    [[nodiscard]] std::span<Need const> needs(std::size_t set) const {
        return std::span(needs_).subspan(first_needs_[set],
                                         first_needs_[set + 1] - first_needs_[set]);
    }

  private:
    friend class ResidualSetsBuilder;

    std::size_t num_words_ = 0;
    std::vector<Word> with_;
    std::vector<Word> without_;
    std::vector<Word> of_reward_;
    std::vector<Need> needs_;
    std::vector<std::size_t> first_needs_;
};

} // namespace branchwise
