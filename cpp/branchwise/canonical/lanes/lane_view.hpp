#pragma once

#include <cstddef>
#include <cstdint>

#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/support/bits.hpp"

namespace branchwise {

/// So many states are worked on side by side, each in a lane: a bit of every word.
inline constexpr std::size_t num_lanes = 64;

/// So many rewarding sets are looked at together.
inline constexpr std::size_t sets_at_once = 32;

/// A node, or its opposite, in one number.
enum class LaneRef : std::uint32_t {};

[[nodiscard]] inline std::uint32_t node_of(LaneRef ref) {
    return static_cast<std::uint32_t>(ref) >> 1U;
}
[[nodiscard]] inline bool is_negated(LaneRef ref) {
    return (static_cast<std::uint32_t>(ref) & 1U) != 0;
}

struct LaneNode {
    ResidualNode::Kind kind{};
    std::uint32_t first_inside{}; // of a gate
    std::uint32_t last_inside{};
    std::uint32_t first_part{}; // where the parts of an `all` end
    std::uint32_t action{};     // of a literal
    std::uint32_t outcome{};    // of a literal
    LaneRef allowed{};          // of a literal
    std::uint32_t counter{};    // of a comparison
    std::int64_t threshold{};   // of a comparison
    std::uint32_t first_owner{};
    std::uint32_t last_owner{};
};

struct LaneAction {
    static constexpr std::uint32_t none = UINT32_MAX;

    std::uint32_t first_outcome{};
    std::uint32_t first_literal{};
    std::uint32_t last_literal{};
    std::uint32_t first_variant{};
    std::uint32_t num_clauses{};
    std::uint32_t first_clause{};
    std::uint32_t num_outcomes{};
    std::uint32_t first_branch{}; // its variants with their outcomes, numbered through
    std::uint32_t group = no_group;   // the hidden facts that decide what comes of it
    std::uint32_t repeatable = none;  // its number among those
    std::uint32_t conditioned = none; // its number among those
    bool is_possible = false;         // with as many attempts as it may have at all
};

/// A counter: what compares it, and what changes it.
struct LaneCounter {
    std::int64_t size{};
    std::int64_t start{};
    std::uint32_t first_comparison{};
    std::uint32_t last_comparison{};
    std::uint32_t first_raiser{}; // the actions that may raise it
    std::uint32_t last_raiser{};
    std::uint32_t first_lowerer{}; // the actions that may lower it
    std::uint32_t last_lowerer{};
    std::uint32_t group = no_group; // of a signal
};

/// A group of hidden facts: what tells about them, and what depends on them.
struct LaneGroup {
    std::uint32_t first_informer{}; // nodes
    std::uint32_t last_informer{};
    std::uint32_t first_action{}; // those that it decides what comes of
    std::uint32_t last_action{};
    std::uint32_t first_reward{};
    std::uint32_t last_reward{};
};

/// An action that is taken in a lane, at the state with this key. Lanes of one state
/// are neighbors.
struct LaneStep {
    Word const* key{};
    std::uint32_t action{}; // `LaneAction::none`: only set aside
    std::uint32_t variant{};
    std::uint32_t outcome{};
    std::int64_t const* aside = nullptr; // by resource: what to pay besides, if any
};

/// States side by side, as plain arrays: a kernel for special instructions must not
/// call functions that others call, too, or these would have special instructions.
///
/// A `Word` has a bit per lane. A row has a price per lane, of a type that the kernel
/// knows; rows of several resources are neighbors.
struct LaneView {
    // What never changes.
    LaneNode const* nodes{};
    LaneRef const* inside{};
    std::uint32_t const* part_ends{};
    NodeOwner const* owners{};
    std::uint32_t const* users{}; // by node: those that change when it does
    std::uint32_t const* first_users{};
    Word const* circles{}; // a bit per node: does a circle depend on it?
    LaneAction const* actions{};
    std::uint32_t const* literals{};
    std::uint8_t const* is_possible{};      // by literal
    std::int64_t const* prices{};           // by variant and resource
    std::int64_t const* outcome_prices{};   // by outcome and resource; null: none
    std::int64_t const* dearest_outcomes{}; // by action and resource; null: none
    std::int64_t const* attempts_at_start{};
    LaneCounter const* counters{};
    std::uint32_t const* comparisons{}; // by counter: the nodes that compare it
    std::uint32_t const* changers{};    // by counter: the actions that change it
    Effect const* effects{};            // by branch
    std::uint32_t const* first_effects{};
    KeyField const* counter_fields{};
    AttemptBound const* attempt_bounds{}; // by number among the repeatable
    std::uint32_t const* first_attempt_bounds{};
    std::uint32_t const* payers{}; // nodes: what pays on the way can be taken again
    std::uint32_t const* moves{};  // nodes: where one must finish, of every action
    LaneRef finish{};              // when one may stop, if there are moves
    LaneGroup const* groups{};
    std::uint32_t const* group_parts{}; // what groups have, in rows
    KeyField const* secured_fields{};   // by reward
    LaneRef const* clauses{};
    LaneRef const* reward_nodes{};
    InstanceReward const* rewards{}; // whose values may change
    std::uint32_t const* levels{};   // by reward, for `max`
    std::uint32_t const* repeatable{};
    std::uint32_t const* conditioned{};
    KeyField const* attempts_fields{}; // by number among the repeatable
    KeyField const* tail_fields{};     // by number among the conditioned
    KeyField const* left_fields{};
    KeyField held_field{};
    KeyField finished_field{};
    Word const* with_sets{};    // by node and set: all bits if it is a fact of the set
    Word const* without_sets{}; // by node and set: all bits if its opposite is
    std::uint32_t const* set_rewards{}; // the rewards that each set brings
    std::uint32_t const* first_set_rewards{};
    std::uint32_t const* needs{}; // by set: the literals that have to be paid for
    std::uint32_t const* first_needs{};
    std::int64_t const* need_prices{}; // by need and resource
    std::size_t num_nodes{};
    std::size_t node_words{}; // of a set of nodes, with a bit for each
    std::size_t num_actions{};
    std::size_t num_rewards{};
    std::size_t num_repeatable{};
    std::size_t num_conditioned{};
    std::size_t num_clauses{};
    std::size_t num_resources{}; // at least one, so that prices have a place
    std::size_t num_limited{};   // of them, those that a key has a field for
    std::size_t num_counters{};
    std::size_t num_groups{};
    std::size_t num_payers{};
    std::size_t num_moves{};
    std::size_t num_sets{};
    std::size_t padded_sets{}; // a multiple of those looked at together
    std::size_t key_words{};
    bool is_sum = false;
    bool is_cyclic = false;
    bool has_back_users = false; // does a node change with one that comes after it?
    bool has_negation = false;

