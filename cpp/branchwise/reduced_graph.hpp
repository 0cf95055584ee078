#pragma once

#include <cstddef>
#include <vector>

#include "branchwise/full_graph.hpp"
#include "branchwise/slot_set.hpp"

namespace branchwise {

/// The reduced graph: the states of all optimal trees (Algorithm 4), marked in the
/// layers of the full graph.
template <std::size_t Width>
class ReducedGraph {
  public:
    using Table = StateTable<Width>;

    /// The full graph must have its scores.
    explicit ReducedGraph(FullGraph<Width> const& graph) : graph_(graph) {}

    void generate();

    [[nodiscard]] FullGraph<Width> const& full() const { return graph_; }
    [[nodiscard]] std::vector<SlotSet> const& layers() const { return layers_; }
    [[nodiscard]] std::size_t num_states() const { return num_states_; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    void mark_range(std::size_t depth, std::size_t first, std::size_t last,
                    Expansion<Width>& expansion);
    void mark_children(std::size_t depth, Expansion<Width>& expansion);

    FullGraph<Width> const& graph_;
    std::vector<SlotSet> layers_;
    std::size_t num_states_ = 0;
};

} // namespace branchwise
