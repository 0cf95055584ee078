#include "branchwise/paper/reduced_graph.hpp"

#include <atomic>

namespace branchwise {

void ReducedGraph::generate() {
    auto& layers = graph_.layers();
    for (Layer& layer : layers) {
        for (std::size_t i = 0; i < layer.num_parts(); ++i) {
            layer.part(i).marks.assign(layer.part(i).size(), 0);
        }
    }
    layers.front().part(0).marks[0] = 1;
    std::atomic<std::size_t> num_marked = 0;
    for (std::size_t depth = 0; depth + 1 < layers.size(); ++depth) {
        graph_.crew().share(
            layers[depth], "reduced graph", num_marked,
            [&](std::size_t part, std::size_t first, std::size_t last, std::size_t) {
                num_marked += mark_below(layers[depth].part(part), layers[depth + 1],
                                         first, last);
            });
    }
    num_states_ = num_marked;
}

/// Mark where optimal actions lead from the marked states of a range; returns how
/// many these are.
std::size_t ReducedGraph::mark_below(LayerPart const& part, Layer& below,
                                     std::size_t first, std::size_t last) const {
    std::size_t num_marked = 0;
    for (std::size_t state = first; state < last; ++state) {
        if (part.marks[state] != 0) {
            ++num_marked;
            mark_children(part.begin(state), part.end(state), below);
        }
    }
    return num_marked;
}

void ReducedGraph::mark_children(Code const* options, Code const* end,
                                 Layer& below) const {
    while (options != end) {
        Code const head = *options++;
        std::size_t const num_children =
            graph_.rules().move(OptionHead::move(head)).num_chances;
        for (std::size_t i = 0; i < num_children; ++i) {
            Code const child = options[i];
            if ((head & OptionHead::optimal) != 0) {
                LayerPart& part = below.part(below.part_of(child));
                // Others may mark the same one at the same time.
                std::atomic_ref(part.marks[below.state_of(child)])
                    .store(1, std::memory_order_relaxed);
            }
        }
        options += num_children;
    }
}

} // namespace branchwise
