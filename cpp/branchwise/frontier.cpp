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
            settle(parts_[i], here.part(i), below);
            open(parts_[i], here.part(i), start, start + step);
        });
        check_room();
        crew_.share(num_below_, is_shared,
                    [&](std::size_t i, std::size_t) { take_in(i, below.part(i)); });
        check(crew_.watch(), num_before + below.size(), "full graph");
    }
    crew_.share(here.num_parts(), is_shared, [&](std::size_t i, std::size_t) {
        settle(parts_[i], here.part(i), below);
    });
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
        part.first = part.last = 0;
        part.index.reset(
            i < num_below_ ? static_cast<std::size_t>(expected) / num_below_ : 0);
    }
}

template <std::size_t Width>
void Frontier<Width>::open(Part& part, LayerPart& kept, std::size_t first,
                           std::size_t last) {
    part.first = std::min(first, kept.size());
    part.last = std::min(last, kept.size());
    part.first_code = kept.options.size();
    for (Outbox& box : part.outboxes) {
        box.keys.clear();
    }
    for (std::size_t state = part.first; state < part.last; ++state) {
        if (state % LayerPart::between_starts == 0) {
            kept.starts.push_back(kept.options.size());
        }
        open_state(part, state, kept);
        kept.options[part.last_head] |= OptionHead::last;
    }
}

template <std::size_t Width>
[[gnu::always_inline]] inline void
Frontier<Width>::open_state(Part& part, std::size_t state, LayerPart& kept) {
    Key const key(&part.here.keys[state * width()], width());
    part.last_head = kept.options.size();
    if (considered_.has_masks()) {
        Word rest = considered_.find(key, part.here.allowed[state],
                                     part.here.alive[state], part.scratch);
        for (; rest != 0; rest &= rest - 1) {
            auto const action = static_cast<std::size_t>(std::countr_zero(rest));
            add(part, rules_.find_move(action, key), key.data(), kept);
        }
    } else {
        considered_.for_each_move(key, part.scratch, [&](std::size_t move) {
            add(part, move, key.data(), kept);
        });
    }
    if (part.last_head == kept.options.size()) {
        kept.options.push_back(static_cast<Code>(StateRules::no_move));
    }
}

template <std::size_t Width>
[[gnu::always_inline]] inline void
Frontier<Width>::add(Part& part, std::size_t number, Word const* key, LayerPart& kept) {
    Move const& move = rules_.move(number);
    part.last_head = kept.options.size();
    Code* const code = kept.options.extend(1 + move.num_chances);
    *code = static_cast<Code>(number);
    std::size_t const num_words = move.num_chances * width();
    if (num_below_ == 1) {
        rules_.template follow<Width>(move, key,
                                      part.outboxes[0].keys.extend(num_words));
        return;
    }
    part.children.resize(num_words);
    rules_.template follow<Width>(move, key, part.children.data());
    for (std::size_t i = 0; i < move.num_chances; ++i) {
        Word const* const child = &part.children[i * width()];
        std::size_t const other = part_of(child);
        std::copy_n(child, width(), part.outboxes[other].keys.extend(width()));
        code[1 + i] = static_cast<Code>(other);
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
        if (most > new_state / num_below_) {
            throw std::bad_alloc();
        }
        if (most > index.room() && !crew_.watch().has_room(index.bytes_to_grow())) {
            throw RunStopped(crew_.watch().ending());
        }
    }
}

template <std::size_t Width>
void Frontier<Width>::take_in(std::size_t i, LayerPart& below) {
    Part& part = parts_[i];
    std::size_t const most = most_states(i);
    while (most > part.index.room()) {
        part.index.grow();
    }
    for (Part& other : parts_) {
        insert(part, other.outboxes[i]);
    }
    std::size_t const num_states = part.index.size();
    below.scores.extend_to(num_states);
    part.below.allowed.extend_to(num_states);
    part.below.alive.extend_to(num_states);
}

template <std::size_t Width>
void Frontier<Width>::insert(Part& part, Outbox& box) {
    StateTable<Width>& index = part.index;
    std::size_t const count = box.keys.size() / width();
    Word const* const keys = box.keys.data();
    box.answers.clear();
    Code* const answers = box.answers.extend(count);
    std::array<Word, ahead> hashes{}; // of the keys to come
    auto const fetch = [&](std::size_t i) {
        hashes[i % ahead] = index.hash(keys + i * width());
        index.prefetch(hashes[i % ahead]);
    };
    for (std::size_t i = 0; i < std::min(ahead, count); ++i) {
        fetch(i);
    }
    for (std::size_t i = 0; i < count; ++i) {
        Word const* const key = keys + i * width();
        auto const [slot, is_new] = index.insert(key, hashes[i % ahead]);
        Word& number = *index.values(slot);
        if (is_new) {
            number = index.size() - 1;
            std::copy_n(key, width(), part.below.keys.extend(width()));
        }
        answers[i] = static_cast<Code>(number) | (is_new ? new_state : 0);
        if (i + ahead < count) {
            fetch(i + ahead);
        }
    }
}

/// Give the children of the block their numbers.
template <std::size_t Width>
void Frontier<Width>::settle(Part& part, LayerPart& kept, Layer& below) {
    auto const lane = [&](std::size_t i) {
        Outbox const& box = part.outboxes[i];
        States& others = parts_[i].below;
        return Lane{box.keys.data(), box.answers.data(), others.allowed.data(),
                    others.alive.data(), below.part(i).scores.data()};
    };
    if (num_below_ == 1) {
        std::array lanes{lane(0)};
        settle_states(part, kept, below, lanes);
    } else {
        std::vector<Lane> lanes;
        for (std::size_t i = 0; i < num_below_; ++i) {
            lanes.push_back(lane(i));
        }
        settle_states(part, kept, below, lanes);
    }
    part.first = part.last;
}

template <std::size_t Width>
template <typename Lanes>
void Frontier<Width>::settle_states(Part const& part, LayerPart& kept,
                                    Layer const& below, Lanes& lanes) const {
    Code* code = kept.options.data() + part.first_code;
    for (std::size_t state = part.first; state < part.last; ++state) {
        Known const parent{part.here.allowed[state], part.here.alive[state],
                           kept.scores[state]};
        for (bool is_last = false; !is_last;) {
            is_last = (*code & OptionHead::last) != 0;
            Move const& move = rules_.move(OptionHead::move(*code++));
            for (std::size_t i = 0; i < move.num_chances; ++i) {
                std::size_t const other = lanes.size() == 1 ? 0 : *code;
                Lane& lane = lanes[other];
                Code const answer = *lane.answers++;
                Code const child = answer & ~new_state;
                if (answer != child) {
                    Known const known = considered_.after(
                        parent, move.chances[i].outcome, Key(lane.keys, width()));
                    lane.allowed[child] = known.allowed;
                    lane.alive[child] = known.alive;
                    lane.rewards[child] = known.reward;
                }
                lane.keys += width();
                *code++ = lanes.size() == 1 ? child : below.child(other, child);
            }
        }
    }
}

template <std::size_t Width>
std::size_t Frontier<Width>::bytes() const {
    std::size_t total = 0;
    for (Part const& part : parts_) {
        total += part.here.bytes() + part.below.bytes() + part.index.bytes();
        for (Outbox const& box : part.outboxes) {
            total += box.keys.bytes() + box.answers.bytes();
        }
    }
    return total;
}

template class Frontier<0>;
template class Frontier<1>;
template class Frontier<2>;
template class Frontier<4>;

} // namespace branchwise
