#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/state_places.hpp"
#include "branchwise/problem/instance.hpp"
#include "branchwise/support/growing_array.hpp"
#include "branchwise/support/growing_numbers.hpp"
#include "branchwise/support/packed_numbers.hpp"

namespace branchwise {

enum class StateId : std::uint32_t {};

inline constexpr StateId no_state{UINT32_MAX};

/// An action that is considered at a state, with a child per possible outcome.
struct Option {
    AvailableAction action{};
    PackedNumbers<StateId> children{};
    // For `sum`, by child: what is certain from there on. Else null.
    PackedNumbers<std::uint32_t> gains{};
};

/// What is known of canonical states: what they are worth and where their actions lead.
/// A copy that a graph makes of itself is what was known then, and can be read while
/// the graph grows in another thread.
class CanonicalStates {
  public:
    [[nodiscard]] Instance const& instance() const { return *instance_; }
    [[nodiscard]] std::size_t size() const { return places_.size(); }

    /// The reward for stopping there, less what was gained on the way.
    [[nodiscard]] double reward(StateId state) const {
        std::uint32_t const number = reward_numbers_[index_of(state)];
        return instance_->is_sum ? gain_values_[number] : level_values_[number];
    }
    /// What is expanded after a copy was made has its place beyond the end of the copy.
    [[nodiscard]] bool is_expanded(StateId state) const {
        return places_[index_of(state)] < links_.size();
    }

    /// Visit the options of an expanded state, in the problem's order.
    template <typename Visit>
    void for_each_option(StateId state, Visit visit) const;

    /// Visit the children of an option with their nominal probabilities, in the order
    /// of outcomes.
    template <typename Visit>
    void for_each_child(Option const& option, Visit visit) const;

    /// The rewards in a gain, and what they add up to.
    [[nodiscard]] std::span<std::uint32_t const> gained(std::uint32_t gain) const {
        return *gains_[gain];
    }
    [[nodiscard]] double gain_value(std::uint32_t gain) const {
        return gain_values_[gain];
    }

    /// Go by the numbers of another instance, which is as the own one in all else.
    void go_by(Instance const& instance) { instance_ = &instance; }

  protected:
    /// The variants of all actions, numbered through, so that one number says which
    /// is considered; and what comes of each, which never changes.
    struct Variants {
        std::vector<std::uint32_t> first{}; // by action
        std::vector<AvailableAction> of{};
        std::vector<std::uint32_t> num_children{};
        std::uint32_t width{}; // of the head of links, and of an option: see `links_`
    };

    explicit CanonicalStates(Instance const& instance);

    Instance const* instance_;
    std::shared_ptr<Variants const> variants_;
    StatePlaces places_; // by state: where its links begin
    // By state: the level of what is paid for stopping; for `sum`, the gain.
    GrowingNumbers reward_numbers_;
    // State after state, in as few bytes as it takes: a head with the number of options
    // and the width of children; the variants; for `sum`, the width of gains; then
    // option after option its children and, for `sum`, the gains on the way there.
    GrowingArray<std::byte> links_;
    GrowingArray<double> level_values_;                     // for `max`
    GrowingArray<std::vector<std::uint32_t> const*> gains_; // the graph keeps them
    GrowingArray<double> gain_values_;
};

template <typename Visit>
void CanonicalStates::for_each_option(StateId state, Visit visit) const {
    using Numbers = PackedNumbers<std::uint32_t>;
    std::uint32_t const width = variants_->width;
    std::byte const* next = links_.data() + places_[index_of(state)];
    std::uint32_t const head = Numbers(next, 1, width)[0];
    Numbers const options(next + width, head >> 2U, width);
    std::uint32_t const child_width = (head & 3U) + 1;
    std::uint32_t gain_width = 0;
    next = options.behind();
    if (instance_->is_sum) {
        gain_width = static_cast<std::uint32_t>(*next++);
    }
    for (std::uint32_t const variant : options) {
        std::size_t const count = variants_->num_children[variant];
        Option option{variants_->of[variant], {next, count, child_width}, {}};
        next = option.children.behind();
        if (instance_->is_sum) {
            option.gains = {next, count, gain_width};
            next = option.gains.behind();
        }
        visit(static_cast<Option const&>(option));
    }
}

template <typename Visit>
void CanonicalStates::for_each_child(Option const& option, Visit visit) const {
    auto const& action = instance_->actions[option.action.action];
    Variant const& variant = action.variants[option.action.variant];
    std::size_t child = 0;
    for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
        if (variant.can_happen(i)) {
            visit(option.children[child++], variant.probabilities[i]);
        }
    }
}

} // namespace branchwise
