#include "branchwise/paper/frontier.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

// An example, in one part and without a filter: `scan` and `mail` may be taken at once,
// `admin` after a success of either, each may succeed or fail, and the budget is for
// two attempts. Layer 1 has the four states scan=ok, scan=fail, mail=ok, mail=fail.
// Opening them as one block puts twelve children into the outbox:
//
//     scan=ok      mail or admin, two outcomes each    4 children
//     scan=fail    mail                                2
//     mail=ok      scan or admin                       4
//     mail=fail    scan                                2
//
// `number` looks up all twelve keys. Keys do not depend on the order of attempts, so
// scan before mail and mail before scan lead to the same four states, and only eight
// children are fresh. `learn` then finds out about these eight what follows from their
// first parents; all of them have spent the budget, so that layer 3 is empty. With the
// root that makes 1 + 4 + 8 = 13 states. With a filter by rewarding sets there are
// 1 + 4 + 4: after scan=ok only admin is considered, as mail and admin together cost
// more than is left, and after a failure nothing is.

namespace branchwise {

template <std::size_t Width>
Frontier<Width>::Frontier(StateRules const& rules, RewardingFilter const* filter,
                          Crew& crew)
    : rules_(rules), considered_(rules, filter), crew_(crew) {
    std::size_t const num_parts = std::size_t{1} << crew.most_part_bits();
    for (std::size_t i = 0; i < num_parts; ++i) {
        parts_.emplace_back(rules.layout().num_words(), num_parts);
    }
}

template <std::size_t Width>
void Frontier<Width>::start(Layer& top) {
    std::vector<Word> const root(width());
    Part& part = parts_[0];
    std::copy_n(root.data(), width(), part.here.keys.extend(width()));
    Known const known =
        considered_.at_root(root, part.here.carried.extend(considered_.num_carried()));
    part.here.numbers.push_back(0);
    part.here.allowed.push_back(known.allowed);
    top.part(0).scores.push_back(known.reward);
}

template <std::size_t Width>
void Frontier<Width>::descend() {
    for (Part& part : parts_) {
        std::swap(part.here, part.below);
        part.below.clear();
    }
    considered_.descend();
}

template <std::size_t Width>
void Frontier<Width>::expand(Layer& here, Layer& below, std::size_t num_before) {
    bool const is_shared = crew_.is_worth_sharing(here.size());
    std::size_t const step = is_shared ? shared_block : block;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < here.num_parts(); ++i) {
        longest = std::max(longest, parts_[i].here.size());
    }
    prepare(here, below);
    for (std::size_t start = 0; start < longest; start += step) {
        crew_.share(here.num_parts(), is_shared, [&](std::size_t i, std::size_t) {
            put_in_place(parts_[i], here.part(i));
            open(parts_[i], here.part(i), start, start + step);
        });
        check_room();
        crew_.share(num_below_, is_shared,
                    [&](std::size_t i, std::size_t) { take_in(i, here, below); });
        check(crew_.watch(), num_before + below.size(), "full graph");
    }
    for (std::size_t i = 0; i < here.num_parts(); ++i) {
        LayerPart& kept = here.part(i);
        put_in_place(parts_[i], kept);
        kept.start_up_to(kept.size(), kept.options.size());
    }
    num_above_ = here.size();
}

/// Have tables of about the size the layer below will need: layers grow less and less.
template <std::size_t Width>
void Frontier<Width>::prepare(Layer& here, Layer const& below) {
    num_below_ = below.num_parts();
    auto const num_here = static_cast<double>(here.size());
    double const growth =
        num_here / static_cast<double>(std::max<std::size_t>(num_above_, 1));
    double const expected = num_here * std::clamp(0.9 * growth, 0.5, 4.0);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        Part& part = parts_[i];
        for (Outbox& box : part.outboxes) {
            box.keys.clear();
            box.origins.clear();
        }
        part.index.reset(
            i < num_below_ ? static_cast<std::size_t>(expected) / num_below_ : 0);
    }
    for (std::size_t i = 0; i < here.num_parts(); ++i) {
        here.part(i).starts.reserve(here.part(i).size() + 1);
    }
}

/// How many states there may be in a part once it has taken in all that is for it.
template <std::size_t Width>
std::size_t Frontier<Width>::most_states(std::size_t i) const {
    std::size_t total = parts_[i].index.size();
    for (Part const& other : parts_) {
        total += other.outboxes[i].keys.size() / width();
    }
    return total;
}

/// Throw if there cannot be room for all that may be new.
template <std::size_t Width>
void Frontier<Width>::check_room() {
    for (std::size_t i = 0; i < num_below_; ++i) {
        StateTable<Width> const& index = parts_[i].index;
        std::size_t const most = most_states(i);
        // A child is a number and a part in less than a word.
        if (most > most_codes / num_below_) {
            throw std::bad_alloc();
        }
        if (most > index.room() && !crew_.watch().has_room(index.bytes_to_grow())) {
            throw RunStopped(crew_.watch().ending());
        }
    }
}

