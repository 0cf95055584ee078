#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "branchwise/canonical/key_memory.hpp"
#include "branchwise/canonical/residual_layout.hpp"
#include "branchwise/canonical/set_reach.hpp"
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

    /// Become the state in which nothing has happened yet.
    void start(std::span<std::int64_t const> budget);
    /// Become the state with this key.
    void load(Word const* key);
    /// Work out again what a key does not hold: which actions are live, what nodes
    /// cost, and whether the budget is slack.
    void refresh();
    /// The slack of a node: what can be spent on making it true such that the rest of
    /// the way to a reward can still be paid for. Negative if that is out of reach.
    /// Valid after `refresh`.
    [[nodiscard]] std::int64_t slack(std::size_t node, std::size_t resource) const {
        return left_[resource] - rest_[node * num_resources_ + resource];
    }
    /// Write the key of a simple state, `layout.key_words()` long.
    void store(Word* key) const;

    /// Take an action that comes out this way, and write the key of what it leads to,
    /// which need not be simple yet.
    void take(AvailableAction action, std::uint32_t outcome, Word* key);
    /// Turn the key of a state into that of the same state made simple. What this
    /// object becomes is left open: load a state to go on.
    void simplify(Word* key);

    /// The actions that can be taken and may help, in the problem's order.
    void available(std::vector<AvailableAction>& actions);

    /// The reward for stopping here, less what `gained` has reported.
    [[nodiscard]] double reward();
    /// For `sum`: the rewards that became certain in the last `start`, `take` or
    /// `simplify`.
    [[nodiscard]] std::span<std::uint32_t const> gained() const { return gained_; }
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
    /// Can a reward still make a difference?
    [[nodiscard]] bool is_relevant(std::size_t reward) const {
        return instance_.is_sum ? instance_.rewards[reward].value != 0
                                : layout_.level_of(reward) > held_;
    }
    /// Does the budget pay for all that could still be done?
    [[nodiscard]] bool is_budget_slack() const { return is_slack_; }
    /// How many more actions there can be at most; it falls with every one taken.
    /// Good right after `load`.
    [[nodiscard]] std::uint64_t rank() const;

    /// Visit the undecided nodes, each after what it is made of.
    template <typename Visit>
    void for_each_undecided(Visit visit) const {
        for_each_bit(undecided_, visit);
    }

  private:
    template <std::size_t NumResources>
    friend class Simplifier;

    using Price = std::int64_t;

    static constexpr Price endless = std::numeric_limits<Price>::max() / 4;

    struct Decided {
        NodeId node;
        bool is_true;
    };

    void decide(NodeId node, bool is_true);
    void propagate();
    void report_to_owners(ResidualNode const& node, bool is_true);
    void report_to_parents(ResidualNode const& node, bool is_true);
    void kill(std::size_t action);
    void simplify();
    [[nodiscard]] bool is_useful(std::size_t action) const {
        return has_bit(is_useful_.data(), action);
    }

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

    template <typename Visit>
    void for_each_useful(Visit visit) const {
        for_each_bit(is_useful_, visit);
    }

    void evaluate_now();
    [[nodiscard]] bool holds_now(NodeRef ref) const;
    [[nodiscard]] std::uint32_t variant_now(std::size_t action) const;
    void find_live();
    template <typename IsKept>
    void write(Word* key, IsKept is_kept) const;
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
    std::vector<Price> cheapest_;     // by action: an attempt of it, at least
    std::vector<Price> dearest_;      // by action: an attempt of it, at most
    std::vector<Price> cost_;         // by node: to make it true, at least
    std::vector<Price> rest_;         // by node: from there to a reward, at least
    std::vector<Price> part_rest_;    // for one part of an `all`
    std::vector<Price> nothing_;      // zero of each resource
    std::vector<Word> wanted_;        // by node: may it help to come out true?
    std::vector<Word> wants_not_;     // by node: may it help to come out false?
    std::vector<Word> is_useful_;     // by action
    std::vector<Word> is_live_;       // by action
    std::vector<std::uint8_t> holds_; // by node: does it hold now, if undecided?
    SetReach set_reach_;
    std::vector<Word> raw_key_; // of a state that is not simple yet
    KeyMemory memory_;
};

} // namespace branchwise
