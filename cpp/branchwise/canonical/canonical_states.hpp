#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
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
    // Where hidden facts decide what comes of it, by child: the outcome, and how likely
    // that is by what is known. Else null.
    PackedNumbers<std::uint32_t> outcomes{};
    std::byte const* chances = nullptr;

    [[nodiscard]] double chance(std::size_t child) const {
        double result = 0;
        std::memcpy(&result, chances + child * sizeof result, sizeof result);
        return result;
    }
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
        std::uint32_t const number =
            reward_numbers_[index_of(state)] >> variants_->finish_bits;
        if (variants_->has_hidden) {
            return stop_values_[number];
        }
        return instance_->is_sum ? gain_values_[number] : level_values_[number];
    }
    /// May one stop there although something can be done?
    [[nodiscard]] bool may_stop(StateId state) const {
        return variants_->finish_bits == 0 ||
               (reward_numbers_[index_of(state)] & 1U) != 0;
    }
    /// May a plan end there, since one may stop or nothing can be done?
    [[nodiscard]] bool may_end(StateId state) const {
        return may_stop(state) || (is_expanded(state) && num_options(state) == 0);
    }
    /// What is expanded after a copy was made has its place beyond the end of the copy.
    [[nodiscard]] bool is_expanded(StateId state) const {
        return places_[index_of(state)] < links_.size();
    }

    [[nodiscard]] std::size_t num_options(StateId state) const {
        std::byte const* links = links_.data() + places_[index_of(state)];
        return read_short(links) >> 2U;
    }
    /// Visit the options of an expanded state, in the problem's order.
    template <typename Visit>
    void for_each_option(StateId state, Visit visit) const;

    /// Visit the children of an option with their nominal probabilities, in the order
    /// of outcomes.
    template <typename Visit>
    void for_each_child(Option const& option, Visit visit) const {
        for_each_branch(option,
                        [&](std::size_t, std::size_t child, double probability) {
                            visit(option.children[child], probability);
                        });
    }
    /// Visit the outcomes of an option that can happen, each with the number of its
    /// child within the option and its nominal probability.
    template <typename Visit>
    void for_each_branch(Option const& option, Visit visit) const;

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
        /// What is known of hidden facts decides which outcomes can happen.
        static constexpr std::uint32_t by_knowledge = UINT32_MAX;
        /// Of the number of children, and of an outcome, where that is so.
        static constexpr std::uint32_t outcome_width = 2;

        std::vector<std::uint32_t> first{}; // by action
        std::vector<AvailableAction> of{};
        std::vector<std::uint32_t> num_children{}; // or `by_knowledge`
        bool has_hidden = false;
        std::uint32_t finish_bits = 0; // of a reward number: 1 where one must finish
        std::uint32_t width{};         // of an option: see `links_`
    };

    explicit CanonicalStates(Instance const& instance);

    Instance const* instance_;
    std::shared_ptr<Variants const> variants_;
    StatePlaces places_; // by state: where its links begin
    // By state: the level of what is paid for stopping; for `sum`, the gain. Where one
    // must finish, twice that, and one more where one may stop.
    GrowingNumbers reward_numbers_;
    // State after state, in as few bytes as it takes: a head with the number of options
    // and the width of children; the variants, each with a bit that says whether all it
    // leads to is one state, which is there once then; for `sum`, the width of gains;
    // then option after option its children and, for `sum`, the gains on the way there.
    // If hidden facts decide what comes of an option, before its children: how many
    // there are, their outcomes, and how likely these are.
    GrowingArray<std::byte> links_;
    GrowingArray<double> level_values_;                     // for `max`
    GrowingArray<std::vector<std::uint32_t> const*> gains_; // the graph keeps them
    GrowingArray<double> gain_values_;
    GrowingArray<double> stop_values_; // where there are hidden facts
};

template <typename Visit>
void CanonicalStates::for_each_option(StateId state, Visit visit) const {
    using Numbers = PackedNumbers<std::uint32_t>;
    std::byte const* next = links_.data() + places_[index_of(state)];
    std::uint32_t const head = read_short(next);
    Numbers const options(next, head >> 2U, variants_->width);
    std::uint32_t const child_width = (head & 3U) + 1;
    std::uint32_t gain_width = 0;
    next = options.behind();
    if (instance_->is_sum) {
        gain_width = static_cast<std::uint32_t>(*next++);
    }
    for (std::uint32_t const number : options) {
        std::uint32_t const variant = number >> 1U;
        bool const leads_to_one = (number & 1U) != 0;
        std::size_t count = variants_->num_children[variant];
        Option option{variants_->of[variant], {}, {}, {}};
        if (count == Variants::by_knowledge) {
            constexpr std::uint32_t wide = Variants::outcome_width;
            count = Numbers(next, 1, wide)[0];
            option.outcomes = {next + wide, count, wide};
            option.chances = option.outcomes.behind();
            next = option.chances + count * sizeof(double);
        }
        option.children =
            leads_to_one ? PackedNumbers<StateId>::repeated(next, count, child_width)
                         : PackedNumbers<StateId>(next, count, child_width);
        next = option.children.behind();
        if (instance_->is_sum) {
            option.gains = {next, count, gain_width};
            next = option.gains.behind();
        }
        visit(static_cast<Option const&>(option));
    }
}

template <typename Visit>
void CanonicalStates::for_each_branch(Option const& option, Visit visit) const {
    if (option.chances != nullptr) {
        for (std::size_t i = 0; i < option.children.size(); ++i) {
            visit(std::size_t{option.outcomes[i]}, i, option.chance(i));
        }
        return;
    }
    auto const& action = instance_->actions[option.action.action];
    Variant const& variant = action.variants[option.action.variant];
    std::size_t child = 0;
    for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
        if (variant.can_happen(i)) {
            visit(i, child++, variant.probabilities[i]);
        }
    }
}

} // namespace branchwise