    // The states.
    Word* undecided{};     // by node
    Word* open_clauses{};  // by clause: neither it nor one before it holds for good
    Word* gained{};        // by reward, for `sum`: has it become certain?
    Word* secured{};       // by reward of a group: is the rest of it certain?
    std::uint32_t* held{}; // by lane, for `max`: the level of reward that is certain
    Word finished = 0;     // where one must finish: may one stop from now on?
    void* left{};          // a row per resource
    void* attempts{};      // a row per repeatable action
    void* counts{};        // a row per counter

    // What is worked out about them.
    std::uint32_t* open{}; // the nodes that are undecided in some lane, ascending
    std::size_t num_open = 0;
    std::uint32_t* open_actions{}; // those with an undecided literal in some lane
    std::size_t num_open_actions = 0;
    std::uint8_t* is_open_action{}; // the same as flags
    Word* is_true{};                // by node: decided now
    Word* is_false{};
    Word* wanted{};    // by node: may it help to come out true?
    Word* wants_not{}; // by node: may it help to come out false?
    Word* is_useful{}; // by action
    Word* is_killed{}; // by action: can it no longer be taken?
    Word* relevant{};  // by reward: is it undecided, and can it make a difference?
    Word* true_in{};   // by node, for some sets: does it hold if just that comes true?
    Word* is_in_reach{}; // by node: does it hold with a set that can still be had?
    void* cost{};        // by node: to make it true, at least
    void* rest{};        // by node: from there to a reward, at least
    void* cheapest{};    // by conditioned action: an attempt of it, at least
    void* dearest{};     // by conditioned action: an attempt of it, at most
    Word* key_bits{};    // by bit of a key
    Word* news{};        // by bit, nodes: is something about it to be decided?
    Word* decided{};     // by bit, nodes: has something been decided?
    Word* stale{};       // by bit, nodes: has what its cost depends on changed?
    Word* repriced{};    // by bit, nodes: has its cost changed?
    Word* marked{};      // by bit, nodes: is it wanted more than was passed on?
    Word is_slack = 0;   // does the budget pay for all that could still be done?
};

/// What can be done with states side by side.
struct LaneKernel {
    /// Become one state, in which nothing has happened yet, and write its simple key.
    /// `left_out` says, by action, what is never taken; null: nothing.
    void (*start)(LaneView& view, std::int64_t const* budget,
                  std::uint8_t const* left_out, Word* key) = nullptr;
    /// Take a step in every lane, and write the simple keys of where it leads.
    void (*take)(LaneView& view, LaneStep const* steps, std::size_t count,
                 Word* keys) = nullptr;
    /// Become the states that steps begin at, and work out costs, rests and slack.
    void (*refresh)(LaneView& view, LaneStep const* steps, std::size_t count) = nullptr;
    std::size_t bytes_per_price = 0;
};

/// Kernels for prices of one, two and eight bytes; without functions where there is no
/// form for them.
struct LaneKernels {
    LaneKernel bytes{};
    LaneKernel halves{};
    LaneKernel words{};
};

/// The instructions that rows are worked on with.
enum class LaneForm : std::uint8_t {
    best, // that this machine has
    portable,
    avx2,
    avx512,
};

[[nodiscard]] LaneKernels portable_lane_kernels();
/// To be called only on a machine that has the instructions; without functions where
/// they were not compiled.
[[nodiscard]] LaneKernels avx2_lane_kernels();
[[nodiscard]] LaneKernels avx512_lane_kernels();

} // namespace branchwise
