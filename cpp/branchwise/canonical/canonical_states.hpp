#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/problem/instance.hpp"
#include "branchwise/support/growing_array.hpp"

namespace branchwise {

enum class StateId : std::uint32_t {};

inline constexpr StateId no_state{UINT32_MAX};

/// An action that is considered at a state, with a child per possible outcome.
struct Option {
    AvailableAction action{};
    std::span<StateId const> children{};
    std::uint32_t const* gains{}; // for `sum`: what is certain from there on; or none
};

/// What is known of canonical states: what they are worth and where their actions lead.
/// A copy that a graph makes of itself is what was known then, and can be read while
/// the graph grows in another thread.
class CanonicalStates {
  public:
    [[nodiscard]] Instance const& instance() const { return *instance_; }
    [[nodiscard]] std::size_t size() const { return rewards_.size(); }

    /// The reward for stopping there, less what was gained on the way.
    [[nodiscard]] double reward(StateId state) const {
        return rewards_[index_of(state)];
    }
    /// What is expanded after a copy was made has its edges beyond those of the copy.
    [[nodiscard]] bool is_expanded(StateId state) const {
        return first_edge(state) <= edges_.size();
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
    static constexpr std::uint64_t not_expanded = UINT64_MAX;

    /// The variants of all actions, numbered through, so that one number says which
    /// is considered; and what comes of each, which never changes.
    struct Variants {
        std::vector<std::uint32_t> first{}; // by action
        std::vector<AvailableAction> of{};
        std::vector<std::uint32_t> num_children{};
    };

    explicit CanonicalStates(Instance const& instance);

    // The one number of a state that changes, perhaps while a copy is read.
    [[nodiscard]] std::uint64_t first_edge(StateId state) const {
        auto& edge = const_cast<std::uint64_t&>(first_edges_[index_of(state)]);
        return std::atomic_ref(edge).load(std::memory_order_relaxed);
    }
    void set_first_edge(StateId state, std::uint64_t edge) {
        std::atomic_ref(first_edges_[index_of(state)])
            .store(edge, std::memory_order_relaxed);
    }

    Instance const* instance_;
    std::shared_ptr<Variants const> variants_;
    GrowingArray<double> rewards_;
    GrowingArray<std::uint64_t> first_edges_;
    GrowingArray<std::uint64_t> first_options_;
    GrowingArray<std::uint32_t> num_options_;
    GrowingArray<std::uint32_t> options_; // the numbers of their variants
    GrowingArray<StateId> edges_;
    GrowingArray<std::uint32_t> edge_gains_; // for `sum`, beside the edges
    GrowingArray<std::vector<std::uint32_t> const*> gains_; // the graph keeps them
    GrowingArray<double> gain_values_;
};

template <typename Visit>
void CanonicalStates::for_each_option(StateId state, Visit visit) const {
    std::uint64_t edge = first_edge(state);
    std::uint32_t const* option = options_.data() + first_options_[index_of(state)];
    for (std::uint32_t i = 0; i < num_options_[index_of(state)]; ++i, ++option) {
        std::size_t const count = variants_->num_children[*option];
        visit(Option{variants_->of[*option],
                     {edges_.data() + edge, count},
                     instance_->is_sum ? edge_gains_.data() + edge : nullptr});
        edge += count;
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
