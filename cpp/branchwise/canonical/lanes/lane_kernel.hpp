#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "branchwise/canonical/lanes/lane_view.hpp"

namespace branchwise {

/// Takes actions in up to 64 states side by side and makes what they lead to simple:
/// what is out of reach or of no use goes, and so does budget that nothing can spend.
///
/// All lanes go through the same nodes in the same order. A lane is as it would be
/// alone: what is done once more for the sake of another one changes nothing in it.
/// `Ops` is a row of prices, and what can be done with it. See cpp/README.md.
template <typename Ops>
class LaneWork {
  public:
    explicit LaneWork(LaneView& view) : view_(view) {}

    void start(std::int64_t const* budget, std::uint8_t const* left_out, Word* key);
    void take(LaneStep const* steps, std::size_t count, Word* keys);
    void refresh(LaneStep const* steps, std::size_t count);

  private:
    using Price = typename Ops::Price;
    using Row = typename Ops::Row;
    using Kind = ResidualNode::Kind;
    using Number = std::uint32_t;

    static constexpr Price endless = static_cast<Price>(~Price{0});

    [[nodiscard]] static Word lanes_from(std::size_t first, std::size_t last) {
        Word const all = ~Word{0};
        Word const below_last = last == num_lanes ? all : ~(all << last);
        return below_last & (all << first);
    }
    [[nodiscard]] Price* row(void* rows, std::size_t number,
                             std::size_t resource) const {
        return static_cast<Price*>(rows) +
               (number * view_.num_resources + resource) * num_lanes;
    }
    [[nodiscard]] Price* left(std::size_t resource) const {
        return row(view_.left, 0, resource);
    }
    [[nodiscard]] Row cost(Number node, std::size_t resource) const {
        return Ops::load(row(view_.cost, node, resource));
    }
    [[nodiscard]] Price* attempts(std::size_t repeatable) const {
        return static_cast<Price*>(view_.attempts) + repeatable * num_lanes;
    }
    [[nodiscard]] Price* count(std::size_t counter) const {
        return static_cast<Price*>(view_.counts) + counter * num_lanes;
    }
    // The lanes in which a comparison holds now.
    [[nodiscard]] Word stands_at_least(LaneNode const& node) const {
        return Ops::at_most(Ops::all(as_price(node.threshold)),
                            Ops::load(count(node.counter)));
    }
    [[nodiscard]] static Price as_price(std::int64_t number) {
        auto const exact = static_cast<std::uint64_t>(number);
        return exact > endless ? endless : static_cast<Price>(exact);
    }

    // Sets of nodes: a bit for each. What is visited may add to them.
    static void add(Word* nodes, Number node) {
        nodes[node / 64] |= Word{1} << node % 64;
    }
    [[nodiscard]] static bool has(Word const* nodes, Number node) {
        return (nodes[node / 64] >> node % 64 & 1U) != 0;
    }
    void add_users(Number node, Word* nodes) const {
        for (Number i = view_.first_users[node]; i < view_.first_users[node + 1]; ++i) {
            add(nodes, view_.users[i]);
        }
    }
    template <typename Visit>
    void take_upwards(Word* nodes, Visit visit) const;
    template <typename Visit>
    void take_downwards(Word* nodes, Visit visit) const;
    [[nodiscard]] bool is_any(Word const* nodes) const {
        Word any = 0;
        for (std::size_t w = 0; w < view_.node_words; ++w) {
            any |= nodes[w];
        }
        return any != 0;
    }

    void forget();
    void load(LaneStep const* steps, std::size_t count);
    [[nodiscard]] Row got(KeyField const& field) const;
    void get_tail(std::size_t conditioned);
    void find_open();
    void take(LaneStep const& step, std::size_t lane);
    void pay(LaneStep const& step, std::size_t lane);
    void change_counts(LaneStep const& step, std::size_t lane);
    void propagate_all();
    void propagate();
    [[nodiscard]] bool decide(Number index);
    void decide_and_tell(Number index);
    void forget_decided(Number index);
    void decide_comparison(LaneNode const& node, Word& now_true, Word& now_false) const;
    void report_to_owners(LaneNode const& node, Word is_true, Word is_false);

    void simplify(Word lanes, Word* keys);
    void note_prices(bool of_all);
    void drop_what_is_out_of_reach();
    void sweep_costs();
    void sweep_stale_costs();
    [[nodiscard]] bool is_stale(LaneAction const& action) const;
    bool work_out_cost(Number index);
    Word drop_beyond_reach(Number index);
    [[nodiscard]] Row cost_of(LaneNode const& node, std::size_t resource) const;
    [[nodiscard]] Row cost_of_comparison(LaneNode const& node,
                                         std::size_t resource) const;
    [[nodiscard]] Word affords_outcomes(LaneNode const& node) const;
    [[nodiscard]] Row cheapest(Number action, std::size_t resource) const;
    [[nodiscard]] Row dearest(Number action, std::size_t resource) const;
    [[nodiscard]] Row most_of_part(Number first, Number last,
                                   std::size_t resource) const;
    // What should not happen costs nothing, nor what is decided.
    [[nodiscard]] Word paid(LaneRef ref) const {
        return is_negated(ref) ? 0 : view_.undecided[node_of(ref)];
    }

    void find_reach();
    [[nodiscard]] Word sought_lanes(std::size_t set) const;
    [[nodiscard]] Word affords_set(std::size_t set) const;
    void reach_nodes(std::size_t first_set, Word* reach);
    void evaluate_sets(Number node, std::size_t first_set);
    [[nodiscard]] Word const* holds_under(LaneRef ref, std::size_t first_set) const {
        return is_negated(ref)
                   ? view_.without_sets + node_of(ref) * view_.padded_sets + first_set
                   : view_.true_in + node_of(ref) * sets_at_once;
    }

    void mark();
    void find_relevant();
    [[nodiscard]] Word above_held(std::uint32_t level) const;
    void mark_knowledge();
    void want_informers(Number group, Word lanes);
    [[nodiscard]] Word depends_on(LaneGroup const& group) const;
    void mark_rewards();
    void mark_moves();
    void mark_below(Number node);
    void mark_inside_any(Number node, Word lanes);
    void mark_inside_all(Number node, Word lanes);
    void mark_action(Number node, Word lanes);
    void want(Number node, std::size_t resource, Word lanes, Row rest);
    void want_at_once(Number node, Word lanes);
    void want_not(Number node, Word lanes);

    [[nodiscard]] Word drop_what_is_of_no_use();
    void cap_attempts(Word lanes);
    void cap_attempts_by(AttemptBound const& bound, std::size_t repeatable, Word lanes);
    void cap_budget(Word lanes);
    void cap_counts(Word lanes);
    [[nodiscard]] Word asked_about(LaneGroup const& group) const;
    [[nodiscard]] Word useful_changers(Number first, Number last) const;
    void store(Word lanes, Word* keys) const;
    void put(KeyField const& field, Row values, Word lanes) const;
    void put_tail(std::size_t conditioned) const;
    static void transpose(Word* square);
    typedef Word Rows __attribute__((vector_size(64)));
    static void swap_halves(Rows& own, Rows const& other, int half,
                            Rows const& is_second, Word low);

