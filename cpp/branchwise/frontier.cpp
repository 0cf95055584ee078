#include "branchwise/frontier.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <utility>

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
    Known const known = considered_.at_root(root);
    part.here.allowed.push_back(known.allowed);
    part.here.alive.push_back(known.alive);
    top.part(0).scores.push_back(known.reward);
}

template <std::size_t Width>
void Frontier<Width>::descend() {
    num_above_ = 0;
    for (Part& part : parts_) {
        num_above_ += part.here.keys.size() / width();
        std::swap(part.here, part.below);
        part.below.keys.clear();
        part.below.allowed.clear();
        part.below.alive.clear();
    }
    considered_.descend();
}

template <std::size_t Width>
void Frontier<Width>::expand(Layer& here, Layer& below, std::size_t num_before) {
    bool const is_shared = crew_.is_worth_sharing(here.size());
    std::size_t const step = is_shared ? shared_block : block;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < here.num_parts(); ++i) {
        longest = std::max(longest, here.part(i).size());
    }
    prepare(here, below);
    for (std::size_t start = 0; start < longest; start += step) {
        crew_.share(here.num_parts(), is_shared, [&](std::size_t i, std::size_t) {
            open(parts_[i], here.part(i), start, start + step);
        });
        check_room();
        crew_.share(num_below_, is_shared,
                    [&](std::size_t i, std::size_t) { take_in(i, here, below); });
        check(crew_.watch(), num_before + below.size(), "full graph");
    }
    for (std::size_t i = 0; i < here.num_parts(); ++i) {
        here.part(i).starts.push_back(static_cast<Code>(here.part(i).options.size()));
    }
}

/// Have tables of about the size the layer below will need: layers grow less and less.
template <std::size_t Width>
void Frontier<Width>::prepare(Layer const& here, Layer const& below) {
    num_below_ = below.num_parts();
    auto const num_here = static_cast<double>(here.size());
    double const growth =
        num_here / static_cast<double>(std::max<std::size_t>(num_above_, 1));
    double const expected = num_here * std::clamp(0.75 * growth, 0.5, 4.0);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        Part& part = parts_[i];
        for (Outbox& box : part.outboxes) {
            box.keys.clear();
            box.origins.clear();
        }
        part.index.reset(
            i < num_below_ ? static_cast<std::size_t>(expected) / num_below_ : 0);
    }
}

template <std::size_t Width>
void Frontier<Width>::open(Part& part, LayerPart& kept, std::size_t first,
                           std::size_t last) {
    first = std::min(first, kept.size());
    last = std::min(last, kept.size());
    Code* const starts = kept.starts.extend(last - first);
    Pen pen = take_pen(part, kept, last - first);
    for (std::size_t state = first; state < last; ++state) {
        starts[state - first] = static_cast<Code>(pen.code - pen.options);
        open_state(part, state, pen);
    }
    put_down(pen, part, kept);
}

/// Have room for all the options and children that so many states can have, so that
/// writing one needs no look at how much is left. Room costs nothing until it is used.
template <std::size_t Width>
Frontier<Width>::Pen Frontier<Width>::take_pen(Part& part, LayerPart& kept,
                                               std::size_t num_states) {
    std::size_t const most_children = num_states * rules_.most_children();
    std::size_t const most = num_states * rules_.num_actions() + most_children;
    if (kept.options.size() + most > most_codes) {
        throw std::bad_alloc();
    }
    Pen pen{nullptr, kept.options.extend(most)};
    pen.options = kept.options.data();
    for (std::size_t i = 0; i < num_below_; ++i) {
        Outbox& box = part.outboxes[i];
        box.keys.clear();
        box.origins.clear();
        pen.lanes.push_back({box.keys.extend(most_children * width()),
                             box.origins.extend(most_children)});
    }
    return pen;
}

/// Keep what was written.
template <std::size_t Width>
void Frontier<Width>::put_down(Pen const& pen, Part& part, LayerPart& kept) const {
    kept.options.shorten(static_cast<std::size_t>(pen.code - pen.options));
    for (std::size_t i = 0; i < num_below_; ++i) {
        Outbox& box = part.outboxes[i];
        typename Pen::Lane const& lane = pen.lanes[i];
        box.keys.shorten(static_cast<std::size_t>(lane.key - box.keys.data()));
        box.origins.shorten(static_cast<std::size_t>(lane.origin - box.origins.data()));
    }
}

