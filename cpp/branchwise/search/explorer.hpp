#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/support/large_array.hpp"
#include "branchwise/support/pace.hpp"
#include "branchwise/support/run_watch.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// Explores every canonical state that can be reached from a root.
///
/// States are worked through by falling rank, so a state is expanded once all that
/// lead to it are, and a block of equal rank can be shared among threads. Children
/// are entered by one thread in a fixed order, while the others are at the next block:
/// numbers are the same for any team.
class Explorer {
  public:
    Explorer(CanonicalGraph& graph, ThreadTeam& team);

    /// Go on until all is explored, or the watch ends the run: then false. Asked again
    /// for the same root, it goes on where it was, whatever was expanded meanwhile.
    [[nodiscard]] bool explore(StateId root, RunWatch& watch);

    // The same in steps of one rank each, for those who enter states on the way. All
    // states that are entered without having been expanded wait for it.

    /// The highest rank of the states that wait; none where none do.
    [[nodiscard]] std::optional<std::uint64_t> next_rank();
    /// Expand all states of that rank, in the order of their numbers. False if the
    /// watch ends the run before: then the others still wait.
    [[nodiscard]] bool expand_rank(RunWatch& watch);
    /// The states that were expanded, in this order.
    [[nodiscard]] std::span<StateId const> expanded() const { return order_; }
    /// Those that wait, by rank, from the highest down, each in the order of numbers.
    [[nodiscard]] std::map<std::uint64_t, std::vector<StateId>, std::greater<>> const&
    waiting() const {
        return by_rank_;
    }

    /// Release what is only needed while it explores.
    void rest() {
        now_ = {};
        next_ = {};
    }

    /// The states reached, each before those that lead to it.
    [[nodiscard]] std::span<StateId const> children_first() const { return order_; }

  private:
    static constexpr std::size_t in_a_group = 64;

    /// Some states of equal rank, and what is known of those that are to be expanded.
    struct Block {
        std::span<StateId const> states{};
        std::vector<StateId> pending{};
        std::vector<Successors> successors{}; // by group of those

        [[nodiscard]] std::size_t num_groups() const {
            return (pending.size() + in_a_group - 1) / in_a_group;
        }
        [[nodiscard]] std::span<StateId const> group(std::size_t number) const;
        [[nodiscard]] std::size_t num_unknown() const;
    };

    void begin(StateId root);
    void resume();
    void make_blocks();
    /// How many of these states were expanded before the watch ended the run.
    [[nodiscard]] std::size_t expand_all(std::span<StateId const> states,
                                         RunWatch& watch);
    /// Take the next states from the front of some.
    void begin(Block& block, std::span<StateId const>& states);
    [[nodiscard]] bool keep(Block const& block, RunWatch& watch);
    void meet(StateId state);
    void meet_children(Block const& block);
    void meet_new();

    CanonicalGraph& graph_;
    ThreadTeam& team_;
    std::vector<Residual> residuals_; // by thread
    Block now_;                       // is kept
    Block next_;                      // is expanded meanwhile
    StateId root_ = no_state;         // of what it can go on with
    std::map<std::uint64_t, std::vector<StateId>, std::greater<>> by_rank_;
    std::vector<bool> is_met_;  // of the states there were before
    std::size_t num_known_ = 0; // states there were before, or that have been met
    LargeArray<StateId> order_;
    Pace pace_;
};

} // namespace branchwise
