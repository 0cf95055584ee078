#include "branchwise/canonical/canonical_graph.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <utility>

#include "branchwise/support/key_hash.hpp"

namespace branchwise {

namespace {

constexpr std::size_t first_slots = 1024;

void note_gained(Residual const& residual, std::vector<std::uint32_t>& gained) {
    auto const more = residual.gained();
    gained.insert(gained.end(), more.begin(), more.end());
}

} // namespace

CanonicalGraph::CanonicalGraph(ResidualLayout const& layout)
    : CanonicalStates(layout.instance()), layout_(layout) {
    slots_.fill_up(first_slots, 0);
    (void)gain_of({}); // The first gain is nothing.
}

std::size_t CanonicalStates::num_possible(Variant const& variant) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
        count += variant.can_happen(i) ? 1U : 0U;
    }
    return count;
}

// Slots hold the number of a state plus one, so that 0 is an empty slot.
std::size_t CanonicalGraph::slot_of(Word const* key) const {
    std::size_t const num_words = layout_.key_words();
    std::size_t const mask = slots_.size() - 1;
    std::size_t slot = key_hash(key, num_words) & mask;
    while (slots_[slot] != 0) {
        Word const* const other = &keys_[(slots_[slot] - 1) * num_words];
        if (is_same_key(key, other, num_words)) {
            break;
        }
        slot = (slot + 1) & mask;
    }
    return slot;
}

StateId CanonicalGraph::enter(Word const* key, Residual& residual) {
    std::size_t slot = slot_of(key);
    if (slots_[slot] != 0) {
        return static_cast<StateId>(slots_[slot] - 1);
    }
    bool const moves = must_grow(1);
    make_room(1);
    slot = moves ? slot_of(key) : slot;
    residual.load(key);
    auto const state = static_cast<StateId>(size());
    slots_[slot] = static_cast<std::uint32_t>(size() + 1);
    keys_.append({key, layout_.key_words()});
    rewards_.push_back(residual.reward());
    ranks_.push_back(residual.rank());
    first_edges_.push_back(not_expanded);
    first_options_.push_back(0);
    num_options_.push_back(0);
    return state;
}

// Whatever has no room throws before anything has changed.
void CanonicalGraph::make_room(std::size_t num_states) {
    if (size() + num_states > index_of(no_state)) {
        throw std::bad_alloc(); // More than 32 bits can number.
    }
    while (must_grow(num_states)) {
        grow();
    }
    keys_.make_room(num_states * layout_.key_words());
    rewards_.make_room(num_states);
    ranks_.make_room(num_states);
    first_edges_.make_room(num_states);
    first_options_.make_room(num_states);
    num_options_.make_room(num_states);
}

