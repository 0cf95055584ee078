#pragma once

#include <cstddef>
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
/// are entered by one thread in a fixed order: numbers are the same for any team.
class Explorer {
  public:
    Explorer(CanonicalGraph& graph, ThreadTeam& team);

    /// Go on until all is explored, or the watch ends the run: then false.
    [[nodiscard]] bool explore(StateId root, RunWatch& watch);

    /// The states reached, each before those that lead to it.
    [[nodiscard]] std::span<StateId const> children_first() const { return order_; }

  private:
    static constexpr std::size_t most_at_once = 4096;
    static constexpr std::size_t in_a_group = 64;

    [[nodiscard]] bool expand_block(std::span<StateId const> states, RunWatch& watch);

    CanonicalGraph& graph_;
    ThreadTeam& team_;
    std::vector<Residual> residuals_; // by thread
    std::vector<StateId> pending_;
    std::vector<Successors> successors_;
    LargeArray<StateId> order_;
    Pace pace_{most_at_once};
};

} // namespace branchwise
