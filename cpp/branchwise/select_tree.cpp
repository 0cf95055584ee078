#include "branchwise/select_tree.hpp"

#include <algorithm>
#include <bit>

namespace branchwise {

template <std::size_t Width>
TreeSelection<Width>::TreeSelection(ReducedGraph<Width> const& reduced,
                                    Objective objective)
    : reduced_(reduced), graph_(reduced.full()), objective_(objective),
      choices_(reduced.layers().size()) {}

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
    graph_.crew().share(
        graph_.layers()[depth].num_slots(),
        [&](std::size_t first, std::size_t last, std::size_t thread) {
            choose_range(depth, first, last, thread);
        },
        [&] { check(graph_.crew().watch(), num_states_, "tree"); });
    num_states_ += wanted.size();
}

template <std::size_t Width>
void TreeSelection<Width>::choose_range(std::size_t depth, std::size_t first,
                                        std::size_t last, std::size_t thread) {
    Expansion<Width>& expansion = graph_.crew().expansion(thread);
    Table const& table = graph_.layers()[depth];
    Table const& below = graph_.layers()[depth + 1];
    reduced_.layers()[depth].for_each(first, last, [&](std::size_t slot) {
        if (graph_.has_masks()) {
            expansion.reopen(slot, table.key(slot), graph_.optimal(depth)[slot], below);
        } else {
            expansion.open(slot, table.key(slot), below);
        }
        if (expansion.is_full()) {
            settle(depth, thread);
        }
    });
    settle(depth, thread);
}

template <std::size_t Width>
void TreeSelection<Width>::settle(std::size_t depth, std::size_t thread) {
    Expansion<Width>& expansion = graph_.crew().expansion(thread);
    SlotSet const& wanted = reduced_.layers()[depth];
    expansion.resolve(graph_.layers()[depth + 1]);
    with_objective(objective_, [&](auto measure) {
        for (std::size_t state = 0; state < expansion.num_states(); ++state) {
            std::size_t const number = wanted.number(expansion.slot(state));
            here_[number] = settle_state<decltype(measure)>(depth, state, expansion,
                                                            choices_[depth][number]);
        }
    });
    expansion.clear();
}

template <std::size_t Width>
template <typename Measure>
Preference TreeSelection<Width>::settle_state(std::size_t depth, std::size_t state,
                                              Expansion<Width> const& expansion,
                                              Choice& choice) const {
    Table const& table = graph_.layers()[depth];
    Table const& below = graph_.layers()[depth + 1];
    std::size_t const slot = expansion.slot(state);
    double const best = table.real(slot);
    Key const key(table.key(slot), graph_.rules().layout().num_words());
    if (graph_.is_optimal(graph_.rules().reward(key), best)) {
        return Preference(Measure::stop()); // stopping beats acting
    }
    typename Measure::Value least{};
    for (auto const& option : expansion.options(state)) {
        if (!graph_.has_masks() &&
            !graph_.is_optimal(expansion.score(option, below), best)) {
            continue;
        }
        auto const found = measured<Measure>(depth, option, expansion);
        if (choice == no_choice || Measure::is_less(found, least)) {
            choice = option.action;
            least = found;
        }
    }
    return Preference(least);
}

/// f where an action is taken, from those of its children.
template <std::size_t Width>
template <typename Measure>
typename Measure::Value
TreeSelection<Width>::measured(std::size_t depth,
                               typename Expansion<Width>::Option const& option,
                               Expansion<Width> const& expansion) const {
    SlotSet const& wanted = reduced_.layers()[depth + 1];
    return Measure::act(option.move->cost, [&](auto take) {
        std::size_t child = option.first_child;
        for (PossibleOutcome const& chance : option.move->chances) {
            std::size_t const number = wanted.number(expansion.child_slot(child));
            take(chance.probability,
                 below_[number].template as<typename Measure::Value>());
            ++child;
        }
    });
}

template <std::size_t Width>
std::vector<typename TreeSelection<Width>::PolicyTable> TreeSelection<Width>::policy() {
    std::size_t const width = graph_.rules().layout().num_words();
    std::vector<Word> const root(width);
    std::vector<PolicyTable> layers;
    layers.emplace_back(width);
    layers.back().insert(root.data(), layers.back().hash(root.data()));
    for (std::size_t depth = 0; layers.back().size() > 0; ++depth) {
        PolicyTable below(width);
        follow_layer(depth, layers.back(), below);
        layers.push_back(std::move(below));
    }
    return layers;
}

template <std::size_t Width>
void TreeSelection<Width>::follow_layer(std::size_t depth, PolicyTable& layer,
                                        PolicyTable& below) {
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
        Expansion<Width>& expansion = graph_.crew().expansion(0);
        expansion.clear();
        expansion.take(slot, layer.key(slot), choice, graph_.layers()[depth + 1]);
        for (std::size_t i = 0; i < expansion.num_children(); ++i) {
            below.insert(expansion.child_key(i), expansion.child_hash(i));
        }
        expansion.clear();
    }
    check(graph_.crew().watch(), num_states_, "tree");
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
