#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "branchwise/canonical/layout/residual_sets.hpp"
#include "branchwise/problem/instance.hpp"
#include "branchwise/support/bits.hpp"

namespace branchwise {

class LaneTables;

enum class NodeId : std::uint32_t {};

/// A node, or its opposite.
struct NodeRef {
    NodeId node{};
    bool is_negated = false;
};

/// A reward, an action, a clause or `finish` that waits for a node to be decided.
struct NodeOwner {
    enum class Kind : std::uint8_t { reward, allowed, clause, finish };

    Kind kind{};
    bool is_negated = false;
    std::uint32_t subject{}; // the reward or the action
    std::uint32_t clause{};  // which variant of the action
};

/// A fact about an action, a gate over nodes with smaller numbers, or how a counter
/// compares. What is inside of the latter: that actions can be taken again which may
/// raise the counter, and negated, those which may lower it.
struct ResidualNode {
    enum class Kind : std::uint8_t { literal, all, any, at_least };

    static constexpr std::uint32_t no_outcome = UINT32_MAX;
    static constexpr std::uint32_t again = UINT32_MAX - 1;

    Kind kind{};
    std::uint32_t action{}; // of a literal
    // Of a literal. None: merely attempted; `again`: can be taken once more.
    std::uint32_t outcome = no_outcome;
    std::uint32_t counter{};           // of `at_least`
    std::int64_t threshold{};          // of `at_least`
    NodeRef allowed{};                 // what the action of a literal needs
    std::span<NodeRef const> inside{}; // of a gate, part by part
    // Where each part of an `all` ends. Parts share no action, so their costs add up.
    std::span<std::uint32_t const> part_ends{};
    std::span<NodeRef const> parents{}; // the gates it is in, and how
    std::span<NodeOwner const> owners{};
};

/// A field of a key: some bits of one word.
struct KeyField {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    Word mask = 0;

    [[nodiscard]] Word read(Word const* key) const {
        return (key[word] >> shift) & mask;
    }
    void write(Word* key, Word value) const { key[word] |= value << shift; }
};

/// What of an instance never changes while it is solved: its conditions as nodes,
/// numbered so that a node comes after what it is made of, and where everything
/// that a state keeps stands in its key.
class ResidualLayout {
  public:
    /// In large ones `look` is called for every small step, and may throw.
    explicit ResidualLayout(Instance const& instance, Look const& look = [] {});
    ~ResidualLayout();
    // The nodes look into the lists beside them.
    ResidualLayout(ResidualLayout const&) = delete;
    ResidualLayout& operator=(ResidualLayout const&) = delete;

    [[nodiscard]] Instance const& instance() const { return instance_; }
    [[nodiscard]] std::vector<ResidualNode> const& nodes() const { return nodes_; }
    [[nodiscard]] ResidualNode const& node(NodeId id) const {
        return nodes_[index_of(id)];
    }
    /// The nodes that are facts about this action.
    [[nodiscard]] std::vector<NodeId> const& literals(std::size_t action) const {
        return literals_[action];
    }
    /// Can this fact come true at all, under some clause?
    [[nodiscard]] bool is_possible(NodeId literal) const;
    [[nodiscard]] NodeRef allowed(std::size_t action) const { return allowed_[action]; }
    /// The condition of a clause, for all variants but the last.
    [[nodiscard]] NodeRef clause(std::size_t action, std::size_t variant) const {
        return clauses_[action][variant];
    }
    [[nodiscard]] NodeRef reward(std::size_t reward) const { return rewards_[reward]; }
    /// That actions which pay something on the way can be taken again.
    [[nodiscard]] std::vector<NodeId> const& payers() const { return payers_; }
    /// Of a group of hidden facts: that what tells about them can be taken again.
    [[nodiscard]] std::vector<NodeId> const& informers(std::size_t group) const {
        return informers_[group];
    }

    /// Where one must finish: when one may stop, and that actions can be taken again.
    [[nodiscard]] NodeRef finish() const { return finish_; }
    [[nodiscard]] std::vector<NodeId> const& moves() const { return moves_; }