template <std::size_t Width>
[[gnu::always_inline]] inline void
Frontier<Width>::open_state(Part& part, std::size_t state, Pen& pen) {
    Key const key(&part.here.keys[state * width()], width());
    if (considered_.has_masks()) {
        Word rest = considered_.find(key, part.here.allowed[state],
                                     part.here.alive[state], part.scratch);
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
[[gnu::always_inline]] inline void
Frontier<Width>::add(std::size_t number, std::size_t state, Word const* key,
                     Pen& pen) const {
    Move const& move = rules_.move(number);
    OutcomeId const* const outcomes = rules_.chances(move);
    *pen.code++ = static_cast<Code>(number);
    for (std::size_t i = 0; i < move.num_chances; ++i) {
        typename Pen::Lane* lane = pen.lanes.data();
        rules_.template follow<Width>(move, i, key, lane->key);
        if (num_below_ > 1) {
            typename Pen::Lane& other = lane[part_of(lane->key)];
            std::copy_n(lane->key, width(), other.key);
            lane = &other;
        }
        *lane->origin++ = {static_cast<Code>(pen.code - pen.options),
                           static_cast<Code>(state), outcomes[i]};
        lane->key += width();
        ++pen.code;
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
        number(part, box, here.part(j), below);
        learn(part, box, parts_[j], here.part(j), below.part(i));
    }
}

/// Look up the children in an outbox, and write their numbers where they belong.
template <std::size_t Width>
void Frontier<Width>::number(Part& part, Outbox& box, LayerPart& above,
                             Layer const& below) {
    StateTable<Width>& index = part.index;
    auto const i_part = static_cast<std::size_t>(&part - parts_.data());
    std::size_t const count = box.origins.size();
    Word const* const keys = box.keys.data();
    Origin const* const origins = box.origins.data();
    Code* const options = above.options.data();
    box.fresh.clear();
    Code* const fresh = box.fresh.extend(count);
    std::size_t num_fresh = 0;
    std::array<Word, ahead> hashes{}; // of the keys to come
    auto const fetch = [&](std::size_t i) {
        hashes[i % ahead] = index.hash(keys + i * width());
        index.prefetch(hashes[i % ahead]);
    };
    for (std::size_t i = 0; i < std::min(ahead, count); ++i) {
        fetch(i);
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t const num_before = index.size();
        Word const found = index.number(keys + i * width(), hashes[i % ahead]);
        options[origins[i].place] = below.child(i_part, found);
        fresh[num_fresh] = static_cast<Code>(i);
        num_fresh += index.size() - num_before;
        if (i + ahead < count) {
            fetch(i + ahead);
        }
    }
    box.fresh.shorten(num_fresh);
}

/// Find out about the new states in an outbox what their parents tell.
template <std::size_t Width>
void Frontier<Width>::learn(Part& part, Outbox const& box, Part const& other,
                            LayerPart const& above, LayerPart& below) const {
    std::size_t const count = box.fresh.size();
    Word* keys = part.below.keys.extend(count * width());
    Word* const allowed = part.below.allowed.extend(count);
    Word* const alive = part.below.alive.extend(count);
    double* const rewards = below.scores.extend(count);
    for (std::size_t i = 0; i < count; ++i) {
        Origin const& origin = box.origins[box.fresh[i]];
        Key const key(&box.keys[box.fresh[i] * width()], width());
        Known const parent{other.here.allowed[origin.parent],
                           other.here.alive[origin.parent],
                           above.scores[origin.parent]};
        Known const known = considered_.after(parent, origin.outcome, key);
        keys = std::copy_n(key.data(), width(), keys);
        allowed[i] = known.allowed;
        alive[i] = known.alive;
        rewards[i] = known.reward;
    }
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

template class Frontier<0>;
template class Frontier<1>;
template class Frontier<2>;
template class Frontier<4>;

} // namespace branchwise
