#include "branchwise/canonical/canonical_graph.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <utility>

#include "branchwise/support/key_hash.hpp"

namespace branchwise {

namespace {

constexpr std::size_t first_slots = 1024;

} // namespace

CanonicalGraph::CanonicalGraph(ResidualLayout const& layout, LargeSizes large)
    : CanonicalStates(layout.instance()), layout_(layout), large_(large),
      keys_(layout.key_words(), large.keys, large.packing) {
    slots_.fill_up(first_slots, 0);
    state_mask_ = first_slots - 1;
    level_values_.append(layout.levels());
    (void)gain_of({}); // The first gain is nothing.
}

CanonicalGraph::LargeSizes CanonicalGraph::LargeSizes::none() {
    return {.keys = 0, .index = 0, .packing = Packing::always};
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
            bool const is_fixed = variant.likelihoods.empty();
            variants->of.push_back({action, number++});
            variants->num_children.push_back(is_fixed ? count : Variants::by_knowledge);
        }
    }
    variants->width = bytes_for(static_cast<std::uint32_t>(variants->of.size()) << 1U);
    variants->has_hidden = instance.has_hidden();
    variants->finish_bits = instance.must_finish() ? 1 : 0;
    variants_ = std::move(variants);
}

// What follows finds states by their keys.

std::uint64_t CanonicalGraph::hash_of(Word const* key) const {
    return key_hash(key, layout_.key_words());
}

std::size_t CanonicalGraph::tagged_slot(std::uint32_t tag, std::size_t slot) const {
    std::size_t const mask = slots_.size() - 1;
    while (slots_[slot & mask] != 0 && (slots_[slot & mask] & ~state_mask_) != tag) {
        ++slot;
    }
    return slot & mask;
}

std::size_t CanonicalGraph::slot_of(Word const* key, std::uint64_t hash,
                                    std::size_t slot) const {
    slot = tagged_slot(tag_of(hash), slot);
    while (slots_[slot] != 0 && !keys_.is_same(key, number_in(slot) - 1)) {
        slot = tagged_slot(tag_of(hash), slot + 1);
    }
    return slot;
}

StateId CanonicalGraph::enter(Word const* key, Residual& residual) {
    return enter(key, reward_number(key, residual));
}

StateId CanonicalGraph::enter(Word const* key, std::uint32_t reward_number) {
    make_room(1);
    std::uint64_t const hash = hash_of(key);
    std::size_t const slot = slot_of(key, hash, hash & (slots_.size() - 1));
    if (slots_[slot] != 0) {
        return static_cast<StateId>(number_in(slot) - 1);
    }
    auto const state = static_cast<StateId>(size());
    slots_[slot] = static_cast<std::uint32_t>(size() + 1) | tag_of(hash);
    keys_.add(key);
    reward_numbers_.push_back(reward_number);
    places_.add();
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
    keys_.make_room(num_states);
    reward_numbers_.make_room(num_states, largest_reward_number());
    places_.make_room(num_states);
}

void CanonicalGraph::grow() {
    index_states(2 * slots_.size());
}

void CanonicalGraph::restore_index() {
    if (slots_.size() == 0) {
        index_states(std::size_t{state_mask_} + 1);
    }
}

void CanonicalGraph::index_states(std::size_t num_slots) {
    slots_.fill_up(num_slots, 0);
    std::fill(slots_.begin(), slots_.end(), 0);
    state_mask_ = static_cast<std::uint32_t>(num_slots - 1);
    KeyBuffer buffer;
    for (std::size_t i = 0; i < size(); ++i) {
        std::uint64_t const hash = hash_of(key(static_cast<StateId>(i), buffer));
        std::size_t slot = hash & (slots_.size() - 1);
        while (slots_[slot] != 0) {
            slot = (slot + 1) & (slots_.size() - 1);
        }
        slots_[slot] = static_cast<std::uint32_t>(i + 1) | tag_of(hash);
    }
}

std::size_t CanonicalGraph::bytes_to_keep(Successors::Part const& part) const {
    return must_grow(part.num_children) ? slots_.bytes() : 0;
}

