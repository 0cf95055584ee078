#include "branchwise/full_graph.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace branchwise {

namespace {

/// Insert a key, and maybe others do at the same time.
template <std::size_t Width>
std::pair<std::size_t, bool> inserted(StateTable<Width>& table, Word const* key,
                                      Word hash) {
    if constexpr (Width == 1) {
        return table.insert_among_others(key, hash);
    } else {
        return table.insert(key, hash);
    }
}

} // namespace

template <std::size_t Width>
FullGraph<Width>::FullGraph(StateRules const& rules, Crew<Width>& crew)
    : rules_(rules), crew_(crew), workers_(crew.size()) {}

template <std::size_t Width>
void FullGraph<Width>::generate() {
    std::size_t const width = rules_.layout().num_words();
    std::vector<Word> const root(width);
    layers_.emplace_back(width);
    Table& top = layers_.back();
    std::size_t const slot = top.insert(root.data(), top.hash(root.data())).first;
    *top.values(slot) = has_masks() ? rules_.allowed(root) : 0;
    num_states_ = 1;
    while (layers_.back().size() > 0) {
        Table below(width);
        generate_below(layers_.back(), below);
        num_states_ += below.size();
        layers_.push_back(std::move(below));
    }
    for (Worker const& worker : workers_) {
        largest_reward_ = std::max(largest_reward_, worker.largest_reward);
    }
}

template <std::size_t Width>
void FullGraph<Width>::generate_below(Table& layer, Table& below) {
    for (std::size_t thread = 0; thread < crew_.size(); ++thread) {
        crew_.expansion(thread).enter(layers_.size() - 1);
    }
    num_below_ = 0;
    crew_.share(
        layer.num_slots(),
        [&](std::size_t first, std::size_t last, std::size_t thread) {
            expand(layer, first, last, below, thread);
        },
        [&] {
            if (is_out_of_memory_) {
                throw RunStopped(crew_.watch().ending());
            }
            check(crew_.watch(), num_states_ + num_below_, "full graph");
        });
    below.count(num_below_ - below.size());
}

template <std::size_t Width>
void FullGraph<Width>::expand(Table& layer, std::size_t first, std::size_t last,
                              Table& below, std::size_t thread) {
    Expansion<Width>& expansion = crew_.expansion(thread);
    std::size_t slot = first;
    while (slot < last && !is_out_of_memory_) {
        {
            std::shared_lock const lock(growing_);
            for (; slot < last && !expansion.is_full(); ++slot) {
                if (layer.is_taken(slot)) {
                    open(layer, slot, below, thread);
                }
            }
        }
        insert_children(below, thread);
        expansion.clear();
        workers_[thread].allowed.clear();
    }
}

template <std::size_t Width>
void FullGraph<Width>::open(Table& layer, std::size_t slot, Table const& below,
                            std::size_t thread) {
    Worker& worker = workers_[thread];
    Word const* const key = layer.key(slot);
    double const reward = rules_.reward(Key(key, rules_.layout().num_words()));
    worker.largest_reward = std::max(worker.largest_reward, std::abs(reward));
    Word& mask = *layer.values(slot);
    worker.allowed.push_back(mask);
    if (has_masks()) {
        // Until it has a score, a state has its actions in the score's place: first
        // those that are allowed, then those that are considered.
        mask = crew_.expansion(thread).open(slot, key, mask, below);
    } else {
        crew_.expansion(thread).open(slot, key, below);
    }
}

template <std::size_t Width>
void FullGraph<Width>::insert_children(Table& below, std::size_t thread) {
    std::size_t const num_children = crew_.expansion(thread).num_children();
    num_below_ += num_children;
    std::size_t num_new = 0;
    if (make_room(below)) {
        // Keys of one word are inserted at the same time, longer ones in turn.
        std::conditional_t<Width == 1, std::shared_lock<std::shared_mutex>,
                           std::unique_lock<std::shared_mutex>> const lock(growing_);
        num_new = insert_each(below, thread);
    }
    num_below_ -= num_children - num_new;
}

