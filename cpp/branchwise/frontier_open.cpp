// How a frontier opens a block of states: what has to be fast, away from the rest.

#include <algorithm>
#include <bit>
#include <new>

#include "branchwise/frontier.hpp"

namespace branchwise {

template <std::size_t Width>
void Frontier<Width>::open(Part& part, LayerPart& kept, std::size_t first,
                           std::size_t last) {
    first = std::min(first, part.here.size());
    last = std::min(last, part.here.size());
    part.block = kept.options.size();
    make_room(part, kept, last - first);
    if (kept.options.size() > most_codes) {
        throw std::bad_alloc();
    }
    if (num_below_ > 1) {
        open_states<true>(part, kept, first, last);
    } else {
        open_states<false>(part, kept, first, last);
    }
}

/// Have room for all that so many states can have, so that nobody need ask each time.
template <std::size_t Width>
void Frontier<Width>::make_room(Part& part, LayerPart& kept,
                                std::size_t num_states) const {
    std::size_t const most_children = num_states * rules_.most_children();
    kept.options.extend(num_states * rules_.num_actions() + most_children);
    for (std::size_t i = 0; i < num_below_; ++i) {
        Outbox& box = part.outboxes[i];
        box.keys.clear();
        box.origins.clear();
        part.lanes[i] = {box.keys.extend(most_children * width()),
                         box.origins.extend(most_children)};
    }
}

template <std::size_t Width>
template <bool IsShared>
void Frontier<Width>::open_states(Part& part, LayerPart& kept, std::size_t first,
                                  std::size_t last) {
    Code* const options = kept.options.data() + part.block;
    Pen<IsShared> pen{options, options, part.lanes[0], part.lanes.data()};
    for (std::size_t state = first; state < last; ++state) {
        kept.start_up_to(part.here.numbers[state],
                         part.block + static_cast<std::size_t>(pen.code - options));
        open_state(part, state, pen);
    }
    kept.options.shorten(part.block + static_cast<std::size_t>(pen.code - options));
    if (!IsShared) {
        part.lanes[0] = pen.lane;
    }
    for (std::size_t i = 0; i < num_below_; ++i) {
        Outbox& box = part.outboxes[i];
        Lane const& lane = part.lanes[i];
        box.keys.shorten(static_cast<std::size_t>(lane.key - box.keys.data()));
        box.origins.shorten(static_cast<std::size_t>(lane.origin - box.origins.data()));
    }
}

template <std::size_t Width>
template <bool IsShared>
[[gnu::always_inline]] inline void
Frontier<Width>::open_state(Part& part, std::size_t state, Pen<IsShared>& pen) {
    Key const key(&part.here.keys[state * width()], width());
    if (considered_.has_masks()) {
        CarriedSets::Half const* const carried =
            part.here.carried.data() + state * considered_.num_carried();
        Word rest =
            considered_.find(key, part.here.allowed[state], carried, part.scratch);
        for (; rest != 0; rest &= rest - 1) {
            auto const action = static_cast<std::size_t>(std::countr_zero(rest));
            add(rules_.find_move(action, key), state, key.data(), pen);
        }
    } else {
        considered_.for_each_move(key, part.scratch, [&](std::size_t move) {
            add(move, state, key.data(), pen);
        });
    }
}

template <std::size_t Width>
template <bool IsShared>
[[gnu::always_inline]] inline void
Frontier<Width>::add(std::size_t number, std::size_t state, Word const* key,
                     Pen<IsShared>& pen) const {
    Move const move = rules_.move(number); // a copy, which no writing can change
    OutcomeId const* const outcomes = rules_.chances(move);
    *pen.code++ = static_cast<Code>(number);
    for (std::size_t i = 0; i < move.num_chances; ++i) {
        Lane* lane = IsShared ? pen.lanes : &pen.lane;
        rules_.template follow<Width>(move, i, key, lane->key);
        if constexpr (IsShared) {
            Lane& other = lane[part_of(lane->key)];
            std::copy_n(lane->key, width(), other.key);
            lane = &other;
        }
        *lane->origin++ = {static_cast<Code>(pen.code - pen.options),
                           static_cast<Code>(state), outcomes[i]};
        lane->key += width();
        ++pen.code;
    }
}

template void Frontier<0>::open(Part&, LayerPart&, std::size_t, std::size_t);
template void Frontier<1>::open(Part&, LayerPart&, std::size_t, std::size_t);
template void Frontier<2>::open(Part&, LayerPart&, std::size_t, std::size_t);
template void Frontier<4>::open(Part&, LayerPart&, std::size_t, std::size_t);

} // namespace branchwise
