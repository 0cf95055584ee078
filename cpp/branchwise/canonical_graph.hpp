#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "branchwise/instance.hpp"
#include "branchwise/large_array.hpp"
#include "branchwise/residual.hpp"
#include "branchwise/residual_layout.hpp"

namespace branchwise {

enum class StateId : std::uint32_t {};

inline constexpr StateId no_state{UINT32_MAX};

/// An action that is considered at a state, with a child per possible outcome.
struct Option {
    AvailableAction action{};
    std::span<StateId const> children{};
    std::uint32_t const* gains{}; // for `sum`: what is certain from there on; or none
};

/// What a state leads to before its children have numbers.
struct Successors {
    std::vector<AvailableAction> actions{};
    std::vector<Word> keys{};                         // of all children in a row
    std::vector<std::vector<std::uint32_t>> gained{}; // by child
};

/// The canonical states met so far, and where their actions lead: each state once,
/// found by its key.
class CanonicalGraph {
  public:
    explicit CanonicalGraph(ResidualLayout const& layout);

    [[nodiscard]] ResidualLayout const& layout() const { return layout_; }
    [[nodiscard]] std::size_t size() const { return rewards_.size(); }

    /// The number of the state with this key, which is new if nobody has met it.
    StateId enter(Word const* key, Residual& residual);
    [[nodiscard]] Word const* key(StateId state) const {
        return &keys_[index_of(state) * layout_.key_words()];
    }
    /// The reward for stopping there, less what was gained on the way.
    [[nodiscard]] double reward(StateId state) const {
        return rewards_[index_of(state)];
    }
    /// Falls with every action, so that states can be worked through in order.
    [[nodiscard]] std::uint64_t rank(StateId state) const {
        return ranks_[index_of(state)];
    }

    /// Work out what a state leads to. Any thread may, with a residual of its own.
    void expand(StateId state, Residual& residual, Successors& successors) const;
    /// Keep what a state leads to. One thread at a time. If there is no memory for it,
    /// throws `std::bad_alloc`, and all is as it was.
    void keep(StateId state, Successors const& successors, Residual& residual);
    [[nodiscard]] std::uint64_t num_expanded() const { return num_expanded_; }
    [[nodiscard]] bool is_expanded(StateId state) const {
        return first_edges_[index_of(state)] != not_expanded;
    }

    /// Visit the options of an expanded state, in the problem's order.
    template <typename Visit>
    void for_each_option(StateId state, Visit visit) const;

    /// Visit the children of an option with their nominal odds, in the order of
    /// outcomes.
    template <typename Visit>
    void for_each_child(Option const& option, Visit visit) const;

    /// The rewards in a gain, and what they add up to.
    [[nodiscard]] std::span<std::uint32_t const> gained(std::uint32_t gain) const {
        return gains_[gain];
    }
    [[nodiscard]] double gain_value(std::uint32_t gain) const {
        return gain_values_[gain];
    }
    std::uint32_t gain_of(std::span<std::uint32_t const> rewards);
    /// Work out again what states and gains are worth, as rewards have changed.
    void value_again();

    [[nodiscard]] std::size_t bytes() const;
    /// How much more memory it will hold at once when it keeps them; 0 unless its table
    /// must grow for that, as all else grows little by little.
    [[nodiscard]] std::size_t bytes_to_keep(Successors const& successors) const;
    /// The number of children that can come of a variant.
    [[nodiscard]] static std::size_t num_possible(Variant const& variant);

  private:
    static constexpr std::uint64_t not_expanded = UINT64_MAX;

    [[nodiscard]] std::size_t slot_of(Word const* key) const;
    [[nodiscard]] double worth(std::span<std::uint32_t const> rewards) const;
    [[nodiscard]] std::size_t num_children(Successors const& successors) const {
        return successors.keys.size() / layout_.key_words();
    }
    [[nodiscard]] bool must_grow(std::size_t num_more) const {
        return (size() + num_more) * 5 > slots_.size() * 3;
    }
    void make_room(std::size_t num_states);
    void grow();

    ResidualLayout const& layout_;
    std::uint64_t num_expanded_ = 0;
    LargeArray<Word> keys_;
    LargeArray<double> rewards_;
    LargeArray<std::uint64_t> ranks_;
    LargeArray<std::uint64_t> first_edges_;
    LargeArray<std::uint64_t> first_options_;
    LargeArray<std::uint32_t> num_options_;
    LargeArray<AvailableAction> options_;
    LargeArray<StateId> edges_;
    LargeArray<std::uint32_t> edge_gains_; // for `sum`, beside the edges
    LargeArray<std::uint32_t> slots_;      // open addressing; 0: free, else state + 1
    std::vector<std::vector<std::uint32_t>> gains_{{}};
    std::vector<double> gain_values_{0.0};
    std::map<std::vector<std::uint32_t>, std::uint32_t> gain_numbers_{{{}, 0}};
};

template <typename Visit>
void CanonicalGraph::for_each_option(StateId state, Visit visit) const {
    Instance const& instance = layout_.instance();
    std::uint64_t edge = first_edges_[index_of(state)];
    AvailableAction const* option = options_.data() + first_options_[index_of(state)];
    for (std::uint32_t i = 0; i < num_options_[index_of(state)]; ++i, ++option) {
        std::size_t const count =
            num_possible(instance.actions[option->action].variants[option->variant]);
        visit(Option{*option,
                     {edges_.data() + edge, count},
                     instance.is_sum ? edge_gains_.data() + edge : nullptr});
        edge += count;
    }
}

template <typename Visit>
void CanonicalGraph::for_each_child(Option const& option, Visit visit) const {
    auto const& action = layout_.instance().actions[option.action.action];
    Variant const& variant = action.variants[option.action.variant];
    std::size_t child = 0;
    for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
        if (variant.can_happen(i)) {
            visit(option.children[child++], variant.probabilities[i]);
        }
    }
}

} // namespace branchwise
