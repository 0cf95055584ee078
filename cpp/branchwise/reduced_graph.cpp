#include "branchwise/reduced_graph.hpp"

namespace branchwise {

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
    Crew<Width>& crew = graph_.crew();
    for (std::size_t depth = 0; depth + 1 < layers_.size(); ++depth) {
        layers_[depth].seal();
        num_states_ += layers_[depth].size();
        crew.share(
            graph_.layers()[depth].num_slots(),
            [&](std::size_t first, std::size_t last, std::size_t thread) {
                mark_range(depth, first, last, crew.expansion(thread));
            },
            [&] { check(crew.watch(), num_states_, "reduced graph"); });
    }
    layers_.back().seal();
}

template <std::size_t Width>
void ReducedGraph<Width>::mark_range(std::size_t depth, std::size_t first,
                                     std::size_t last, Expansion<Width>& expansion) {
    Table const& table = graph_.layers()[depth];
    Table const& below = graph_.layers()[depth + 1];
    layers_[depth].for_each(first, last, [&](std::size_t slot) {
        if (graph_.has_masks()) {
            expansion.reopen(slot, table.key(slot), graph_.optimal(depth)[slot], below);
        } else {
            expansion.open(slot, table.key(slot), below);
        }
        if (expansion.is_full()) {
            mark_children(depth, expansion);
        }
    });
    mark_children(depth, expansion);
}

template <std::size_t Width>
void ReducedGraph<Width>::mark_children(std::size_t depth,
                                        Expansion<Width>& expansion) {
    Table const& below = graph_.layers()[depth + 1];
    expansion.resolve(below);
    for (std::size_t state = 0; state < expansion.num_states(); ++state) {
        double const best = graph_.layers()[depth].real(expansion.slot(state));
        for (auto const& option : expansion.options(state)) {
            if (!graph_.has_masks() &&
                !graph_.is_optimal(expansion.score(option, below), best)) {
                continue;
            }
            for (std::size_t i = 0; i < option.move->chances.size(); ++i) {
                layers_[depth + 1].insert(expansion.child_slot(option.first_child + i));
            }
        }
    }
    expansion.clear();
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