    /// For `max`: the distinct values that may be held, ascending from 0.
    [[nodiscard]] std::vector<double> const& levels() const { return levels_; }
    [[nodiscard]] std::uint32_t level_of(std::size_t reward) const {
        return level_of_[reward];
    }

    /// Take over the values of rewards from the instance, in which the order is the
    /// same as it was.
    void value_levels();

    /// The number of 64-bit words for one bit per node.
    [[nodiscard]] std::size_t node_words() const { return (nodes_.size() + 63) / 64; }
    [[nodiscard]] std::size_t key_words() const { return key_words_; }
    [[nodiscard]] KeyField attempts_field(std::size_t action) const {
        return attempts_fields_[action];
    }
    [[nodiscard]] KeyField tail_field(std::size_t action) const {
        return tail_fields_[action];
    }
    [[nodiscard]] KeyField left_field(std::size_t resource) const {
        return left_fields_[resource];
    }
    [[nodiscard]] KeyField held_field() const { return held_field_; }
    /// Of a reward that depends on hidden facts: is the rest of it certain?
    [[nodiscard]] KeyField secured_field(std::size_t reward) const {
        return secured_fields_[reward];
    }
    [[nodiscard]] KeyField counter_field(std::size_t counter) const {
        return counter_fields_[counter];
    }
    /// Where one must finish: is it certain that one may stop from now on?
    [[nodiscard]] KeyField finished_field() const { return finished_field_; }
    /// How many more actions there can be at most in a state; it falls with every one
    /// taken.
    [[nodiscard]] std::uint64_t rank(Word const* key) const;

    /// Can a node be needed for itself, directly or not?
    [[nodiscard]] bool is_cyclic() const { return is_cyclic_; }
    /// Can something hold now that is not certain?
    [[nodiscard]] bool has_negation() const { return has_negation_; }
    [[nodiscard]] bool has_comparison() const { return has_comparison_; }
    /// The actions with more attempts than one, and those with clauses.
    [[nodiscard]] std::vector<std::uint32_t> const& repeatable() const {
        return repeatable_;
    }
    [[nodiscard]] std::vector<std::uint32_t> const& conditioned() const {
        return conditioned_;
    }
    /// The rewarding sets, where they help.
    [[nodiscard]] ResidualSets const& sets() const { return sets_; }
    /// All of this as flat tables, for states side by side.
    [[nodiscard]] LaneTables const& lane_tables() const { return *lane_tables_; }

  private:
    friend class ResidualLayoutBuilder;

    Instance const& instance_;
    std::vector<ResidualNode> nodes_;
    std::vector<NodeRef> insides_;
    std::vector<std::uint32_t> part_ends_;
    std::vector<NodeRef> parents_;
    std::vector<NodeOwner> owners_;
    std::vector<std::vector<NodeId>> literals_;
    std::vector<NodeRef> allowed_;
    std::vector<std::vector<NodeRef>> clauses_;
    std::vector<NodeRef> rewards_;
    std::vector<std::vector<NodeId>> informers_;
    std::vector<NodeId> payers_;
    NodeRef finish_;
    std::vector<NodeId> moves_;
    std::vector<double> levels_;
    std::vector<std::uint32_t> level_of_;
    std::vector<std::uint32_t> repeatable_;
    std::vector<std::uint32_t> conditioned_;
    std::vector<KeyField> attempts_fields_;
    std::vector<KeyField> attempts_in_use_; // of repeatable actions
    std::vector<KeyField> tail_fields_;
    std::vector<KeyField> left_fields_;
    std::vector<KeyField> counter_fields_;
    std::vector<KeyField> secured_fields_;
    KeyField held_field_;
    KeyField finished_field_;
    std::size_t key_words_ = 0;
    bool is_cyclic_ = false;
    bool has_negation_ = false;
    bool has_comparison_ = false;
    ResidualSets sets_;
    std::unique_ptr<LaneTables const> lane_tables_;
};

} // namespace branchwise
