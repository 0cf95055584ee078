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
    Table& top = layers_.back();
    std::size_t const slot = top.insert(root.data(), top.hash(root.data())).first;
    *top.values(slot) = expansion_.has_masks() ? rules_.allowed(root) : 0;
    num_states_ = 1;
    while (layers_.back().size() > 0) {
        Table below(width, 1);
        expansion_.enter(layers_.size() - 1);
        generate_below(layers_.back(), below);
        layers_.push_back(std::move(below));
    }
}

template <std::size_t Width>
void FullGraph<Width>::generate_below(Table& layer, Table& below) {
    for (std::size_t slot = 0; slot < layer.num_slots(); ++slot) {
        if (!layer.is_taken(slot)) {
            continue;
        }
        Word const* const key = layer.key(slot);
        double const reward = rules_.reward(Key(key, rules_.layout().num_words()));
        largest_reward_ = std::max(largest_reward_, std::abs(reward));
        if (expansion_.has_masks()) {
            // Until it has a score, a state has its actions in the score's place: first
            // those that are allowed, then those that are considered.
            Word& mask = *layer.values(slot);
            allowed_.push_back(mask);
            mask = expansion_.open(slot, key, mask, below);
        } else {
            allowed_.push_back(0);
            expansion_.open(slot, key, below);
        }
        if (expansion_.is_full()) {
            insert_children(below);
        }
    }
    insert_children(below);
}

template <std::size_t Width>
void FullGraph<Width>::insert_children(Table& below) {
    for (std::size_t state = 0; state < expansion_.num_states(); ++state) {
        for (auto const& option : expansion_.options(state)) {
            std::size_t child = option.first_child;
            for (PossibleOutcome const& chance : option.move->chances) {
                insert(child++, chance.outcome, allowed_[state], below);
            }
        }
    }
    expansion_.clear();
    allowed_.clear();
    check(watch_, num_states_, "full graph");
}

template <std::size_t Width>
void FullGraph<Width>::insert(std::size_t child, OutcomeId outcome, Word allowed,
                              Table& below) {
    if (below.is_full() && !watch_.has_room(below.bytes_to_grow())) {
        throw RunStopped(watch_.ending());
    }
    Word const* const key = expansion_.child_key(child);
    auto const [slot, is_new] = below.insert(key, expansion_.child_hash(child));
    if (is_new) {
        ++num_states_;
        if (expansion_.has_masks()) {
            Key const whole(key, rules_.layout().num_words());
            *below.values(slot) = rules_.allowed_after(allowed, outcome, whole);
        }
    }
}

template <std::size_t Width>
void FullGraph<Width>::score() {
    std::size_t const num_actions = rules_.num_actions();
    for (Table const& layer : layers_) {
        optimal_.emplace_back(num_actions);
        optimal_.back().resize(expansion_.has_masks() ? layer.num_slots() : 0);
    }
    for (std::size_t depth = layers_.size() - 1; depth-- > 0;) {
        score_layer(depth);
    }
}

template <std::size_t Width>
void FullGraph<Width>::score_layer(std::size_t depth) {
    Table const& layer = layers_[depth];
    Table const& below = layers_[depth + 1];
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
            settle(depth);
        }
    }
    settle(depth);
}

template <std::size_t Width>
void FullGraph<Width>::settle(std::size_t depth) {
    for (std::size_t state = 0; state < expansion_.num_states(); ++state) {
        settle_state(depth, state);
    }
    expansion_.clear();
    check(watch_, num_states_, "reduced graph");
}

template <std::size_t Width>
void FullGraph<Width>::settle_state(std::size_t depth, std::size_t state) {
    Table& layer = layers_[depth];
    std::size_t const slot = expansion_.slot(state);
    auto const options = expansion_.options(state);
    double best = rules_.reward(Key(layer.key(slot), rules_.layout().num_words()));
    scores_.clear();
    for (auto const& option : options) {
        scores_.push_back(expansion_.find_score(option, layers_[depth + 1]));
        best = std::max(best, scores_.back());
    }
    *layer.values(slot) = std::bit_cast<Word>(best);
    if (expansion_.has_masks()) {
        Word mask = 0;
        for (std::size_t i = 0; i < options.size(); ++i) {
            Word const bit = Word{1} << options[i].action;
            mask |= is_optimal(scores_[i], best) ? bit : 0;
        }
        optimal_[depth].set(slot, mask);
    }
}

template <std::size_t Width>
std::size_t FullGraph<Width>::bytes() const {
    std::size_t total = 0;
    for (Table const& layer : layers_) {
        total += layer.bytes() + sizeof(Table);
    }
    for (ActionMasks const& masks : optimal_) {
        total += masks.bytes();
    }
    return total;
}

template class FullGraph<0>;
template class FullGraph<1>;
template class FullGraph<2>;
template class FullGraph<4>;

} // namespace branchwise
