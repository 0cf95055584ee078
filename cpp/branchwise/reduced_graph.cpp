#include "branchwise/reduced_graph.hpp"

namespace branchwise {

template <std::size_t Width>
ReducedGraph<Width>::ReducedGraph(FullGraph<Width> const& graph)
    : graph_(graph), expansion_(graph.rules(), graph.filter()) {}

template <std::size_t Width>
void ReducedGraph<Width>::generate() {
    for (Table const& layer : graph_.layers()) {
        layers_.emplace_back(layer.num_slots());
    }
    Table const& top = graph_.layers().front();
    for (std::size_t slot = 0; slot < top.num_slots(); ++slot) {
        if (top.is_taken(slot)) {
            layers_.front().insert(slot);
        }
    }
    for (std::size_t depth = 0; depth + 1 < layers_.size(); ++depth) {
        num_states_ += layers_[depth].size();
        Table const& table = graph_.layers()[depth];
        layers_[depth].for_each([&](std::size_t slot) {
            Table const& below = graph_.layers()[depth + 1];
            if (expansion_.has_masks()) {
                expansion_.reopen(slot, table.key(slot), graph_.optimal(depth)[slot],
                                  below);
            } else {
                expansion_.open(slot, table.key(slot), below);
            }
            if (expansion_.is_full()) {
                mark_children(depth);
            }
        });
        mark_children(depth);
    }
    for (SlotSet& layer : layers_) {
        layer.seal();
    }
}

template <std::size_t Width>
void ReducedGraph<Width>::mark_children(std::size_t depth) {
    Table const& table = graph_.layers()[depth];
    Table const& below = graph_.layers()[depth + 1];
    expansion_.resolve(below);
    for (std::size_t state = 0; state < expansion_.num_states(); ++state) {
        double const best = table.real(expansion_.slot(state));
        for (auto const& option : expansion_.options(state)) {
            if (!expansion_.has_masks() &&
                !graph_.is_optimal(expansion_.score(option, below), best)) {
                continue;
            }
            for (std::size_t i = 0; i < option.move->chances.size(); ++i) {
                layers_[depth + 1].insert(
                    expansion_.child_slot(option.first_child + i));
            }
        }
    }
    expansion_.clear();
    check(graph_.watch(), num_states_, "reduced graph");
}

template <std::size_t Width>
std::size_t ReducedGraph<Width>::bytes() const {
    std::size_t total = 0;
    for (SlotSet const& layer : layers_) {
        total += layer.bytes();
    }
    return total;
}

template class ReducedGraph<0>;
template class ReducedGraph<1>;
template class ReducedGraph<2>;
template class ReducedGraph<4>;

} // namespace branchwise