/// Have the table grow until there is room for all that may be new; false if that takes
/// more memory than there is.
template <std::size_t Width>
bool FullGraph<Width>::make_room(Table& below) {
    {
        std::shared_lock const lock(growing_);
        if (num_below_ <= below.room()) {
            return true;
        }
    }
    std::unique_lock const lock(growing_);
    while (num_below_ > below.room() && !is_out_of_memory_) {
        if (crew_.watch().has_room(below.bytes_to_grow())) {
            below.grow();
        } else {
            is_out_of_memory_ = true;
        }
    }
    return !is_out_of_memory_;
}

template <std::size_t Width>
std::size_t FullGraph<Width>::insert_each(Table& below, std::size_t thread) {
    Expansion<Width> const& expansion = crew_.expansion(thread);
    std::size_t num_new = 0;
    for (std::size_t state = 0; state < expansion.num_states(); ++state) {
        Word const allowed = workers_[thread].allowed[state];
        for (auto const& option : expansion.options(state)) {
            std::size_t child = option.first_child;
            for (PossibleOutcome const& chance : option.move->chances) {
                Word const* const key = expansion.child_key(child);
                auto const [slot, is_new] =
                    inserted(below, key, expansion.child_hash(child));
                if (is_new) {
                    ++num_new;
                    Key const whole(key, rules_.layout().num_words());
                    *below.values(slot) =
                        has_masks()
                            ? rules_.allowed_after(allowed, chance.outcome, whole)
                            : 0;
                }
                ++child;
            }
        }
    }
    return num_new;
}

template <std::size_t Width>
void FullGraph<Width>::score() {
    std::size_t const num_actions = rules_.num_actions();
    for (Table const& layer : layers_) {
        optimal_.emplace_back(num_actions);
        optimal_.back().resize(has_masks() ? layer.num_slots() : 0);
    }
    for (std::size_t depth = layers_.size() - 1; depth-- > 0;) {
        score_layer(depth);
    }
}

template <std::size_t Width>
void FullGraph<Width>::score_layer(std::size_t depth) {
    crew_.share(
        layers_[depth].num_slots(),
        [&](std::size_t first, std::size_t last, std::size_t thread) {
            score_range(depth, first, last, thread);
        },
        [&] { check(crew_.watch(), num_states_, "reduced graph"); });
}

template <std::size_t Width>
void FullGraph<Width>::score_range(std::size_t depth, std::size_t first,
                                   std::size_t last, std::size_t thread) {
    Expansion<Width>& expansion = crew_.expansion(thread);
    Table const& layer = layers_[depth];
    Table const& below = layers_[depth + 1];
    for (std::size_t slot = first; slot < last; ++slot) {
        if (!layer.is_taken(slot)) {
            continue;
        }
        if (has_masks()) {
            expansion.reopen(slot, layer.key(slot), *layer.values(slot), below);
        } else {
            expansion.open(slot, layer.key(slot), below);
        }
        if (expansion.is_full()) {
            settle(depth, thread);
        }
    }
    settle(depth, thread);
}

template <std::size_t Width>
void FullGraph<Width>::settle(std::size_t depth, std::size_t thread) {
    Expansion<Width>& expansion = crew_.expansion(thread);
    for (std::size_t state = 0; state < expansion.num_states(); ++state) {
        settle_state(depth, state, thread);
    }
    expansion.clear();
}

template <std::size_t Width>
void FullGraph<Width>::settle_state(std::size_t depth, std::size_t state,
                                    std::size_t thread) {
    Expansion<Width> const& expansion = crew_.expansion(thread);
    Table& layer = layers_[depth];
    std::size_t const slot = expansion.slot(state);
    auto const options = expansion.options(state);
    double best = rules_.reward(Key(layer.key(slot), rules_.layout().num_words()));
    std::vector<double>& scores = workers_[thread].scores;
    scores.clear();
    for (auto const& option : options) {
        scores.push_back(expansion.find_score(option, layers_[depth + 1]));
        best = std::max(best, scores.back());
    }
    *layer.values(slot) = std::bit_cast<Word>(best);
    if (has_masks()) {
        Word mask = 0;
        for (std::size_t i = 0; i < options.size(); ++i) {
            Word const bit = Word{1} << options[i].action;
            mask |= is_optimal(scores[i], best) ? bit : 0;
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