// What follows finds where states lead.

// Changes nothing in the graph, so that threads may derive states side by side; `keep`
// then enters the children in a fixed order, and states get the same numbers with any
// number of threads.
void CanonicalGraph::derive(std::span<StateId const> states, Residual& residual,
                            Successors& successors) const {
    successors.parts.clear();
    successors.actions.clear();
    successors.steps.clear();
    successors.num_children.clear();
    successors.chances.clear();
    successors.own_keys.resize(states.size() * layout_.key_words());
    Word* next_key = successors.own_keys.data();
    bool const has_hidden = instance().has_hidden();
    for (StateId const state : states) {
        Word const* own = next_key;
        if (keys_.is_packed()) {
            keys_.unpack(index_of(state), next_key);
            next_key += layout_.key_words();
        } else {
            own = key(state);
        }
        Successors::Part& part = successors.parts.emplace_back();
        part.first_action = successors.actions.size();
        part.first_child = successors.steps.size();
        residual.load(own);
        residual.available(successors.actions);
        part.num_actions = successors.actions.size() - part.first_action;
        for (std::size_t i = part.first_action; i < successors.actions.size(); ++i) {
            AvailableAction const action = successors.actions[i];
            InstanceAction const& lowered = instance().actions[action.action];
            Variant const& variant = lowered.variants[action.variant];
            std::size_t const first = successors.steps.size();
            for (std::uint32_t outcome = 0; outcome < lowered.num_outcomes; ++outcome) {
                double const chance =
                    has_hidden ? residual.probability(action, outcome) : 1;
                if (variant.can_happen(outcome) && chance > 0) {
                    successors.steps.push_back(
                        {own, action.action, action.variant, outcome});
                    if (has_hidden) {
                        successors.chances.push_back(chance);
                    }
                }
            }
            if (has_hidden) {
                successors.num_children.push_back(
                    static_cast<std::uint32_t>(successors.steps.size() - first));
            }
        }
        part.num_children = successors.steps.size() - part.first_child;
        if (successors.aside != nullptr) {
            successors.steps.push_back({own, LaneAction::none, 0, 0, successors.aside});
        }
    }
    take_steps(residual.lanes(), successors);
}

