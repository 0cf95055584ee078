#include "branchwise/select_tree.hpp"

#include <algorithm>
#include <bit>

namespace branchwise {

template <std::size_t Width>
TreeSelection<Width>::TreeSelection(ReducedGraph<Width> const& reduced,
                                    Objective objective)
    : reduced_(reduced), graph_(reduced.full()), objective_(objective),
      expansion_(graph_.rules(), graph_.filter()), choices_(reduced.layers().size()) {}

template <std::size_t Width>
void TreeSelection<Width>::choose() {
    for (std::size_t depth = choices_.size() - 1; depth-- > 0;) {
        choose_layer(depth);
        most_bytes_ = std::max(most_bytes_, (here_.capacity() + below_.capacity()) *
                                                sizeof(Preference));
        std::swap(here_, below_);
    }
}

template <std::size_t Width>
void TreeSelection<Width>::choose_layer(std::size_t depth) {
    SlotSet const& wanted = reduced_.layers()[depth];
    here_.assign(wanted.size(), {});
    choices_[depth].assign(wanted.size(), no_choice);
    expansion_.clear();
    Table const& table = graph_.layers()[depth];
    Table const& below = graph_.layers()[depth + 1];
    wanted.for_each([&](std::size_t slot) {
        if (expansion_.has_masks()) {
            expansion_.reopen(slot, table.key(slot), graph_.optimal(depth)[slot],
                              below);
        } else {
            expansion_.open(slot, table.key(slot), below);
        }
        if (expansion_.is_full()) {
            settle(depth);
        }
    });
    settle(depth);
}

template <std::size_t Width>
void TreeSelection<Width>::settle(std::size_t depth) {
    SlotSet const& wanted = reduced_.layers()[depth];
    expansion_.resolve(graph_.layers()[depth + 1]);
    for (std::size_t state = 0; state < expansion_.num_states(); ++state) {
        std::size_t const number = wanted.number(expansion_.slot(state));
        here_[number] = settle_state(depth, state, choices_[depth][number]);
    }
    num_states_ += expansion_.num_states();
    expansion_.clear();
    check(graph_.watch(), num_states_, "tree");
}

template <std::size_t Width>
Preference TreeSelection<Width>::settle_state(std::size_t depth, std::size_t state,
                                              Choice& choice) {
    Table const& table = graph_.layers()[depth];
    Table const& below = graph_.layers()[depth + 1];
    std::size_t const slot = expansion_.slot(state);
    double const best = table.real(slot);
    Key const key(table.key(slot), graph_.rules().layout().num_words());
    if (graph_.is_optimal(graph_.rules().reward(key), best)) {
        return preference_at_leaf(objective_); // stopping beats acting
    }
    Preference least;
    for (auto const& option : expansion_.options(state)) {
        if (!expansion_.has_masks() &&
            !graph_.is_optimal(expansion_.score(option, below), best)) {
            continue;
        }
        children_.clear();
        for (std::size_t i = 0; i < option.move->chances.size(); ++i) {
            std::size_t const child = expansion_.child_slot(option.first_child + i);
            children_.push_back(below_[reduced_.layers()[depth + 1].number(child)]);
        }
        Preference const found = preference(objective_, *option.move, children_);
        if (choice == no_choice || is_less(objective_, found, least)) {
            choice = option.action;
            least = found;
        }
    }
    return least;
}

template <std::size_t Width>
std::vector<StateTable<Width>> TreeSelection<Width>::policy() {
    std::size_t const width = graph_.rules().layout().num_words();
    std::vector<Word> const root(width);
    std::vector<Table> layers;
    layers.emplace_back(width, 2);
    layers.back().insert(root.data(), layers.back().hash(root.data()));
    for (std::size_t depth = 0; layers.back().size() > 0; ++depth) {
        Table below(width, 2);
        follow_layer(depth, layers.back(), below);
        layers.push_back(std::move(below));
    }
    return layers;
}

template <std::size_t Width>
void TreeSelection<Width>::follow_layer(std::size_t depth, Table& layer, Table& below) {
    Table const& table = graph_.layers()[depth];
    for (std::size_t slot = 0; slot < layer.num_slots(); ++slot) {
        if (!layer.is_taken(slot)) {
            continue;
        }
        std::size_t const there =
            table.find(layer.key(slot), table.hash(layer.key(slot)));
        Choice const choice = choices_[depth][reduced_.layers()[depth].number(there)];
        layer.values(slot)[0] = table.values(there)[0];
        layer.values(slot)[1] = choice == no_choice ? stop : Word{choice};
        if (choice == no_choice) {
            continue;
        }
        expansion_.clear();
        expansion_.take(slot, layer.key(slot), choice, below);
        for (std::size_t i = 0; i < expansion_.num_children(); ++i) {
            below.insert(expansion_.child_key(i), expansion_.child_hash(i));
        }
        check(graph_.watch(), num_states_, "tree");
    }
}

template <std::size_t Width>
std::size_t TreeSelection<Width>::bytes() const {
    std::size_t total = most_bytes_;
    for (auto const& layer : choices_) {
        total += layer.capacity() * sizeof(Choice);
    }
    return total;
}

template class TreeSelection<0>;
template class TreeSelection<1>;
template class TreeSelection<2>;
template class TreeSelection<4>;

} // namespace branchwise
