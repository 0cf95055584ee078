#pragma once

#include <cstddef>

#include "branchwise/paper/full_graph.hpp"

namespace branchwise {

/// The reduced graph: the states of all optimal trees (Algorithm 4), marked in the
/// layers of the full graph.
class ReducedGraph {
  public:
    /// The full graph must have its scores.
    explicit ReducedGraph(FullGraph& graph) : graph_(graph) {}

    void generate();

    [[nodiscard]] FullGraph& full() const { return graph_; }
    [[nodiscard]] std::size_t num_states() const { return num_states_; }

  private:
    [[nodiscard]] std::size_t mark_below(LayerPart const& part, Layer& below,
                                         std::size_t first, std::size_t last) const;
    void mark_children(Code const* options, Code const* end, Layer& below) const;

    FullGraph& graph_;
    std::size_t num_states_ = 0;
};

} // namespace branchwise
