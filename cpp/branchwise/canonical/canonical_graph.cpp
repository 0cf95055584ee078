#include "branchwise/canonical/canonical_graph.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <new>
#include <utility>

#include "branchwise/support/key_hash.hpp"

namespace branchwise {

namespace {

constexpr std::size_t first_slots = 1024;

} // namespace

CanonicalGraph::CanonicalGraph(ResidualLayout const& layout)
    : CanonicalStates(layout.instance()), layout_(layout) {
    slots_.fill_up(first_slots, 0);
    (void)gain_of({}); // The first gain is nothing.
}

CanonicalStates::CanonicalStates(Instance const& instance) : instance_(&instance) {
    auto variants = std::make_shared<Variants>();
    for (std::size_t a = 0; a < instance.actions.size(); ++a) {
        auto const action = static_cast<std::uint32_t>(a);
        variants->first.push_back(static_cast<std::uint32_t>(variants->of.size()));
        std::uint32_t number = 0;
        for (Variant const& variant : instance.actions[a].variants) {
            std::uint32_t count = 0;
            for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
                count += variant.can_happen(i) ? 1U : 0U;
            }
            variants->of.push_back({action, number++});
            variants->num_children.push_back(count);
        }
    }
    variants_ = std::move(variants);
}

std::size_t CanonicalGraph::first_slot(Word const* key) const {
    return key_hash(key, layout_.key_words()) & (slots_.size() - 1);
}

// Slots hold the number of a state plus one, so that 0 is an empty slot.
std::size_t CanonicalGraph::slot_of(Word const* key, std::size_t slot) const {
    std::size_t const num_words = layout_.key_words();
    std::size_t const mask = slots_.size() - 1;
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

std::size_t CanonicalGraph::bytes_to_keep(Successors::Part const& part) const {
    return must_grow(part.num_children) ? slots_.bytes() : 0;
}

// Changes nothing in the graph, so that threads may expand states side by side; `keep`
// then enters the children in a fixed order, and states get the same numbers with any
// number of threads.
void CanonicalGraph::expand(std::span<StateId const> states, Residual& residual,
                            Successors& successors) const {
    successors.parts.clear();
    successors.actions.clear();
    successors.steps.clear();
    for (StateId const state : states) {
        Successors::Part& part = successors.parts.emplace_back();
        part.first_action = successors.actions.size();
        part.first_child = successors.steps.size();
        residual.load(key(state));
        residual.available(successors.actions);
        part.num_actions = successors.actions.size() - part.first_action;
        for (std::size_t i = part.first_action; i < successors.actions.size(); ++i) {
            AvailableAction const action = successors.actions[i];
            InstanceAction const& lowered = instance().actions[action.action];
            Variant const& variant = lowered.variants[action.variant];
            for (std::uint32_t outcome = 0; outcome < lowered.num_outcomes; ++outcome) {
                if (variant.can_happen(outcome)) {
                    successors.steps.push_back(
                        {key(state), action.action, action.variant, outcome});
                }
            }
        }
        part.num_children = successors.steps.size() - part.first_child;
        if (successors.aside != nullptr) {
            successors.steps.push_back(
                {key(state), LaneAction::none, 0, 0, successors.aside});
        }
    }
    take_steps(residual.lanes(), successors);
}

// As many at once as there are lanes, whichever states they come from.
void CanonicalGraph::take_steps(ResidualLanes& lanes, Successors& successors) const {
    std::size_t const count = successors.steps.size();
    successors.keys.resize(count * layout_.key_words());
    successors.known.resize(count);
    successors.gained.clear();
    successors.first_gained.clear();
    std::array<std::vector<std::uint32_t>, num_lanes> gained;
    for (std::size_t first = 0; first < count; first += num_lanes) {
        std::size_t const last = std::min(first + num_lanes, count);
        lanes.take(std::span(successors.steps).subspan(first, last - first),
                   &successors.keys[first * layout_.key_words()]);
        find_known(first, last, successors);
        if (!instance().is_sum) {
            continue;
        }
        lanes.for_each_gained([&](std::uint32_t reward, Word which) {
            for_each_bit(which,
                         [&](std::size_t lane) { gained[lane].push_back(reward); });
        });
        for (std::size_t lane = 0; lane < last - first; ++lane) {
            successors.first_gained.push_back(
                static_cast<std::uint32_t>(successors.gained.size()));
            successors.gained.insert(successors.gained.end(), gained[lane].begin(),
                                     gained[lane].end());
            gained[lane].clear();
        }
    }
    successors.first_gained.push_back(
        static_cast<std::uint32_t>(successors.gained.size()));
}

// Most children have been met before. All slots are fetched from memory before the
// first is looked at, and then all keys.
void CanonicalGraph::find_known(std::size_t first, std::size_t last,
                                Successors& successors) const {
    std::size_t const num_words = layout_.key_words();
    std::array<std::size_t, num_lanes> slots{};
    for (std::size_t i = first; i < last; ++i) {
        slots[i - first] = first_slot(&successors.keys[i * num_words]);
        __builtin_prefetch(&slots_[slots[i - first]]);
    }
    for (std::size_t i = first; i < last; ++i) {
        if (std::uint32_t const found = slots_[slots[i - first]]; found != 0) {
            __builtin_prefetch(&keys_[(found - 1) * num_words]);
        }
    }
    for (std::size_t i = first; i < last; ++i) {
        std::uint32_t const found =
            slots_[slot_of(&successors.keys[i * num_words], slots[i - first])];
        successors.known[i] = found == 0 ? no_state : static_cast<StateId>(found - 1);
    }
}

void CanonicalGraph::keep(StateId state, Successors const& successors,
                          Successors::Part const& part, Residual& residual) {
    std::size_t const num_words = layout_.key_words();
    std::size_t const end = part.first_child + part.num_children;
    bool const is_sum = layout_.instance().is_sum;
    make_room(part.num_children);
    options_.make_room(part.num_actions);
    edges_.make_room(part.num_children + 1); // One more: a snapshot needs no memory.
    std::vector<std::uint32_t> gains;
    if (is_sum) {
        edge_gains_.make_room(part.num_children + 1);
        std::span const gained(successors.gained);
        for (std::size_t i = part.first_child; i < end; ++i) {
            std::size_t const first = successors.first_gained[i];
            gains.push_back(
                gain_of(gained.subspan(first, successors.first_gained[i + 1] - first)));
        }
    }
    ++num_expanded_;
    set_first_edge(state, edges_.size());
    first_options_[index_of(state)] = options_.size();
    num_options_[index_of(state)] = static_cast<std::uint32_t>(part.num_actions);
    for (std::size_t i = 0; i < part.num_actions; ++i) {
        AvailableAction const action = successors.actions[part.first_action + i];
        options_.push_back(variants_->first[action.action] + action.variant);
    }
    for (std::size_t i = part.first_child; i < end; ++i) {
        StateId const known = successors.known[i];
        edges_.push_back(known != no_state
                             ? known
                             : enter(&successors.keys[i * num_words], residual));
    }
    edge_gains_.append(gains);
}

// Few different combinations of rewards become certain at once, so an edge has the
// number of one and not the rewards themselves.
std::uint32_t CanonicalGraph::gain_of(std::span<std::uint32_t const> rewards) {
    if (rewards.empty() && gains_.size() > 0) {
        return 0;
    }
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
    return keys_.bytes() + rewards_.bytes() + first_edges_.bytes() +
           first_options_.bytes() + num_options_.bytes() + options_.bytes() +
           edges_.bytes() + edge_gains_.bytes() + slots_.bytes();
}

} // namespace branchwise