void CanonicalGraph::grow() {
    slots_.fill_up(2 * slots_.size(), 0);
    std::fill(slots_.begin(), slots_.end(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
        slots_[slot_of(key(static_cast<StateId>(i)))] =
            static_cast<std::uint32_t>(i + 1);
    }
}

std::size_t CanonicalGraph::bytes_to_keep(Successors const& successors) const {
    return must_grow(num_children(successors)) ? slots_.bytes() : 0;
}

// Changes nothing in the graph, so that threads may expand states side by side; `keep`
// then enters the children in a fixed order, and states get the same numbers with any
// number of threads.
void CanonicalGraph::expand(StateId state, Residual& residual,
                            Successors& successors) const {
    std::size_t const num_words = layout_.key_words();
    successors.keys.clear();
    successors.gained.clear();
    residual.load(key(state));
    residual.available(successors.actions);
    for (AvailableAction const action : successors.actions) {
        InstanceAction const& lowered = layout_.instance().actions[action.action];
        Variant const& variant = lowered.variants[action.variant];
        for (std::uint32_t outcome = 0; outcome < lowered.num_outcomes; ++outcome) {
            if (variant.can_happen(outcome)) {
                std::size_t const end = successors.keys.size();
                successors.keys.resize(end + num_words);
                residual.load(key(state));
                residual.take(action, outcome, &successors.keys[end]);
                note_gained(residual, successors.gained.emplace_back());
            }
        }
    }
    // All are fetched from memory before the first is looked at.
    for (std::size_t i = 0; i < successors.gained.size(); ++i) {
        residual.simplify(&successors.keys[i * num_words]);
        note_gained(residual, successors.gained[i]);
    }
}

void CanonicalGraph::keep(StateId state, Successors const& successors,
                          Residual& residual) {
    std::size_t const num_words = layout_.key_words();
    std::size_t const count = num_children(successors);
    bool const is_sum = layout_.instance().is_sum;
    make_room(count);
    options_.make_room(successors.actions.size());
    edges_.make_room(count + 1); // One more, so that a snapshot needs no memory.
    std::vector<std::uint32_t> gains;
    if (is_sum) {
        edge_gains_.make_room(count + 1);
        for (std::size_t i = 0; i < count; ++i) {
            gains.push_back(gain_of(successors.gained[i]));
        }
    }
    ++num_expanded_;
    set_first_edge(state, edges_.size());
    first_options_[index_of(state)] = options_.size();
    num_options_[index_of(state)] =
        static_cast<std::uint32_t>(successors.actions.size());
    options_.append(successors.actions);
    for (std::size_t i = 0; i < count; ++i) {
        edges_.push_back(enter(&successors.keys[i * num_words], residual));
    }
    edge_gains_.append(gains);
}

// Few different combinations of rewards become certain at once, so an edge has the
// number of one and not the rewards themselves.
std::uint32_t CanonicalGraph::gain_of(std::span<std::uint32_t const> rewards) {
    std::vector<std::uint32_t> spelling(rewards.begin(), rewards.end());
    std::sort(spelling.begin(), spelling.end());
    auto const known = gain_numbers_.find(spelling);
    if (known != gain_numbers_.end()) {
        return known->second;
    }
    auto const next = static_cast<std::uint32_t>(gains_.size());
    gains_.make_room(1);
    gain_values_.make_room(1);
    auto const place = gain_numbers_.emplace(std::move(spelling), next).first;
    gain_values_.push_back(worth(place->first));
    gains_.push_back(&place->first);
    return next;
}

double CanonicalGraph::worth(std::span<std::uint32_t const> rewards) const {
    double total = 0;
    for (std::uint32_t const reward : rewards) {
        total += layout_.instance().rewards[reward].value;
    }
    return total;
}

// States and edges depend on the order of rewards, not on their values. Arrays may be
// shared with snapshots of earlier plans, which must keep the values they had.
void CanonicalGraph::value_again() {
    Residual residual(layout_);
    rewards_.make_own();
    gain_values_.make_own();
    for (std::size_t i = 0; i < size(); ++i) {
        residual.load(key(static_cast<StateId>(i)));
        rewards_[i] = residual.reward();
    }
    for (std::size_t i = 0; i < gains_.size(); ++i) {
        gain_values_[i] = worth(*gains_[i]);
    }
}

// An edge to nowhere, so that what is expanded from now on begins beyond the copy.
CanonicalStates CanonicalGraph::snapshot() {
    // Once memory is shared, growing would copy all of it.
    edges_.make_room(1);
    edge_gains_.make_room(instance().is_sum ? 1 : 0);
    CanonicalStates result = *this;
    edges_.push_back(no_state);
    if (instance().is_sum) {
        edge_gains_.push_back(0);
    }
    return result;
}

std::size_t CanonicalGraph::bytes() const {
    return keys_.bytes() + rewards_.bytes() + ranks_.bytes() + first_edges_.bytes() +
           first_options_.bytes() + num_options_.bytes() + options_.bytes() +
           edges_.bytes() + edge_gains_.bytes() + slots_.bytes();
}

} // namespace branchwise
