#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "branchwise/residual_layout.hpp"

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
/// so the set of undecided nodes says it all. See cpp/README.md.
///
/// One object serves many states, one after another, and keeps its scratch space.
class Residual {
  public:
    explicit Residual(ResidualLayout const& layout);

    /// Become the state in which nothing has happened yet.
    void start(std::span<std::int64_t const> budget);
    /// Become the state with this key.
    void load(Word const* key);
    /// Work out again what a key does not say: which actions are live, what nodes cost,
    /// and whether the budget is slack.
    void refresh();
    /// What can be spent on making a node true, if it is to help; nothing at all if it
    /// cannot. Good after `refresh`.
    [[nodiscard]] std::int64_t room(std::size_t node, std::size_t resource) const {
        return left_[resource] - rest_[node * num_resources_ + resource];
    }
    /// Write the key, `layout.key_words()` long.
    void store(Word* key) const;

    /// Take an action that comes out this way; then the state is simple again.
    void take(AvailableAction action, std::uint32_t outcome);

    /// The actions that can be taken and may help, in the problem's order.
    void available(std::vector<AvailableAction>& actions);

    /// The reward for stopping here, less what `gained` has told.
    [[nodiscard]] double reward();
    /// For `sum`: the rewards that became certain in the last `start` or `take`.
    [[nodiscard]] std::span<std::uint32_t const> gained() const { return gained_; }
    /// For `max`: the reward that can no longer be lost.
    [[nodiscard]] double held() const { return layout_.levels()[held_]; }
    [[nodiscard]] std::uint32_t held_level() const { return held_; }

    [[nodiscard]] bool is_undecided(NodeId node) const {
        return (undecided_[index_of(node) / 64] >> (index_of(node) % 64) & 1U) != 0;
    }
    [[nodiscard]] std::int64_t left(std::size_t resource) const {
        return left_[resource];
    }
    /// Does the budget pay for all that could still be done?
    [[nodiscard]] bool is_budget_slack() const { return is_slack_; }
    /// How many more actions there can be at most; it falls with every one taken.
    /// Good right after `load`.
    [[nodiscard]] std::uint64_t rank() const;

    /// Visit the undecided nodes, each after what it is made of.
    template <typename Visit>
    void for_each_undecided(Visit visit) const {
        for (std::size_t w = 0; w < undecided_.size(); ++w) {
            for (Word word = undecided_[w]; word != 0; word &= word - 1) {
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
            }
        }
    }

  private:
    using Price = std::int64_t;

    static constexpr Price endless = std::numeric_limits<Price>::max() / 4;

    struct Decided {
        NodeId node;
        bool is_true;
    };

    void decide(NodeId node, bool is_true);
    void propagate();
    void tell(ResidualNode const& node, bool is_true);
    void tell_parents(ResidualNode const& node, bool is_true);
    void kill(std::size_t action);
    void forget(std::size_t node) {
        undecided_[node / 64] &= ~(Word{1} << (node % 64));
    }

    // Making the state simple: residual_simplify.cpp.
    void simplify();
    void note_prices(std::size_t action);
    void drop_what_is_out_of_reach();
    bool sweep_costs();
    [[nodiscard]] Price cost_of(std::size_t node, std::size_t resource) const;
    [[nodiscard]] Price cost_of_all(ResidualNode const& node,
                                    std::size_t resource) const;
    [[nodiscard]] Price cost_of_ref(NodeRef ref, std::size_t resource) const;
    [[nodiscard]] bool is_relevant(std::size_t reward) const;
    void mark();
    void mark_rewards();
    bool mark_inside(std::size_t node);
    bool mark_inside_all(std::size_t node);
    bool mark_action(std::size_t node);
    bool want(NodeRef ref, Price const* rest, std::size_t below);
    [[nodiscard]] bool is_wanted(std::size_t node) const;
    bool drop_what_is_of_no_use();
    void cap_attempts();
    void cap_budget();

    template <typename Visit>
    void for_each_undecided_downwards(Visit visit) const {
        for (std::size_t w = undecided_.size(); w-- > 0;) {
            for (Word word = undecided_[w]; word != 0;) {
                auto const bit = static_cast<std::size_t>(63 - std::countl_zero(word));
                word &= ~(Word{1} << bit);
                visit(w * 64 + bit);
            }
        }
    }

    void evaluate_now();
    [[nodiscard]] bool holds_now(NodeRef ref) const;
    [[nodiscard]] std::uint32_t variant_now(std::size_t action) const;
    [[nodiscard]] bool is_live(std::size_t action) const;
    [[nodiscard]] bool affords(Variant const& variant) const;

    ResidualLayout const& layout_;
    Instance const& instance_;
    std::size_t num_resources_; // at least one, so that costs have a place
    std::vector<Word> undecided_;
    std::vector<std::int64_t> attempts_;
    std::vector<std::uint32_t> tails_;
    std::vector<std::int64_t> left_;
    std::uint32_t held_ = 0;
    bool is_slack_ = false;
    std::vector<std::uint32_t> gained_;

    // Scratch space, good only while a state is made simple. What is by node or by
    // action has one entry per resource.
    std::vector<Decided> pending_;
    std::vector<Price> cheapest_;         // by action: an attempt of it, at least
    std::vector<Price> dearest_;          // by action: an attempt of it, at most
    std::vector<Price> cost_;             // by node: to make it true, at least
    std::vector<Price> rest_;             // by node: from there to a reward, at least
    std::vector<Price> part_rest_;        // for one part of an `all`
    std::vector<Price> nothing_;          // zero of each resource
    std::vector<std::uint8_t> wants_not_; // by node: may it help to come out false?
    std::vector<std::uint8_t> holds_;     // by node: does it hold now, if undecided?
    std::vector<std::uint8_t> is_useful_; // by action
    std::vector<std::uint32_t> useful_;   // the actions for which that is so
};

} // namespace branchwise