    LaneView& view_;
};

// What a state holds.

template <typename Ops>
void LaneWork<Ops>::forget() {
    view_.num_open = 0;
    view_.finished = 0;
    for (std::size_t i = 0; i < view_.num_open_actions; ++i) {
        view_.is_useful[view_.open_actions[i]] = 0;
        view_.is_open_action[view_.open_actions[i]] = 0;
    }
    view_.num_open_actions = 0;
    if (view_.is_sum) {
        for (std::size_t i = 0; i < view_.num_rewards; ++i) {
            view_.gained[i] = 0;
        }
    }
    for (std::size_t i = 0; view_.num_groups != 0 && i < view_.num_rewards; ++i) {
        view_.secured[i] = 0;
    }
}

// The opposite of `store`: a word for each lane first, then one for each bit of a key.
template <typename Ops>
void LaneWork<Ops>::load(LaneStep const* steps, std::size_t count) {
    Word* const bits = view_.key_bits;
    for (std::size_t w = 0; w < view_.key_words; ++w) {
        for (std::size_t lane = 0; lane < num_lanes; ++lane) {
            bits[w * 64 + lane] = lane < count ? steps[lane].key[w] : 0;
        }
        transpose(bits + w * 64);
    }
    for (std::size_t i = 0; i < view_.num_nodes; ++i) {
        view_.undecided[i] = bits[i];
    }
    for (std::size_t i = 0; i < view_.num_repeatable; ++i) {
        Ops::store(attempts(i), got(view_.attempts_fields[i]));
    }
    for (std::size_t i = 0; i < view_.num_conditioned; ++i) {
        get_tail(i);
    }
    for (std::size_t r = 0; r < view_.num_resources; ++r) {
        bool const is_limited = r < view_.num_limited;
        Ops::store(left(r), is_limited ? got(view_.left_fields[r]) : Ops::all(0));
    }
    for (std::size_t i = 0; i < view_.num_counters; ++i) {
        Ops::store(this->count(i), got(view_.counter_fields[i]));
    }
    for (std::size_t i = 0; view_.num_groups != 0 && i < view_.num_rewards; ++i) {
        KeyField const& field = view_.secured_fields[i];
        view_.secured[i] = field.mask == 0 ? 0 : bits[field.word * 64 + field.shift];
    }
    if (KeyField const& field = view_.finished_field; field.mask != 0) {
        view_.finished = bits[field.word * 64 + field.shift];
    }
    for (std::size_t lane = 0; lane < count; ++lane) {
        view_.held[lane] =
            static_cast<std::uint32_t>(view_.held_field.read(steps[lane].key));
    }
}

template <typename Ops>
typename Ops::Row LaneWork<Ops>::got(KeyField const& field) const {
    Word const* const bits = view_.key_bits + field.word * 64 + field.shift;
    Row values = Ops::all(0);
    for (std::size_t k = 0; k < 64 && (field.mask >> k) != 0; ++k) {
        Row const bit = Ops::all(static_cast<Price>(Word{1} << k));
        values = Ops::add(values, Ops::where(bits[k], bit, Ops::all(0)));
    }
    return values;
}

// Clauses are open up to the first that holds for good.
template <typename Ops>
void LaneWork<Ops>::get_tail(std::size_t conditioned) {
    LaneAction const& action = view_.actions[view_.conditioned[conditioned]];
    KeyField const& field = view_.tail_fields[conditioned];
    Word const* const bits = view_.key_bits + field.word * 64 + field.shift;
    Word open = 0;
    for (std::size_t tail = action.num_clauses; tail > 0; --tail) {
        Word is_tail = ~Word{0};
        for (std::size_t k = 0; (field.mask >> k) != 0; ++k) {
            is_tail &= (tail >> k & 1U) != 0 ? bits[k] : ~bits[k];
        }
        open |= is_tail;
        view_.open_clauses[action.first_clause + tail - 1] = open;
    }
}

template <typename Ops>
void LaneWork<Ops>::find_open() {
    for (std::size_t i = 0; i < view_.num_nodes; ++i) {
        auto const node = static_cast<Number>(i);
        if (view_.undecided[node] == 0) {
            continue;
        }
        view_.open[view_.num_open++] = node;
        Number const action = view_.nodes[node].action;
        if (view_.nodes[node].kind == Kind::literal &&
            view_.is_open_action[action] == 0) {
            view_.is_open_action[action] = 1;
            view_.open_actions[view_.num_open_actions++] = action;
        }
    }
}

template <typename Ops>
void LaneWork<Ops>::start(std::int64_t const* budget, std::uint8_t const* left_out,
                          Word* key) {
    constexpr Word lane = 1;
    forget();
    for (std::size_t i = 0; i < view_.num_nodes; ++i) {
        view_.undecided[i] = lane;
    }
    find_open();
    for (std::size_t i = 0; i < view_.num_nodes; ++i) {
        LaneNode const& node = view_.nodes[i];
        if (node.kind == Kind::at_least) {
            continue;
        }
        if (node.kind != Kind::literal && node.first_inside == node.last_inside) {
            (node.kind == Kind::all ? view_.is_true : view_.is_false)[i] = lane;
        } else if (node.kind == Kind::literal) {
            bool const is_possible =
                view_.is_possible[i] != 0 && view_.actions[node.action].is_possible &&
                (left_out == nullptr || left_out[node.action] == 0);
            view_.is_false[i] = is_possible ? 0 : lane;
        }
    }
    for (std::size_t i = 0; i < view_.num_repeatable; ++i) {
        attempts(i)[0] = as_price(view_.attempts_at_start[view_.repeatable[i]]);
    }
    for (std::size_t i = 0; i < view_.num_clauses; ++i) {
        view_.open_clauses[i] = lane;
    }
    for (std::size_t r = 0; r < view_.num_resources; ++r) {
        left(r)[0] = r < view_.num_limited ? as_price(budget[r]) : Price{0};
    }
    for (std::size_t i = 0; i < view_.num_counters; ++i) {
        count(i)[0] = as_price(view_.counters[i].start);
    }
    view_.held[0] = 0;
    propagate_all();
    simplify(lane, key);
}

template <typename Ops>
void LaneWork<Ops>::take(LaneStep const* steps, std::size_t count, Word* keys) {
    forget();
    load(steps, count);
    find_open();
    for (std::size_t lane = 0; lane < count; ++lane) {
        take(steps[lane], lane);
    }
    propagate_all();
    simplify(lanes_from(0, count), keys);
}

template <typename Ops>
void LaneWork<Ops>::take(LaneStep const& step, std::size_t lane) {
    if (step.action == LaneAction::none) {
        for (std::size_t r = 0; r < view_.num_limited; ++r) {
            Price const aside = as_price(step.aside[r]);
            Price const rest = left(r)[lane];
            left(r)[lane] = static_cast<Price>(rest > aside ? rest - aside : 0);
        }
        return;
    }
    LaneAction const& action = view_.actions[step.action];
    pay(step, lane);
    if (view_.num_counters != 0) {
        change_counts(step, lane);
    }
    bool const is_last = action.repeatable == LaneAction::none ||
                         --attempts(action.repeatable)[lane] == 0;
    for (Number i = action.first_literal; i < action.last_literal; ++i) {
        Number const node = view_.literals[i];
        Number const outcome = view_.nodes[node].outcome;
        bool const is_true = outcome == ResidualNode::no_outcome ||
                             outcome == action.first_outcome + step.outcome;
        if (is_true || is_last) {
            Word const decided = view_.undecided[node] & Word{1} << lane;
            (is_true ? view_.is_true : view_.is_false)[node] |= decided;
        }
    }
}

template <typename Ops>
void LaneWork<Ops>::pay(LaneStep const& step, std::size_t lane) {
    LaneAction const& action = view_.actions[step.action];
    std::size_t const variant = action.first_variant + step.variant;
    for (std::size_t r = 0; r < view_.num_limited; ++r) {
        Price const price = as_price(view_.prices[variant * view_.num_limited + r]);
        Price const aside = step.aside == nullptr ? Price{0} : as_price(step.aside[r]);
        auto rest = static_cast<Price>(left(r)[lane] - price);
        if (view_.outcome_prices != nullptr) {
            std::size_t const outcome = action.first_outcome + step.outcome;
            rest = static_cast<Price>(
                rest - as_price(view_.outcome_prices[outcome * view_.num_limited + r]));
        }
        left(r)[lane] = static_cast<Price>(rest > aside ? rest - aside : 0);
    }
}

// What would leave its range stays at the end of it.
template <typename Ops>
void LaneWork<Ops>::change_counts(LaneStep const& step, std::size_t lane) {
    LaneAction const& action = view_.actions[step.action];
    Number const branch =
        action.first_branch + step.variant * action.num_outcomes + step.outcome;
    for (Number i = view_.first_effects[branch]; i < view_.first_effects[branch + 1];
         ++i) {
        Effect const& effect = view_.effects[i];
        auto const number = static_cast<std::size_t>(effect.counter);
        Price& value = count(number)[lane];
        std::int64_t const size = view_.counters[number].size;
        std::int64_t const next = static_cast<std::int64_t>(value) + effect.change;
        value = static_cast<Price>(next < 0 ? 0 : next > size ? size : next);
    }
}

template <typename Ops>
void LaneWork<Ops>::refresh(LaneStep const* steps, std::size_t count) {
    forget();
    load(steps, count);
    find_open();
    drop_what_is_out_of_reach(); // Nothing is, but this works out the costs.
    mark();
    cap_budget(count == num_lanes ? ~Word{0} : (Word{1} << count) - 1);
}

// Decide what has come true or false now, and what follows from that. What a node is
// made of comes before it, so once from below; what comes before it in a circle, after.
template <typename Ops>
void LaneWork<Ops>::propagate_all() {
    for (std::size_t i = 0; i < view_.num_open; ++i) {
        Number const index = view_.open[i];
        if (decide(index)) {
            for (Number k = view_.first_users[index];
                 k < view_.first_users[index + 1] && view_.users[k] <= index; ++k) {
                add(view_.news, view_.users[k]);
            }
        }
    }
    propagate();
}

// The same where little has changed: the nodes in the news, and what these change. Of
// others only comparisons, as counters may have changed.
template <typename Ops>
void LaneWork<Ops>::propagate() {
    for (std::size_t i = 0; i < view_.num_counters; ++i) {
        LaneCounter const& counter = view_.counters[i];
        for (Number k = counter.first_comparison; k < counter.last_comparison; ++k) {
            add(view_.news, view_.comparisons[k]);
        }
    }
    take_upwards(view_.news, [this](Number index) { decide_and_tell(index); });
    take_upwards(view_.decided, [this](Number index) { forget_decided(index); });
}

template <typename Ops>
void LaneWork<Ops>::decide_and_tell(Number index) {
    if (decide(index)) {
        add_users(index, view_.news);
        add_users(index, view_.stale);
    }
}

template <typename Ops>
void LaneWork<Ops>::forget_decided(Number index) {
    view_.is_true[index] = 0;
    view_.is_false[index] = 0;
    LaneNode const& node = view_.nodes[index];
    for (Number k = node.first_owner; k < node.last_owner; ++k) {
        if (view_.owners[k].kind == NodeOwner::Kind::allowed) {
            view_.is_killed[view_.owners[k].subject] = 0;
        }
    }
}

// From below; and again, if a visit adds what was passed already.
template <typename Ops>
template <typename Visit>
void LaneWork<Ops>::take_upwards(Word* nodes, Visit visit) const {
    do {
        for (std::size_t w = 0; w < view_.node_words; ++w) {
            Word ahead = ~Word{0};
            while ((nodes[w] & ahead) != 0) {
                auto const bit = std::countr_zero(nodes[w] & ahead);
                ahead = ~Word{1} << bit;
                nodes[w] &= ~(Word{1} << bit);
                visit(static_cast<Number>(w * 64 + static_cast<std::size_t>(bit)));
            }
        }
    } while (view_.has_back_users && is_any(nodes));
}

template <typename Ops>
template <typename Visit>
void LaneWork<Ops>::take_downwards(Word* nodes, Visit visit) const {
    do {
        for (std::size_t w = view_.node_words; w-- > 0;) {
            Word ahead = ~Word{0};
            while ((nodes[w] & ahead) != 0) {
                auto const bit = 63 - std::countl_zero(nodes[w] & ahead);
                ahead = (Word{1} << bit) - 1;
                nodes[w] &= ~(Word{1} << bit);
                visit(static_cast<Number>(w * 64 + static_cast<std::size_t>(bit)));
            }
        }
    } while (is_any(nodes));
}

// A gate is decided once something in it is: by what settles it, or when nothing in it
// is left open. Returns whether it is, in some lane.
template <typename Ops>
bool LaneWork<Ops>::decide(Number index) {
    Word const undecided = view_.undecided[index];
    if (undecided == 0) {
        return false;
    }
    LaneNode const& node = view_.nodes[index];
    Word now_true = view_.is_true[index];
    Word now_false = view_.is_false[index];
    if (node.kind == Kind::literal) {
        now_false |= view_.is_killed[node.action];
    } else if (node.kind == Kind::at_least) {
        decide_comparison(node, now_true, now_false);
    } else {
        Word const is_all = node.kind == Kind::all ? ~Word{0} : 0;
        Word settled = 0;
        Word touched = 0;
        Word open = 0;
        for (Number k = node.first_inside; k < node.last_inside; ++k) {
            Number const part = node_of(view_.inside[k]);
            // What settles an `all` is what does not hold.
            Word const by_false = is_all ^ (0 - Word{is_negated(view_.inside[k])});
            settled |=
                (view_.is_true[part] & ~by_false) | (view_.is_false[part] & by_false);
            touched |= view_.is_true[part] | view_.is_false[part];
            open |= view_.undecided[part];
        }
        Word const used_up = touched & ~settled & ~open;
        now_true |= (used_up & is_all) | (settled & ~is_all);
        now_false |= (settled & is_all) | (used_up & ~is_all);
    }
    now_true &= undecided;
    now_false &= undecided & ~now_true;
    Word const decided = now_true | now_false;
    if (decided != 0) {
        view_.is_true[index] |= now_true;
        view_.is_false[index] |= now_false;
        view_.undecided[index] &= ~decided;
        add(view_.decided, index);
        report_to_owners(node, now_true, now_false);
    }
    return decided != 0;
}

// It stays as it is once nothing can change that any more.
template <typename Ops>
void LaneWork<Ops>::decide_comparison(LaneNode const& node, Word& now_true,
                                      Word& now_false) const {
    Word raised = 0;
    Word lowered = 0;
    for (Number k = node.first_inside; k < node.last_inside; ++k) {
        Word const open = view_.undecided[node_of(view_.inside[k])];
        (is_negated(view_.inside[k]) ? lowered : raised) |= open;
    }
    Word const holds = stands_at_least(node);
    now_true |= holds & ~lowered;
    now_false |= ~holds & ~raised;
}

template <typename Ops>
void LaneWork<Ops>::report_to_owners(LaneNode const& node, Word is_true,
                                     Word is_false) {
    for (Number i = node.first_owner; i < node.last_owner; ++i) {
        NodeOwner const& owner = view_.owners[i];
        Word const holds = owner.is_negated ? is_false : is_true;
        Word const fails = owner.is_negated ? is_true : is_false;
        switch (owner.kind) {
        case NodeOwner::Kind::reward:
            if (view_.rewards[owner.subject].group != no_group) {
                view_.secured[owner.subject] |= holds;
            } else if (view_.is_sum) {
                view_.gained[owner.subject] |= holds;
            } else {
                std::uint32_t const level = view_.levels[owner.subject];
                for (Word rest = holds; rest != 0; rest &= rest - 1) {
                    std::uint32_t& held = view_.held[std::countr_zero(rest)];
                    held = held < level ? level : held;
                }
            }
            break;
        case NodeOwner::Kind::allowed:
            view_.is_killed[owner.subject] |= fails;
            break;
        case NodeOwner::Kind::clause: {
            LaneAction const& action = view_.actions[owner.subject];
            for (Number k = owner.clause; k < action.num_clauses; ++k) {
                view_.open_clauses[action.first_clause + k] &= ~holds;
            }
            break;
        }
        case NodeOwner::Kind::finish:
            view_.finished |= holds;
            break;
        }
    }
}

// A lane that is simple is stored and then out of the way.
template <typename Ops>
void LaneWork<Ops>::simplify(Word lanes, Word* keys) {
    while (lanes != 0) {
        drop_what_is_out_of_reach();
        mark();
        Word const again = drop_what_is_of_no_use();
        Word const done = lanes & ~again;
        cap_attempts(done);
        cap_budget(done);
        cap_counts(done);
        store(done, keys);
        lanes = again;
        for (std::size_t i = 0; lanes != 0 && i < view_.num_open; ++i) {
            view_.undecided[view_.open[i]] &= lanes;
        }
    }
}

// What follows bounds costs from below, and drops what there is not enough left for.

// The least and the most that an attempt may take, as far as clauses are open.
template <typename Ops>
void LaneWork<Ops>::note_prices(bool of_all) {
    for (std::size_t i = 0; i < view_.num_conditioned; ++i) {
        LaneAction const& action = view_.actions[view_.conditioned[i]];
        for (std::size_t r = 0; r < view_.num_limited; ++r) {
            if (!of_all && !is_stale(action)) {
                break;
            }
            std::int64_t const* const prices =
                view_.prices + action.first_variant * view_.num_limited + r;
            Row least = Ops::all(endless);
            Row most = Ops::all(0);
            Word before = ~Word{0}; // no clause before holds for good
            for (std::size_t k = 0; k <= action.num_clauses; ++k) {
                Word possible = before;
                if (k < action.num_clauses) {
                    std::size_t const clause = action.first_clause + k;
                    Word const open = view_.open_clauses[clause];
                    possible = (before & ~open) |
                               (open & view_.undecided[node_of(view_.clauses[clause])]);
                    before &= open;
                }
                Row const price = Ops::all(as_price(prices[k * view_.num_limited]));
                least =
                    Ops::least(least, Ops::where(possible, price, Ops::all(endless)));
                most = Ops::most(most, Ops::where(possible, price, Ops::all(0)));
            }
            Ops::store(row(view_.cheapest, i, r), least);
            Ops::store(row(view_.dearest, i, r), most);
        }
    }
}

template <typename Ops>
bool LaneWork<Ops>::is_stale(LaneAction const& action) const {
    bool result = false;
    for (Number i = action.first_literal; i < action.last_literal; ++i) {
        result |= has(view_.stale, view_.literals[i]);
    }
    return result;
}

// One sweep upwards settles it, unless costs depend on each other in a circle or
// dropping a node changes what was estimated before: then what depends on that is
// worked out again, until nothing changes.
template <typename Ops>
void LaneWork<Ops>::drop_what_is_out_of_reach() {
    bool const is_simple = !view_.is_cyclic && view_.num_resources == 1 &&
                           view_.num_conditioned == 0 &&
                           view_.dearest_outcomes == nullptr;
    note_prices(true);
    sweep_costs();
    if (is_simple && !view_.has_negation) {
        return; // It is of no use either, and only that makes a difference.
    }
    Word dropped = 0;
    for (std::size_t i = 0; i < view_.num_open; ++i) {
        dropped |= drop_beyond_reach(view_.open[i]);
    }
    while (dropped != 0) {
        propagate();
        if (is_simple) {
            return;
        }
        note_prices(false);
        sweep_stale_costs();
        dropped = 0;
        take_upwards(view_.repriced,
                     [&](Number index) { dropped |= drop_beyond_reach(index); });
    }
}

template <typename Ops>
Word LaneWork<Ops>::drop_beyond_reach(Number index) {
    Word within = ~Word{0};
    for (std::size_t r = 0; r < view_.num_resources; ++r) {
        within &= Ops::at_most(cost(index, r), Ops::load(left(r)));
    }
    if (view_.dearest_outcomes != nullptr && view_.nodes[index].kind == Kind::literal) {
        within &= affords_outcomes(view_.nodes[index]);
    }
    Word const dropped = view_.undecided[index] & ~within;
    if (dropped != 0) {
        view_.is_false[index] = dropped;
        add(view_.news, index);
    }
    return dropped;
}

// A lower bound on what it takes to make each undecided node true, from below. In
// circles and before them bounds fall from what is too much, until they fit together.
template <typename Ops>
void LaneWork<Ops>::sweep_costs() {
    for (std::size_t w = 0; w < view_.node_words; ++w) {
        view_.stale[w] = 0;
    }
    for (std::size_t i = 0; view_.is_cyclic && i < view_.num_open; ++i) {
        for (std::size_t r = 0; r < view_.num_resources; ++r) {
            Ops::store(row(view_.cost, view_.open[i], r), Ops::all(endless));
        }
    }
    for (std::size_t i = 0; i < view_.num_open; ++i) {
        Number const index = view_.open[i];
        if (view_.is_cyclic && has(view_.circles, index)) {
            view_.stale[index / 64] &= ~(Word{1} << index % 64);
            (void)work_out_cost(index);
            continue;
        }
        for (std::size_t r = 0; view_.undecided[index] != 0 && r < view_.num_resources;
             ++r) {
            Ops::store(row(view_.cost, index, r), cost_of(view_.nodes[index], r));
        }
    }
    if (view_.is_cyclic) {
        take_upwards(view_.stale, [this](Number index) { (void)work_out_cost(index); });
    }
}

// What depends on nodes that were decided, and on what that changes. A bound that rises
// must not go by one that it holds up itself: where there is a circle, all begins anew.
template <typename Ops>
void LaneWork<Ops>::sweep_stale_costs() {
    Word in_circles = 0;
    for (std::size_t w = 0; view_.is_cyclic && w < view_.node_words; ++w) {
        in_circles |= view_.stale[w] & view_.circles[w];
    }
    for (std::size_t i = 0; in_circles != 0 && i < view_.num_open; ++i) {
        Number const index = view_.open[i];
        if (has(view_.circles, index)) {
            add(view_.stale, index);
            add(view_.repriced, index);
            for (std::size_t r = 0; r < view_.num_resources; ++r) {
                Ops::store(row(view_.cost, index, r), Ops::all(endless));
            }
        }
    }
    take_upwards(view_.stale, [this](Number index) {
        if (work_out_cost(index)) {
            add(view_.repriced, index);
        }
    });
}

// Returns whether it has changed, which those that use it are to know then.
template <typename Ops>
bool LaneWork<Ops>::work_out_cost(Number index) {
    Word const undecided = view_.undecided[index];
    Word changed = 0;
    for (std::size_t r = 0; undecided != 0 && r < view_.num_resources; ++r) {
        Row const known = cost(index, r);
        Row const found = cost_of(view_.nodes[index], r);
        changed |=
            undecided & ~(Ops::at_most(known, found) & Ops::at_most(found, known));
        Ops::store(row(view_.cost, index, r), found);
    }
    if (changed != 0) {
        add_users(index, view_.stale);
    }
    return changed != 0;
}

template <typename Ops>
typename Ops::Row LaneWork<Ops>::cost_of(LaneNode const& node,
                                         std::size_t resource) const {
    if (node.kind == Kind::literal) {
        Row const allowed = Ops::where(
            paid(node.allowed), cost(node_of(node.allowed), resource), Ops::all(0));
        return Ops::add(cheapest(node.action, resource), allowed);
    }
    if (node.kind == Kind::at_least) {
        return cost_of_comparison(node, resource);
    }
    if (node.kind == Kind::any) {
        Row least = Ops::all(endless);
        for (Number i = node.first_inside; i < node.last_inside; ++i) {
            LaneRef const ref = view_.inside[i];
            Row const free = Ops::all(0);
            Row const price = is_negated(ref) ? free : cost(node_of(ref), resource);
            least = Ops::least_where(view_.undecided[node_of(ref)], least, price);
        }
        return least;
    }
    Row total = Ops::all(0);
    Number first = node.first_inside;
    for (Number part = node.first_part; first < node.last_inside; ++part) {
        total = Ops::add(total, most_of_part(first, view_.part_ends[part], resource));
        first = view_.part_ends[part];
    }
    return total;
}

// Nothing if it holds now; else an attempt that raises the counter.
template <typename Ops>
typename Ops::Row LaneWork<Ops>::cost_of_comparison(LaneNode const& node,
                                                    std::size_t resource) const {
    Row least = Ops::all(endless);
    for (Number i = node.first_inside; i < node.last_inside; ++i) {
        LaneRef const ref = view_.inside[i];
        if (!is_negated(ref)) {
            least = Ops::least_where(view_.undecided[node_of(ref)], least,
                                     cost(node_of(ref), resource));
        }
    }
    return Ops::where(stands_at_least(node), Ops::all(0), least);
}

// The lanes in which an attempt could be paid for with the dearest outcomes, once what
// it requires is paid for.
template <typename Ops>
Word LaneWork<Ops>::affords_outcomes(LaneNode const& node) const {
    Word result = ~Word{0};
    for (std::size_t r = 0; r < view_.num_limited; ++r) {
        Price const most =
            as_price(view_.dearest_outcomes[node.action * view_.num_limited + r]);
        Row const whole = Ops::add(cost_of(node, r), Ops::all(most));
        result &= Ops::at_most(whole, Ops::load(left(r)));
    }
    return result;
}

template <typename Ops>
typename Ops::Row LaneWork<Ops>::cheapest(Number action, std::size_t resource) const {
    LaneAction const& own = view_.actions[action];
    if (own.conditioned != LaneAction::none && resource < view_.num_limited) {
        return Ops::load(row(view_.cheapest, own.conditioned, resource));
    }
    return Ops::all(
        resource < view_.num_limited
            ? as_price(view_.prices[own.first_variant * view_.num_limited + resource])
            : Price{0});
}

template <typename Ops>
typename Ops::Row LaneWork<Ops>::dearest(Number action, std::size_t resource) const {
    LaneAction const& own = view_.actions[action];
    Row const price = own.conditioned == LaneAction::none
                          ? cheapest(action, resource)
                          : Ops::load(row(view_.dearest, own.conditioned, resource));
    if (view_.dearest_outcomes == nullptr) {
        return price;
    }
    return Ops::add(
        price, Ops::all(as_price(
                   view_.dearest_outcomes[action * view_.num_limited + resource])));
}

// Parts that share no action cannot share costs either. Within a part, what is not the
// dearest may come with that.
template <typename Ops>
typename Ops::Row LaneWork<Ops>::most_of_part(Number first, Number last,
                                              std::size_t resource) const {
    Row most = Ops::all(0);
    for (Number i = first; i < last; ++i) {
        LaneRef const ref = view_.inside[i];
        Row const price =
            Ops::where(paid(ref), cost(node_of(ref), resource), Ops::all(0));
        most = Ops::most(most, price);
    }
    return most;
}

// What follows finds the rewarding sets that can still be had, some at a time: those
// that nothing has ruled out and that there is enough left for.

template <typename Ops>
void LaneWork<Ops>::find_reach() {
    for (std::size_t i = 0; i < view_.num_open; ++i) {
        view_.is_in_reach[view_.open[i]] = view_.num_sets == 0 ? ~Word{0} : 0;
    }
    for (std::size_t first = 0; first < view_.num_sets; first += sets_at_once) {
        std::size_t const rest = view_.num_sets - first;
        std::size_t const last = first + (rest < sets_at_once ? rest : sets_at_once);
        alignas(64) Word reach[sets_at_once] = {};
        Word any = 0;
        for (std::size_t s = first; s < last; ++s) {
            Word const sought = sought_lanes(s);
            reach[s - first] = sought == 0 ? 0 : sought & affords_set(s);
            any |= reach[s - first];
        }
        if (any != 0) {
            reach_nodes(first, reach);
        }
    }
}

// The lanes in which a set would bring a reward that makes a difference.
template <typename Ops>
Word LaneWork<Ops>::sought_lanes(std::size_t set) const {
    Word result = 0;
    for (Number i = view_.first_set_rewards[set]; i < view_.first_set_rewards[set + 1];
         ++i) {
        result |= view_.relevant[view_.set_rewards[i]];
    }
    return result;
}

template <typename Ops>
Word LaneWork<Ops>::affords_set(std::size_t set) const {
    Word result = ~Word{0};
    for (std::size_t r = 0; r < view_.num_limited; ++r) {
        Row total = Ops::all(0);
        for (Number i = view_.first_needs[set]; i < view_.first_needs[set + 1]; ++i) {
            // Without a branch, as some lane has hardly anything decided.
            Row const price =
                Ops::all(as_price(view_.need_prices[i * view_.num_limited + r]));
            Word const undecided = view_.undecided[view_.needs[i]];
            total = Ops::add(total, Ops::where(undecided, price, Ops::all(0)));
        }
        result &= Ops::at_most(total, Ops::load(left(r)));
    }
    return result;
}

// Which nodes hold if just one of these sets comes true, one that brings its reward.
template <typename Ops>
void LaneWork<Ops>::reach_nodes(std::size_t first_set, Word* reach) {
    for (std::size_t i = 0; i < view_.num_open; ++i) {
        if (view_.undecided[view_.open[i]] != 0) {
            evaluate_sets(view_.open[i], first_set);
        }
    }
    for (std::size_t s = 0; s < sets_at_once && first_set + s < view_.num_sets; ++s) {
        Word brought = 0;
        Number const last = view_.first_set_rewards[first_set + s + 1];
        for (Number i = view_.first_set_rewards[first_set + s]; i < last; ++i) {
            Number const reward = view_.set_rewards[i];
            Number const node = node_of(view_.reward_nodes[reward]);
            brought |= view_.relevant[reward] & view_.true_in[node * sets_at_once + s];
        }
        reach[s] &= brought;
    }
    for (std::size_t i = 0; i < view_.num_open; ++i) {
        Word const* const true_in = view_.true_in + view_.open[i] * sets_at_once;
        Word found = 0;
        for (std::size_t s = 0; s < sets_at_once; ++s) {
            found |= true_in[s] & reach[s];
        }
        view_.is_in_reach[view_.open[i]] |= found;
    }
}

// For each set, whether the node holds if just that set comes true. What is decided
// holds where it is asked for.
template <typename Ops>
void LaneWork<Ops>::evaluate_sets(Number index, std::size_t first_set) {
    LaneNode const& node = view_.nodes[index];
    alignas(64) Word holds[sets_at_once];
    if (node.kind == Kind::any) {
        for (Word& each : holds) {
            each = 0;
        }
        for (Number i = node.first_inside; i < node.last_inside; ++i) {
            Word const undecided = view_.undecided[node_of(view_.inside[i])];
            if (undecided != 0) {
                Word const* const part = holds_under(view_.inside[i], first_set);
                for (std::size_t s = 0; s < sets_at_once; ++s) {
                    holds[s] |= undecided & part[s];
                }
            }
        }
    } else {
        bool const is_literal = node.kind == Kind::literal;
        Word const* const with =
            view_.with_sets + index * view_.padded_sets + first_set;
        for (std::size_t s = 0; s < sets_at_once; ++s) {
            holds[s] = is_literal ? with[s] : ~Word{0};
        }
        LaneRef const* const inside =
            is_literal ? &node.allowed : view_.inside + node.first_inside;
        Number const count = is_literal ? 1 : node.last_inside - node.first_inside;
        for (Number i = 0; i < count; ++i) {
            Word const undecided = view_.undecided[node_of(inside[i])];
            if (undecided != 0) {
                Word const* const part = holds_under(inside[i], first_set);
                for (std::size_t s = 0; s < sets_at_once; ++s) {
                    holds[s] &= ~undecided | part[s];
                }
            }
        }
    }
    for (std::size_t s = 0; s < sets_at_once; ++s) {
        view_.true_in[index * sets_at_once + s] = holds[s];
    }
}

// What follows marks what may help, from the rewards downwards.

// Which nodes may help if they come out true, or false; and which actions, then.
template <typename Ops>
void LaneWork<Ops>::mark() {
    for (std::size_t i = 0; i < view_.num_open; ++i) {
        Number const node = view_.open[i];
        view_.wanted[node] = 0;
        view_.wants_not[node] = 0;
        for (std::size_t r = 0; r < view_.num_resources; ++r) {
            Ops::store(row(view_.rest, node, r), Ops::all(endless));
        }
    }
    for (std::size_t i = 0; i < view_.num_open_actions; ++i) {
        view_.is_useful[view_.open_actions[i]] = 0;
    }
    find_relevant();
    find_reach();
    mark_rewards();
    if (view_.num_moves != 0) {
        mark_moves();
    }
    if (view_.num_groups != 0) {
        mark_knowledge();
    }
    take_downwards(view_.marked, [this](Number index) { mark_below(index); });
}

// The lanes in which each reward is undecided and can still make a difference.
template <typename Ops>
void LaneWork<Ops>::find_relevant() {
    for (std::size_t i = 0; i < view_.num_rewards; ++i) {
        Word lanes = view_.undecided[node_of(view_.reward_nodes[i])];
        if (view_.is_sum) {
            lanes = view_.rewards[i].value != 0 ? lanes : 0;
        } else if (lanes != 0) {
            lanes &= above_held(view_.levels[i]);
        }
        view_.relevant[i] = lanes;
    }
}

template <typename Ops>
Word LaneWork<Ops>::above_held(std::uint32_t level) const {
    Word result = 0;
    for (std::size_t lane = 0; lane < num_lanes; ++lane) {
        result |= Word{view_.held[lane] < level} << lane;
    }
    return result;
}

// What depends on hidden facts is better decided with more known about them. For `max`,
// what else can be earned is worth less where more is paid for how they are.
template <typename Ops>
void LaneWork<Ops>::mark_knowledge() {
    Word relevant = 0;
    for (std::size_t i = 0; i < view_.num_rewards; ++i) {
        relevant |= view_.relevant[i];
    }
    for (Number g = 0; g < view_.num_groups; ++g) {
        LaneGroup const& group = view_.groups[g];
        Word lanes = view_.is_sum ? 0 : relevant & depends_on(group);
        for (Number k = group.first_reward; view_.is_sum && k < group.last_reward;
             ++k) {
            lanes |= view_.relevant[view_.group_parts[k]];
        }
        want_informers(g, lanes);
    }
}

template <typename Ops>
void LaneWork<Ops>::want_informers(Number group, Word lanes) {
    LaneGroup const& own = view_.groups[group];
    for (Number k = own.first_informer; lanes != 0 && k < own.last_informer; ++k) {
        want_at_once(view_.group_parts[k], lanes);
    }
}

// The lanes in which what stopping pays, now or later, depends on a group.
template <typename Ops>
Word LaneWork<Ops>::depends_on(LaneGroup const& group) const {
    Word result = 0;
    for (Number k = group.first_reward; k < group.last_reward; ++k) {
        Number const reward = view_.group_parts[k];
        Word const open = view_.undecided[node_of(view_.reward_nodes[reward])];
        Word const lanes = (view_.relevant[reward] & open) | view_.secured[reward];
        result |= view_.is_sum || lanes == 0 ? lanes
                                             : lanes & above_held(view_.levels[reward]);
    }
    return result;
}

template <typename Ops>
void LaneWork<Ops>::mark_rewards() {
    for (std::size_t i = 0; i < view_.num_rewards; ++i) {
        LaneRef const when = view_.reward_nodes[i];
        Number const node = node_of(when);
        Word const lanes = view_.relevant[i];
        if (lanes == 0) {
            continue;
        }
        if (is_negated(when) != (view_.rewards[i].value < 0)) {
            want_not(node, lanes);
        } else {
            want_at_once(node, lanes);
        }
    }
    for (std::size_t i = 0; i < view_.num_payers; ++i) {
        want_at_once(view_.payers[i], ~Word{0});
    }
}

// As long as it is not certain that one may stop, whatever can be done may have to be
// done.
template <typename Ops>
void LaneWork<Ops>::mark_moves() {
    Word const lanes = ~view_.finished;
    for (std::size_t i = 0; i < view_.num_moves; ++i) {
        want_at_once(view_.moves[i], lanes);
    }
    Number const finish = node_of(view_.finish);
    is_negated(view_.finish) ? want_not(finish, lanes) : want_at_once(finish, lanes);
}

// What is wanted more than before is looked at once more.
template <typename Ops>
void LaneWork<Ops>::want(Number node, std::size_t resource, Word lanes, Row rest) {
    Price* const own = row(view_.rest, node, resource);
    Row const known = Ops::load(own);
    Row const found = Ops::least_where(lanes, known, rest);
    Ops::store(own, found);
    Word const is_more = view_.undecided[node] & ~Ops::at_most(known, found);
    view_.marked[node / 64] |= Word{is_more != 0} << node % 64;
}

template <typename Ops>
void LaneWork<Ops>::want_at_once(Number node, Word lanes) {
    for (std::size_t r = 0; r < view_.num_resources; ++r) {
        want(node, r, lanes, Ops::all(0));
    }
}

template <typename Ops>
void LaneWork<Ops>::want_not(Number node, Word lanes) {
    Word const fresh = lanes & view_.undecided[node] & ~view_.wants_not[node];
    view_.wants_not[node] |= fresh;
    view_.marked[node / 64] |= Word{fresh != 0} << node % 64;
}

// Pass on what is wanted of a node to what it is made of.
template <typename Ops>
void LaneWork<Ops>::mark_below(Number index) {
    LaneNode const& node = view_.nodes[index];
    if (Word const lanes = view_.wants_not[index]; lanes != 0) {
        for (Number i = node.first_inside; i < node.last_inside; ++i) {
            Number const part = node_of(view_.inside[i]);
            is_negated(view_.inside[i]) ? want_at_once(part, lanes)
                                        : want_not(part, lanes);
        }
    }
    Word lanes = view_.undecided[index];
    for (std::size_t r = 0; r < view_.num_resources; ++r) {
        Row const whole =
            Ops::add(cost(index, r), Ops::load(row(view_.rest, index, r)));
        lanes &= Ops::at_most(whole, Ops::load(left(r)));
    }
    lanes &= view_.is_in_reach[index];
    if (lanes == 0) {
        return;
    }
    view_.wanted[index] = lanes;
    switch (node.kind) {
    case Kind::literal:
        return mark_action(index, lanes);
    case Kind::all:
        return mark_inside_all(index, lanes);
    case Kind::any:
    case Kind::at_least:
        break;
    }
    mark_inside_any(index, lanes);
}

template <typename Ops>
void LaneWork<Ops>::mark_inside_any(Number index, Word lanes) {
    LaneNode const& node = view_.nodes[index];
    for (std::size_t r = 0; r < view_.num_resources; ++r) {
        Row const rest = Ops::load(row(view_.rest, index, r));
        for (Number i = node.first_inside; i < node.last_inside; ++i) {
            Number const part = node_of(view_.inside[i]);
            is_negated(view_.inside[i]) ? want_not(part, lanes)
                                        : want(part, r, lanes, rest);
        }
    }
}

// The other parts cost at least what they were estimated at. What shares actions with
// this one may come for free.
template <typename Ops>
void LaneWork<Ops>::mark_inside_all(Number index, Word lanes) {
    LaneNode const& node = view_.nodes[index];
    for (std::size_t r = 0; r < view_.num_resources; ++r) {
        Row const whole =
            Ops::add(cost(index, r), Ops::load(row(view_.rest, index, r)));
        Number i = node.first_inside;
        for (Number part = node.first_part; i < node.last_inside; ++part) {
            Number const end = view_.part_ends[part];
            Row const rest = Ops::subtract(whole, most_of_part(i, end, r));
            for (; i < end; ++i) {
                Number const inside = node_of(view_.inside[i]);
                is_negated(view_.inside[i]) ? want_not(inside, lanes)
                                            : want(inside, r, lanes, rest);
            }
        }
    }
}

template <typename Ops>
void LaneWork<Ops>::mark_action(Number index, Word lanes) {
    LaneNode const& node = view_.nodes[index];
    LaneAction const& action = view_.actions[node.action];
    Number const allowed = node_of(node.allowed);
    view_.is_useful[node.action] |= lanes;
    for (std::size_t r = 0; r < view_.num_resources; ++r) {
        Row const rest =
            Ops::add(Ops::load(row(view_.rest, index, r)), cheapest(node.action, r));
        is_negated(node.allowed) ? want_not(allowed, lanes)
                                 : want(allowed, r, lanes, rest);
    }
    for (Number k = 0; k < action.num_clauses; ++k) {
        Number const clause = node_of(view_.clauses[action.first_clause + k]);
        Word const open = lanes & view_.open_clauses[action.first_clause + k];
        want_at_once(clause, open);
        want_not(clause, open);
    }
    if (action.group != no_group) {
        want_informers(action.group, lanes);
    }
}

// What follows makes a state simple, after what may help is marked.

// A fact that is not marked can be dropped, since no reward depends on it any more. A
// fact that should stay false is false for good when its action is of no use; as that
// may decide further nodes, these lanes are to be looked at again.
template <typename Ops>
Word LaneWork<Ops>::drop_what_is_of_no_use() {
    Word changed = 0;
    for (std::size_t i = 0; i < view_.num_open; ++i) {
        Number const index = view_.open[i];
        LaneNode const& node = view_.nodes[index];
        view_.undecided[index] &= view_.wanted[index] | view_.wants_not[index];
        if (node.kind == Kind::literal) {
            Word const dropped = view_.undecided[index] & view_.wants_not[index] &
                                 ~view_.is_useful[node.action];
            if (dropped != 0) {
                view_.is_false[index] = dropped;
                add(view_.news, index);
                changed |= dropped;
            }
        }
    }
    if (changed != 0) {
        propagate();
    }
    return changed;
}

// Attempts that no budget pays for make no difference; where an attempt is free, all
// stay.
template <typename Ops>
void LaneWork<Ops>::cap_attempts(Word lanes) {
    alignas(64) Price prices[num_lanes];
    for (std::size_t i = 0; i < view_.num_repeatable; ++i) {
        Number const action = view_.repeatable[i];
        Word const useful = lanes & view_.is_useful[action];
        for (std::size_t r = 0; useful != 0 && r < view_.num_limited; ++r) {
            Row const price = cheapest(action, r);
            Row const total = Ops::times(price, Ops::load(attempts(i)));
            Ops::store(prices, price);
            Word const too_many = useful & ~Ops::at_most(total, Ops::load(left(r)));
            for (Word rest = too_many; rest != 0; rest &= rest - 1) {
                auto const lane = static_cast<std::size_t>(std::countr_zero(rest));
                attempts(i)[lane] = static_cast<Price>(left(r)[lane] / prices[lane]);
            }
        }
        for (Number k = view_.first_attempt_bounds[i];
             useful != 0 && k < view_.first_attempt_bounds[i + 1]; ++k) {
            cap_attempts_by(view_.attempt_bounds[k], i, useful);
        }
    }
}

template <typename Ops>
void LaneWork<Ops>::cap_attempts_by(AttemptBound const& bound, std::size_t repeatable,
                                    Word lanes) {
    Price const* const counts = count(static_cast<std::size_t>(bound.counter));
    for (Word rest = lanes; rest != 0; rest &= rest - 1) {
        auto const lane = static_cast<std::size_t>(std::countr_zero(rest));
        Price& known = attempts(repeatable)[lane];
        Price const most =
            as_price(bound.most(static_cast<std::int64_t>(counts[lane])));
        known = most < known ? most : known;
    }
}

// What no plan can spend makes no difference.
template <typename Ops>
void LaneWork<Ops>::cap_budget(Word lanes) {
    view_.is_slack = ~Word{0};
    for (std::size_t r = 0; r < view_.num_limited; ++r) {
        Row total = Ops::all(0);
        for (std::size_t i = 0; i < view_.num_open_actions; ++i) {
            Number const action = view_.open_actions[i];
            Word const useful = view_.is_useful[action];
            if (useful == 0) {
                continue;
            }
            Row price = dearest(action, r);
            if (Number const number = view_.actions[action].repeatable;
                number != LaneAction::none) {
                price = Ops::times(price, Ops::load(attempts(number)));
            }
            total = Ops::add(total, Ops::where(useful, price, Ops::all(0)));
        }
        Row const had = Ops::load(left(r));
        view_.is_slack &= Ops::at_most(total, had);
        Ops::store(left(r), Ops::least_where(lanes, had, total));
    }
}

// A counter is kept as long as a comparison asks for it. Where nothing lowers it any
// more, it is all one how far above the highest threshold it is; where nothing raises
// it, how far below the lowest.
template <typename Ops>
void LaneWork<Ops>::cap_counts(Word lanes) {
    for (std::size_t i = 0; i < view_.num_counters; ++i) {
        LaneCounter const& counter = view_.counters[i];
        if (counter.group != no_group) {
            Word const kept = asked_about(view_.groups[counter.group]) | ~lanes;
            Row const value = Ops::load(count(i));
            Ops::store(count(i), Ops::where(kept, value, Ops::all(0)));
            continue;
        }
        Word asked = 0;
        Row highest = Ops::all(0);
        Row below_lowest = Ops::all(endless);
        for (Number k = counter.first_comparison; k < counter.last_comparison; ++k) {
            Number const node = view_.comparisons[k];
            Word const open = view_.undecided[node];
            if (open != 0) {
                asked |= open;
                Price const at = as_price(view_.nodes[node].threshold);
                Row const most = Ops::most(highest, Ops::all(at));
                highest = Ops::where(open, most, highest);
                below_lowest = Ops::least_where(open, below_lowest,
                                                Ops::all(static_cast<Price>(at - 1)));
            }
        }
        Word const rises = useful_changers(counter.first_raiser, counter.last_raiser);
        Word const falls = useful_changers(counter.first_lowerer, counter.last_lowerer);
        Row value = Ops::load(count(i));
        value = Ops::least_where(asked & ~falls, value, highest);
        value = Ops::where(asked & ~rises, Ops::most(value, below_lowest), value);
        value = Ops::where(asked, value, Ops::all(0));
        Ops::store(count(i), Ops::where(lanes, value, Ops::load(count(i))));
    }
}

// The lanes in which it matters what is known of a group.
template <typename Ops>
Word LaneWork<Ops>::asked_about(LaneGroup const& group) const {
    Word result = depends_on(group);
    for (Number k = group.first_action; k < group.last_action; ++k) {
        result |= view_.is_useful[view_.group_parts[k]];
    }
    return result;
}

template <typename Ops>
Word LaneWork<Ops>::useful_changers(Number first, Number last) const {
    Word result = 0;
    for (Number k = first; k < last; ++k) {
        result |= view_.is_useful[view_.changers[k]];
    }
    return result;
}

// First a word for each bit of a key, with a bit per lane; then a word for each lane,
// with the bits of its key. Of actions that are of no use nothing is kept.
template <typename Ops>
void LaneWork<Ops>::store(Word lanes, Word* keys) const {
    Word* const bits = view_.key_bits;
    for (std::size_t i = 0; i < view_.num_nodes; ++i) {
        bits[i] = view_.undecided[i];
    }
    for (std::size_t i = view_.num_nodes; i < view_.key_words * 64; ++i) {
        bits[i] = 0;
    }
    for (std::size_t i = 0; i < view_.num_repeatable; ++i) {
        if (Word const useful = view_.is_useful[view_.repeatable[i]]; useful != 0) {
            put(view_.attempts_fields[i], Ops::load(attempts(i)), useful);
        }
    }
    for (std::size_t i = 0; i < view_.num_conditioned; ++i) {
        put_tail(i);
    }
    for (std::size_t r = 0; r < view_.num_limited; ++r) {
        put(view_.left_fields[r], Ops::load(left(r)), ~Word{0});
    }
    for (std::size_t i = 0; i < view_.num_counters; ++i) {
        put(view_.counter_fields[i], Ops::load(count(i)), ~Word{0});
    }
    for (std::size_t i = 0; view_.num_groups != 0 && i < view_.num_rewards; ++i) {
        if (KeyField const& field = view_.secured_fields[i]; field.mask != 0) {
            bits[field.word * 64 + field.shift] =
                view_.is_sum ? view_.secured[i]
                             : view_.secured[i] & above_held(view_.levels[i]);
        }
    }
    if (KeyField const& field = view_.finished_field; field.mask != 0) {
        bits[field.word * 64 + field.shift] = view_.finished;
    }
    Word* const held = bits + view_.held_field.word * 64 + view_.held_field.shift;
    for (std::size_t k = 0; (view_.held_field.mask >> k) != 0; ++k) {
        for (std::size_t lane = 0; lane < num_lanes; ++lane) {
            held[k] |= Word{view_.held[lane] >> k & 1U} << lane;
        }
    }
    for (std::size_t w = 0; w < view_.key_words; ++w) {
        transpose(bits + w * 64);
        for (Word rest = lanes; rest != 0; rest &= rest - 1) {
            auto const lane = static_cast<std::size_t>(std::countr_zero(rest));
            keys[lane * view_.key_words + w] = bits[w * 64 + lane];
        }
    }
}

template <typename Ops>
void LaneWork<Ops>::put(KeyField const& field, Row values, Word lanes) const {
    Word* const bits = view_.key_bits + field.word * 64 + field.shift;
    for (std::size_t k = 0; k < 64 && (field.mask >> k) != 0; ++k) {
        bits[k] = lanes & Ops::with_bit(values, k);
    }
}

// The first clause that holds for good, bit by bit.
template <typename Ops>
void LaneWork<Ops>::put_tail(std::size_t conditioned) const {
    Number const number = view_.conditioned[conditioned];
    LaneAction const& action = view_.actions[number];
    KeyField const& field = view_.tail_fields[conditioned];
    Word* const bits = view_.key_bits + field.word * 64 + field.shift;
    Word before = view_.is_useful[number];
    for (std::size_t k = 0; before != 0 && k <= action.num_clauses; ++k) {
        Word const open = k < action.num_clauses
                              ? before & view_.open_clauses[action.first_clause + k]
                              : 0;
        for (Word rest = k; rest != 0; rest &= rest - 1) {
            bits[std::countr_zero(rest)] |= before & ~open;
        }
        before = open;
    }
}

// Halves of ever smaller squares of bits change places: of whole rows, then within
// eight rows, which are a vector.
template <typename Ops>
void LaneWork<Ops>::transpose(Word* square) {
    Word mask = 0xFFFFFFFFU;
    for (std::size_t half = 32; half >= 8; half /= 2, mask ^= mask << half) {
        for (std::size_t first = 0; first < 64; first += 2 * half) {
            for (std::size_t i = first; i < first + half; ++i) {
                Word const swapped = ((square[i] >> half) ^ square[i + half]) & mask;
                square[i] ^= swapped << half;
                square[i + half] ^= swapped;
            }
        }
    }
    constexpr Word all = ~Word{0};
    for (std::size_t first = 0; first < 64; first += 8) {
        Rows own;
        __builtin_memcpy(&own, square + first, sizeof own);
        swap_halves(
            own, Rows{own[4], own[5], own[6], own[7], own[0], own[1], own[2], own[3]},
            4, Rows{0, 0, 0, 0, all, all, all, all}, 0x0F0F0F0F0F0F0F0FU);
        swap_halves(
            own, Rows{own[2], own[3], own[0], own[1], own[6], own[7], own[4], own[5]},
            2, Rows{0, 0, all, all, 0, 0, all, all}, 0x3333333333333333U);
        swap_halves(
            own, Rows{own[1], own[0], own[3], own[2], own[5], own[4], own[7], own[6]},
            1, Rows{0, all, 0, all, 0, all, 0, all}, 0x5555555555555555U);
        __builtin_memcpy(square + first, &own, sizeof own);
    }
}

// Every row has its partner in the same place of `other`. Rows that come first there
// keep their low halves, the others their high ones.
template <typename Ops>
void LaneWork<Ops>::swap_halves(Rows& own, Rows const& other, int half,
                                Rows const& is_second, Word low) {
    own = (own & (low ^ is_second)) | (other << half & ~low & ~is_second) |
          (other >> half & low & is_second);
}

/// The functions of a kernel for prices of one type.
template <typename Ops>
[[nodiscard]] LaneKernel lane_kernel() {
    LaneKernel result;
    result.start = [](LaneView& view, std::int64_t const* budget,
                      std::uint8_t const* left_out,
                      Word* key) { LaneWork<Ops>(view).start(budget, left_out, key); };
    result.take = [](LaneView& view, LaneStep const* steps, std::size_t count,
                     Word* keys) { LaneWork<Ops>(view).take(steps, count, keys); };
    result.refresh = [](LaneView& view, LaneStep const* steps, std::size_t count) {
        LaneWork<Ops>(view).refresh(steps, count);
    };
    result.bytes_per_price = sizeof(typename Ops::Price);
    return result;
}

} // namespace branchwise