// As many at once as there are lanes, whichever states they come from.
void CanonicalGraph::take_steps(ResidualLanes& lanes, Successors& successors) const {
    std::size_t const count = successors.steps.size();
    successors.keys.resize(count * layout_.key_words());
    successors.gained.clear();
    successors.first_gained.clear();
    std::array<std::vector<std::uint32_t>, num_lanes> gained;
    for (std::size_t first = 0; first < count; first += num_lanes) {
        std::size_t const last = std::min(first + num_lanes, count);
        lanes.take(std::span(successors.steps).subspan(first, last - first),
                   &successors.keys[first * layout_.key_words()]);
        if (!instance().is_sum) {
            continue;
        }
        lanes.for_each_gained([&](std::uint32_t reward, Word which) {
            for_each_bit(which,
                         [&](std::size_t lane) { gained[lane].push_back(reward); });
        });
        for (std::size_t lane = 0; lane < last - first; ++lane) {
            if (instance().pays_on_the_way()) {
                add_payments(successors.steps[first + lane], gained[lane]);
            }
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

void CanonicalGraph::add_payments(LaneStep const& step,
                                  std::vector<std::uint32_t>& gained) const {
    if (step.action == LaneAction::none) {
        return;
    }
    auto const& payments = instance().actions[step.action].payments;
    if (!payments.empty()) {
        auto const& more = payments[step.outcome];
        gained.insert(gained.end(), more.begin(), more.end());
    }
}

void CanonicalGraph::look_up(Successors& successors, Residual& residual) const {
    std::size_t const num_words = layout_.key_words();
    std::size_t const count = successors.steps.size();
    successors.known.resize(count);
    for (std::size_t first = 0; first < count; first += num_lanes) {
        std::size_t const last = std::min(first + num_lanes, count);
        find_known(&successors.keys[first * num_words],
                   std::span(successors.known).subspan(first, last - first));
    }
    successors.num_unknown = static_cast<std::size_t>(
        std::count(successors.known.begin(), successors.known.end(), no_state));
    successors.levels.clear();
    if (!goes_by_levels()) {
        return;
    }
    successors.levels.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (successors.known[i] == no_state) {
            successors.levels[i] = residual.level_at(&successors.keys[i * num_words]);
        }
    }
}

// Most children have been met before. All slots are fetched from memory before the
// first is looked at, and then all keys.
void CanonicalGraph::find_known(Word const* keys, std::span<StateId> known) const {
    std::size_t const num_words = layout_.key_words();
    std::array<std::uint64_t, num_lanes> hashes{};
    std::array<std::size_t, num_lanes> slots{};
    for (std::size_t i = 0; i < known.size(); ++i) {
        hashes[i] = hash_of(keys + i * num_words);
        slots[i] = hashes[i] & (slots_.size() - 1);
        __builtin_prefetch(&slots_[slots[i]]);
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
        slots[i] = tagged_slot(tag_of(hashes[i]), slots[i]);
        if (std::uint32_t const found = number_in(slots[i]); found != 0) {
            keys_.fetch(found - 1);
        }
    }
    for (std::size_t i = 0; keys_.is_packed() && i < known.size(); ++i) {
        if (std::uint32_t const found = number_in(slots[i]); found != 0) {
            keys_.fetch_words(found - 1);
        }
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
        std::size_t const slot = slot_of(keys + i * num_words, hashes[i], slots[i]);
        std::uint32_t const found = number_in(slot);
        known[i] = found == 0 ? no_state : static_cast<StateId>(found - 1);
    }
}

void CanonicalGraph::enter_all(std::span<Word const> keys, Residual& residual,
                               std::span<StateId> states) {
    std::size_t const num_words = layout_.key_words();
    for (std::size_t first = 0; first < states.size(); first += num_lanes) {
        std::size_t const count = std::min(num_lanes, states.size() - first);
        Word const* const own = keys.data() + first * num_words;
        auto const known = states.subspan(first, count);
        find_known(own, known);
        for (std::size_t i = 0; i < count; ++i) {
            if (known[i] == no_state) {
                known[i] = enter(own + i * num_words, residual);
            }
        }
    }
}

// What follows keeps that.

void CanonicalGraph::keep(StateId state, Successors const& successors,
                          Successors::Part const& part, Residual& residual) {
    children_.reserve(part.num_children);
    note_rewards(successors, part, residual);
    // No more, as threads may read keys, which must not move: see `make_room_for_keys`.
    auto const known =
        successors.known.begin() + static_cast<std::ptrdiff_t>(part.first_child);
    make_room(static_cast<std::size_t>(std::count(
        known, known + static_cast<std::ptrdiff_t>(part.num_children), no_state)));
    links_.make_room(most_bytes(part));
    if (links_.size() > StatePlaces::most) {
        throw std::bad_alloc(); // More than five bytes can number.
    }
    ++num_expanded_;
    enter_children(successors, part);
    places_.set(index_of(state), links_.size());
    write_links(successors, part);
}

// With what is read together with the last number, and as much for a snapshot.
std::size_t CanonicalGraph::most_bytes(Successors::Part const& part) const {
    return sizeof(std::uint64_t) + part.num_actions * variants_->width + 1 +
           2 * sizeof(std::uint32_t) * part.num_children +
           (variants_->has_hidden
                ? Variants::outcome_width * part.num_actions +
                      (Variants::outcome_width + sizeof(double)) * part.num_children
                : 0) +
           2 * PackedNumbers<StateId>::bytes_behind;
}

// Before the first child is entered, as numbers of new rewards may take memory.
void CanonicalGraph::note_rewards(Successors const& successors,
                                  Successors::Part const& part, Residual& residual) {
    std::size_t const num_words = layout_.key_words();
    std::size_t const end = part.first_child + part.num_children;
    child_rewards_.clear();
    child_gains_.clear();
    for (std::size_t i = part.first_child; i < end; ++i) {
        if (goes_by_levels()) {
            child_rewards_.push_back(successors.levels[i]);
            continue;
        }
        if (instance().is_sum) {
            std::size_t const first = successors.first_gained[i];
            std::span const gained(successors.gained);
            child_gains_.push_back(
                gain_of(gained.subspan(first, successors.first_gained[i + 1] - first)));
        }
        bool const is_new = successors.known[i] == no_state;
        Word const* const key = &successors.keys[i * num_words];
        child_rewards_.push_back(is_new ? reward_number(key, residual) : 0);
    }
}

void CanonicalGraph::enter_children(Successors const& successors,
                                    Successors::Part const& part) {
    std::size_t const num_words = layout_.key_words();
    children_.clear();
    for (std::size_t i = 0; i < part.num_children; ++i) {
        std::size_t const child = part.first_child + i;
        StateId state = successors.known[child];
        if (state == no_state) {
            state = enter(&successors.keys[child * num_words], child_rewards_[i]);
        }
        children_.push_back(static_cast<std::uint32_t>(state));
    }
}

// See `CanonicalStates::links_`.
void CanonicalGraph::write_links(Successors const& successors,
                                 Successors::Part const& part) {
    auto const width_of = [](std::vector<std::uint32_t> const& numbers) {
        return bytes_for(std::accumulate(numbers.begin(), numbers.end(), 0U,
                                         std::bit_or<std::uint32_t>()));
    };
    std::uint32_t const child_width = std::max(1U, width_of(children_));
    std::uint32_t const gain_width = width_of(child_gains_);
    std::size_t const gain_bytes =
        instance().is_sum ? 1 + part.num_children * gain_width : 0;
    auto const num_options = static_cast<std::uint32_t>(part.num_actions);
    std::uint32_t const head = num_options << 2U | (child_width - 1);
    std::size_t const num_listed = find_repeated(successors, part);
    std::byte* to = links_.extend(
        bytes_of_short(head) + part.num_actions * variants_->width +
        num_listed * child_width + gain_bytes + bytes_of_chances(successors, part));
    to = write_short(to, head);
    for (std::size_t a = 0; a < part.num_actions; ++a) {
        std::uint32_t const variant =
            variant_of(successors.actions[part.first_action + a]);
        to = write_packed(to, variant << 1U | is_repeated_[a], variants_->width);
    }
    if (instance().is_sum) {
        to = write_packed(to, gain_width, 1);
    }
    write_children(to, successors, part, child_width, gain_width);
}

std::size_t CanonicalGraph::num_children(Successors const& successors,
                                         Successors::Part const& part,
                                         std::size_t action) const {
    std::size_t const number = part.first_action + action;
    AvailableAction const& taken = successors.actions[number];
    return goes_by_knowledge(taken) ? successors.num_children[number]
                                    : variants_->num_children[variant_of(taken)];
}

// Which options lead to one and the same state, whatever comes out. Returns how many
// children are listed if these are listed once.
std::size_t CanonicalGraph::find_repeated(Successors const& successors,
                                          Successors::Part const& part) {
    is_repeated_.clear();
    std::size_t num_listed = 0;
    std::size_t first = 0;
    for (std::size_t a = 0; a < part.num_actions; ++a) {
        std::size_t const count = num_children(successors, part, a);
        auto const begin = children_.begin() + static_cast<std::ptrdiff_t>(first);
        auto const end = begin + static_cast<std::ptrdiff_t>(count);
        bool const is_repeated =
            count > 1 && std::count(begin, end, *begin) == end - begin;
        is_repeated_.push_back(is_repeated ? 1 : 0);
        num_listed += is_repeated ? 1 : count;
        first += count;
    }
    return num_listed;
}

void CanonicalGraph::write_children(std::byte* to, Successors const& successors,
                                    Successors::Part const& part,
                                    std::uint32_t child_width,
                                    std::uint32_t gain_width) const {
    std::size_t first = 0;
    for (std::size_t a = 0; a < part.num_actions; ++a) {
        AvailableAction const& action = successors.actions[part.first_action + a];
        std::size_t const last = first + num_children(successors, part, a);
        if (goes_by_knowledge(action)) {
            to = write_chances(to, successors, part.first_child + first,
                               part.first_child + last);
        }
        std::size_t const num_listed = is_repeated_[a] != 0 ? 1 : last - first;
        for (std::size_t i = first; i < first + num_listed; ++i) {
            to = write_packed(to, children_[i], child_width);
        }
        for (std::size_t i = first; instance().is_sum && i < last; ++i) {
            to = write_packed(to, child_gains_[i], gain_width);
        }
        first = last;
    }
}

// See `CanonicalStates::links_`.
std::byte* CanonicalGraph::write_chances(std::byte* to, Successors const& successors,
                                         std::size_t first, std::size_t last) const {
    constexpr std::uint32_t wide = Variants::outcome_width;
    to = write_packed(to, static_cast<std::uint32_t>(last - first), wide);
    for (std::size_t i = first; i < last; ++i) {
        to = write_packed(to, successors.steps[i].outcome, wide);
    }
    std::size_t const size = (last - first) * sizeof(double);
    std::memcpy(to, successors.chances.data() + first, size);
    return to + size;
}

std::size_t CanonicalGraph::bytes_of_chances(Successors const& successors,
                                             Successors::Part const& part) const {
    std::size_t total = 0;
    for (std::size_t a = part.first_action;
         variants_->has_hidden && a < part.first_action + part.num_actions; ++a) {
        if (goes_by_knowledge(successors.actions[a])) {
            total +=
                Variants::outcome_width +
                (Variants::outcome_width + sizeof(double)) * successors.num_children[a];
        }
    }
    return total;
}

// For `sum` a gain, of rewards that hold now and may be lost again.
std::uint32_t CanonicalGraph::reward_number(Word const* key, Residual& residual) {
    std::uint32_t const number = variants_->has_hidden
                                     ? stop_number(residual.stop_value(key))
                                 : instance().is_sum ? gain_of(residual.rewards_at(key))
                                                     : residual.level_at(key);
    if (variants_->finish_bits == 0) {
        return number;
    }
    return number << 1U | (residual.may_stop(key) ? 1U : 0U);
}

std::uint32_t CanonicalGraph::largest_reward_number() const {
    std::size_t const count = variants_->has_hidden ? stop_values_.size()
                              : instance().is_sum   ? gains_.size()
                                                    : level_values_.size();
    auto const largest = static_cast<std::uint32_t>(count - 1);
    return variants_->finish_bits == 0 ? largest : largest << 1U | 1U;
}

std::uint32_t CanonicalGraph::stop_number(double value) {
    auto const next = static_cast<std::uint32_t>(stop_values_.size());
    stop_values_.make_room(1);
    auto const [place, is_new] = stop_numbers_.try_emplace(value, next);
    if (is_new) {
        stop_values_.push_back(value);
    }
    return place->second;
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
    level_values_.make_own();
    gain_values_.make_own();
    for (std::size_t i = 0; i < level_values_.size(); ++i) {
        level_values_[i] = layout_.levels()[i];
    }
    for (std::size_t i = 0; i < gains_.size(); ++i) {
        gain_values_[i] = worth(*gains_[i]);
    }
}

// What is read together with its last number belongs to the copy, too.
CanonicalStates CanonicalGraph::snapshot() {
    constexpr std::size_t behind = PackedNumbers<StateId>::bytes_behind;
    // Once memory is shared, growing would copy all of it.
    links_.make_room(2 * behind);
    CanonicalStates result = *this;
    std::fill_n(links_.extend(behind), behind, std::byte{0});
    return result;
}

std::size_t CanonicalGraph::bytes() const {
    return keys_.bytes() + reward_numbers_.bytes() + places_.bytes() + links_.bytes() +
           bytes_of_index();
}

} // namespace branchwise
