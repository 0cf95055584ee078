#include "branchwise/full_graph.hpp"

#include <algorithm>
#include <cmath>

namespace branchwise {

void check(RunWatch& watch, std::size_t num_states, char const* stage) {
    if (!watch.goes_on({num_states, 0, 0, stage})) {
        throw RunStopped(watch.ending());
    }
}

template <std::size_t Width>
FullGraph<Width>::FullGraph(StateRules const& rules, RewardingFilter const* filter,
                            RunWatch& watch)
    : rules_(rules), filter_(filter), watch_(watch), expansion_(rules, filter) {}

template <std::size_t Width>
void FullGraph<Width>::generate() {
    std::size_t const width = rules_.layout().num_words();
    std::vector<Word> const root(width);
    layers_.emplace_back(width, 1);
    layers_.back().insert(root.data(), layers_.back().hash(root.data()));
    num_states_ = 1;
    while (layers_.back().size() > 0) {
        Table below(width, 1);
        generate_below(layers_.back(), below);
        layers_.push_back(std::move(below));
    }
}

template <std::size_t Width>
void FullGraph<Width>::generate_below(Table& layer, Table& below) {
    expansion_.clear();
    for (std::size_t slot = 0; slot < layer.num_slots(); ++slot) {
        if (!layer.is_taken(slot)) {
            continue;
        }
        // Until it has a score, a state keeps its actions where the score will be.
        *layer.values(slot) = expansion_.open(slot, layer.key(slot), below);
        if (expansion_.is_full()) {
            insert_children(below);
        }
    }
    insert_children(below);
}

template <std::size_t Width>
void FullGraph<Width>::insert_children(Table& below) {
    for (std::size_t i = 0; i < expansion_.num_children(); ++i) {
        if (below.is_full() && !watch_.has_room(below.bytes_to_grow())) {
            throw RunStopped(watch_.ending());
        }
        bool const is_new =
            below.insert(expansion_.child_key(i), expansion_.child_hash(i)).second;
        num_states_ += is_new ? 1 : 0;
    }
    expansion_.clear();
    check(watch_, num_states_, "full graph");
}

template <std::size_t Width>
void FullGraph<Width>::score() {
    for (std::size_t i = layers_.size() - 1; i-- > 0;) {
        score_layer(layers_[i], layers_[i + 1]);
    }
}

template <std::size_t Width>
void FullGraph<Width>::score_layer(Table& layer, Table const& below) {
    expansion_.clear();
    for (std::size_t slot = 0; slot < layer.num_slots(); ++slot) {
        if (!layer.is_taken(slot)) {
            continue;
        }
        if (expansion_.has_masks()) {
            expansion_.reopen(slot, layer.key(slot), *layer.values(slot), below);
        } else {
            expansion_.open(slot, layer.key(slot), below);
        }
        if (expansion_.is_full()) {
            settle(layer, below);
        }
    }
    settle(layer, below);
}

template <std::size_t Width>
void FullGraph<Width>::settle(Table& layer, Table const& below) {
    expansion_.resolve(below);
    for (std::size_t state = 0; state < expansion_.num_states(); ++state) {
        std::size_t const slot = expansion_.slot(state);
        double best = rules_.reward(Key(layer.key(slot), rules_.layout().num_words()));
        largest_reward_ = std::max(largest_reward_, std::abs(best));
        for (auto const& option : expansion_.options(state)) {
            best = std::max(best, expansion_.score(option, below));
        }
        *layer.values(slot) = std::bit_cast<Word>(best);
    }
    expansion_.clear();
    check(watch_, num_states_, "reduced graph");
}

template <std::size_t Width>
std::size_t FullGraph<Width>::bytes() const {
    std::size_t total = 0;
    for (Table const& layer : layers_) {
        total += layer.bytes() + sizeof(Table);
    }
    return total;
}

template class FullGraph<0>;
template class FullGraph<1>;
template class FullGraph<2>;
template class FullGraph<4>;

} // namespace branchwise