template <std::size_t Width>
void Frontier<Width>::take_in(std::size_t i, Layer& here, Layer& below) {
    Part& part = parts_[i];
    std::size_t const most = most_states(i);
    while (most > part.index.room()) {
        part.index.grow();
    }
    for (std::size_t j = 0; j < here.num_parts(); ++j) {
        Outbox& box = parts_[j].outboxes[i];
        if (num_below_ > 1) {
            // Not where they belong, as that is memory others are writing to as well.
            box.numbers.clear();
            Code* const numbers = box.numbers.extend(box.origins.size());
            number(i, box, below,
                   [=](std::size_t k, Code number) { numbers[k] = number; });
        } else {
            Code* const options = here.part(j).options.data() + parts_[j].block;
            Origin const* const origins = box.origins.data();
            number(i, box, below, [=](std::size_t k, Code number) {
                options[origins[k].place] = number;
            });
        }
        learn(part, box, parts_[j], here.part(j), below.part(i));
    }
}

/// Write the numbers of the children of the last block where they belong.
template <std::size_t Width>
void Frontier<Width>::put_in_place(Part& part, LayerPart& kept) {
    Code* const options = kept.options.data() + part.block;
    for (Outbox& box : part.outboxes) {
        for (std::size_t i = 0; i < box.numbers.size(); ++i) {
            options[box.origins[i].place] = box.numbers[i];
        }
        box.numbers.clear();
    }
}

/// Look up the children in an outbox, and call `put` with the number of each.
template <std::size_t Width>
template <typename Put>
void Frontier<Width>::number(std::size_t part, Outbox& box, Layer const& below,
                             Put put) {
    StateTable<Width>& index = parts_[part].index;
    std::size_t const count = box.origins.size();
    box.fresh.clear();
    Code* const fresh = box.fresh.extend(count);
    std::size_t num_fresh = 0;
    unsigned const part_bits = below.part_bits();
    index.number(box.keys.data(), count,
                 [=, &num_fresh](std::size_t i, Word found, Word is_new) {
                     put(i, Layer::child(part, found, part_bits));
                     fresh[num_fresh] = static_cast<Code>(i);
                     num_fresh += is_new;
                 });
    box.fresh.shorten(num_fresh);
}

/// Find out about the new states in an outbox what follows from their parents. A state
/// may have several parents; the first one that leads to it is as good as any, since
/// what is known depends on the state alone.
template <std::size_t Width>
void Frontier<Width>::learn(Part& part, Outbox const& box, Part const& other,
                            LayerPart const& above, LayerPart& below) const {
    std::size_t const count = box.fresh.size();
    std::size_t const num_carried = considered_.num_carried();
    States& states = part.below;
    auto number = static_cast<Code>(below.scores.size());
    Code* numbers = states.numbers.extend(count);
    Word* keys = states.keys.extend(count * width());
    Word* allowed = states.allowed.extend(count);
    CarriedSets::Half* carried = states.carried.extend(count * num_carried);
    double* rewards = below.scores.extend(count);
    for (std::size_t i = 0; i < count; ++i) {
        Origin const& origin = box.origins[box.fresh[i]];
        Word const* const key = &box.keys[box.fresh[i] * width()];
        Known const parent{other.here.allowed[origin.parent],
                           above.scores[other.here.numbers[origin.parent]]};
        Known const known = considered_.after(
            parent, other.here.carried.data() + origin.parent * num_carried,
            origin.outcome, Key(key, width()), carried);
        std::copy_n(key, width(), keys);
        *numbers = number++;
        *allowed = known.allowed;
        *rewards++ = known.reward;
        // What cannot have options is written over by the next one.
        std::size_t const step = known.may_act ? 1 : 0;
        numbers += step;
        keys += step * width();
        allowed += step;
        carried += step * num_carried;
    }
    states.shorten(static_cast<std::size_t>(numbers - states.numbers.data()), width(),
                   num_carried);
}

template <std::size_t Width>
std::size_t Frontier<Width>::bytes() const {
    std::size_t total = 0;
    for (Part const& part : parts_) {
        total += part.here.bytes() + part.below.bytes() + part.index.bytes();
        for (Outbox const& box : part.outboxes) {
            total += box.bytes();
        }
    }
    return total;
}

// What follows opens a block of states, where most of the time goes. All memory is
// there before, so that nothing but writing is left to do for each child.

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

/// Have room for all that so many states can have at most, so that nothing has to be
/// checked while they are written.
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

template class Frontier<0>;
template class Frontier<1>;
template class Frontier<2>;
template class Frontier<4>;

} // namespace branchwise
