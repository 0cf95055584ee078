#include "branchwise/canonical/lanes/lane_tables.hpp"

#include <algorithm>
#include <cassert>

namespace branchwise {

namespace {

LaneRef lane_ref(NodeRef ref) {
    auto const node = static_cast<std::uint32_t>(index_of(ref.node));
    return static_cast<LaneRef>(2 * node + (ref.is_negated ? 1U : 0U));
}

template <typename T>
std::uint32_t size_of(std::vector<T> const& values) {
    return static_cast<std::uint32_t>(values.size());
}

} // namespace

LaneTables::LaneTables(ResidualLayout const& layout) {
    Instance const& instance = layout.instance();
    add_nodes(layout);
    add_actions(layout);
    add_outcome_prices(instance);
    add_counters(layout);
    add_groups(layout);
    add_rewards(layout);
    add_sets(layout);
    add_users();
    find_circles();
    for (std::size_t r = 0; r < instance.budget.size(); ++r) {
        left_fields_.push_back(layout.left_field(r));
        largest_number_ =
            std::max(largest_number_, static_cast<std::uint64_t>(instance.budget[r]));
    }
    view_.num_resources = std::max<std::size_t>(1, instance.budget.size());
    view_.num_limited = instance.budget.size();
    view_.key_words = layout.key_words();
    view_.left_fields = left_fields_.data();
    view_.held_field = layout.held_field();
    view_.is_sum = instance.is_sum;
    view_.is_cyclic = layout.is_cyclic();
    view_.has_negation = layout.has_negation();
}

void LaneTables::add_nodes(ResidualLayout const& layout) {
    for (ResidualNode const& node : layout.nodes()) {
        LaneNode& own = nodes_.emplace_back();
        own.kind = node.kind;
        own.action = node.action;
        own.outcome = node.outcome;
        own.allowed = lane_ref(node.allowed);
        own.counter = node.counter;
        own.threshold = node.threshold;
        own.first_inside = size_of(inside_);
        own.first_part = size_of(part_ends_);
        own.first_owner = size_of(owners_);
        std::transform(node.inside.begin(), node.inside.end(),
                       std::back_inserter(inside_), lane_ref);
        for (std::uint32_t const end : node.part_ends) {
            part_ends_.push_back(own.first_inside + end);
        }
        owners_.insert(owners_.end(), node.owners.begin(), node.owners.end());
        own.last_inside = size_of(inside_);
        own.last_owner = size_of(owners_);
        auto const id = static_cast<NodeId>(nodes_.size() - 1);
        bool const is_literal = node.kind == ResidualNode::Kind::literal;
        is_possible_.push_back(is_literal && layout.is_possible(id) ? 1 : 0);
    }
    view_.nodes = nodes_.data();
    view_.num_nodes = nodes_.size();
    view_.inside = inside_.data();
    view_.part_ends = part_ends_.data();
    view_.owners = owners_.data();
    view_.is_possible = is_possible_.data();
}

void LaneTables::add_actions(ResidualLayout const& layout) {
    Instance const& instance = layout.instance();
    std::uint32_t num_variants = 0;
    for (std::size_t a = 0; a < instance.actions.size(); ++a) {
        InstanceAction const& action = instance.actions[a];
        LaneAction& own = actions_.emplace_back();
        own.first_outcome = static_cast<std::uint32_t>(index_of(action.first_outcome));
        own.first_literal = size_of(literals_);
        for (NodeId const literal : layout.literals(a)) {
            literals_.push_back(static_cast<std::uint32_t>(index_of(literal)));
        }
        own.last_literal = size_of(literals_);
        own.first_variant = num_variants;
        own.first_clause = size_of(clauses_);
        own.num_clauses = size_of(action.variants) - 1;
        own.is_possible = action.attempts > 0;
        own.num_outcomes = action.num_outcomes;
        own.first_branch = size_of(first_effects_);
        own.group = action.group;
        add_effects(action);
        for (std::size_t k = 0; k < own.num_clauses; ++k) {
            clauses_.push_back(lane_ref(layout.clause(a, k)));
        }
        for (Variant const& variant : action.variants) {
            prices_.insert(prices_.end(), variant.price.begin(), variant.price.end());
        }
        num_variants += size_of(action.variants);
        attempts_.push_back(action.attempts);
    }
    for (std::uint32_t const a : layout.repeatable()) {
        actions_[a].repeatable = size_of(repeatable_);
        repeatable_.push_back(a);
        auto const& bounds = instance.actions[a].attempt_bounds;
        first_attempt_bounds_.push_back(size_of(attempt_bounds_));
        attempt_bounds_.insert(attempt_bounds_.end(), bounds.begin(), bounds.end());
        attempts_fields_.push_back(layout.attempts_field(a));
        auto const attempts = static_cast<std::uint64_t>(instance.actions[a].attempts);
        largest_number_ = std::max(largest_number_, attempts);
    }
    first_attempt_bounds_.push_back(size_of(attempt_bounds_));
    view_.attempt_bounds = attempt_bounds_.data();
    view_.first_attempt_bounds = first_attempt_bounds_.data();
    for (std::uint32_t const a : layout.conditioned()) {
        actions_[a].conditioned = size_of(conditioned_);
        conditioned_.push_back(a);
        tail_fields_.push_back(layout.tail_field(a));
    }
    view_.actions = actions_.data();
    view_.num_actions = actions_.size();
    view_.literals = literals_.data();
    view_.prices = prices_.data();
    view_.attempts_at_start = attempts_.data();
    view_.clauses = clauses_.data();
    view_.num_clauses = clauses_.size();
    view_.repeatable = repeatable_.data();
    view_.num_repeatable = repeatable_.size();
    view_.attempts_fields = attempts_fields_.data();
    view_.conditioned = conditioned_.data();
    view_.num_conditioned = conditioned_.size();
    view_.tail_fields = tail_fields_.data();
}

void LaneTables::add_effects(InstanceAction const& action) {
    for (Variant const& variant : action.variants) {
        for (std::size_t outcome = 0; outcome < action.num_outcomes; ++outcome) {
            first_effects_.push_back(size_of(effects_));
            if (!variant.effects.empty()) {
                auto const& more = variant.effects[outcome];
                effects_.insert(effects_.end(), more.begin(), more.end());
            }
        }
    }
}

void LaneTables::add_outcome_prices(Instance const& instance) {
    if (!instance.has_outcome_costs()) {
        return;
    }
    std::size_t const num_limited = instance.budget.size();
    for (InstanceAction const& action : instance.actions) {
        for (std::size_t r = 0; r < num_limited; ++r) {
            dearest_outcomes_.push_back(action.dearest_outcome(r));
        }
        for (std::size_t i = 0; i < action.num_outcomes; ++i) {
            for (std::size_t r = 0; r < num_limited; ++r) {
                outcome_prices_.push_back(
                    action.has_outcome_costs() ? action.outcome_prices[i][r] : 0);
            }
        }
    }
    view_.outcome_prices = outcome_prices_.data();
    view_.dearest_outcomes = dearest_outcomes_.data();
}

// Any clause and any outcome counts that may raise or lower it, however unlikely.
void LaneTables::add_counters(ResidualLayout const& layout) {
    Instance const& instance = layout.instance();
    auto const add_changers = [&](std::size_t counter, bool is_raised) {
        for (std::uint32_t a = 0; a < instance.actions.size(); ++a) {
            LaneAction const& action = actions_[a];
            auto const num_branches =
                action.num_outcomes * (action.num_clauses + std::uint32_t{1});
            auto const first = first_effects_[action.first_branch];
            auto const last = first_effects_[action.first_branch + num_branches];
            if (std::any_of(effects_.begin() + first, effects_.begin() + last,
                            [&](Effect const& effect) {
                                return index_of(effect.counter) == counter &&
                                       (effect.change > 0) == is_raised;
                            })) {
                changers_.push_back(a);
            }
        }
        return size_of(changers_);
    };
    first_effects_.push_back(size_of(effects_));
    for (std::size_t c = 0; c < instance.counters.size(); ++c) {
        LaneCounter& own = counters_.emplace_back();
        own.size = instance.counters[c].size;
        own.start = instance.counters[c].start;
        own.group = instance.counters[c].group;
        own.first_comparison = size_of(comparisons_);
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            if (nodes_[i].kind == ResidualNode::Kind::at_least &&
                nodes_[i].counter == c) {
                comparisons_.push_back(i);
            }
        }
        own.last_comparison = size_of(comparisons_);
        own.first_raiser = size_of(changers_);
        own.last_raiser = own.first_lowerer = add_changers(c, true);
        own.last_lowerer = add_changers(c, false);
        counter_fields_.push_back(layout.counter_field(c));
        largest_number_ =
            std::max(largest_number_, static_cast<std::uint64_t>(own.size));
    }
    view_.counters = counters_.data();
    view_.num_counters = counters_.size();
    view_.comparisons = comparisons_.data();
    view_.changers = changers_.data();
    view_.effects = effects_.data();
    view_.first_effects = first_effects_.data();
    view_.counter_fields = counter_fields_.data();
}

void LaneTables::add_groups(ResidualLayout const& layout) {
    Instance const& instance = layout.instance();
    auto const add_if_part = [this](auto const& all, std::size_t group) {
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            if (all[i].group == group) {
                group_parts_.push_back(i);
            }
        }
        return size_of(group_parts_);
    };
    for (std::size_t g = 0; g < instance.groups.size(); ++g) {
        LaneGroup& own = groups_.emplace_back();
        own.first_informer = size_of(group_parts_);
        for (NodeId const informer : layout.informers(g)) {
            group_parts_.push_back(static_cast<std::uint32_t>(index_of(informer)));
        }
        own.last_informer = own.first_action = size_of(group_parts_);
        own.last_action = own.first_reward = add_if_part(instance.actions, g);
        own.last_reward = add_if_part(instance.rewards, g);
    }
    for (std::size_t i = 0; i < instance.rewards.size(); ++i) {
        secured_fields_.push_back(layout.secured_field(i));
    }
    view_.groups = groups_.data();
    view_.num_groups = groups_.size();
    view_.group_parts = group_parts_.data();
    view_.secured_fields = secured_fields_.data();
}

void LaneTables::add_rewards(ResidualLayout const& layout) {
    Instance const& instance = layout.instance();
    for (std::size_t i = 0; i < instance.rewards.size(); ++i) {
        reward_nodes_.push_back(lane_ref(layout.reward(i)));
        levels_.push_back(instance.is_sum ? 0 : layout.level_of(i));
    }
    for (NodeId const payer : layout.payers()) {
        payers_.push_back(static_cast<std::uint32_t>(index_of(payer)));
    }
    for (NodeId const move : layout.moves()) {
        moves_.push_back(static_cast<std::uint32_t>(index_of(move)));
    }
    view_.moves = moves_.data();
    view_.num_moves = moves_.size();
    view_.finish = lane_ref(layout.finish());
    view_.finished_field = layout.finished_field();
    view_.payers = payers_.data();
    view_.num_payers = payers_.size();
    view_.reward_nodes = reward_nodes_.data();
    view_.rewards = instance.rewards.data();
    view_.num_rewards = instance.rewards.size();
    view_.levels = levels_.data();
}

void LaneTables::add_sets(ResidualLayout const& layout) {
    ResidualSets const& sets = layout.sets();
    first_needs_.push_back(0);
    for (std::size_t s = 0; s < sets.size(); ++s) {
        add_needs(layout, s);
    }
    view_.num_sets = sets.size();
    view_.padded_sets = (sets.size() + sets_at_once - 1) / sets_at_once * sets_at_once;
    auto const has = [](Word const* bits, std::size_t set) {
        return has_bit(bits, set) ? ~Word{0} : 0;
    };
    with_sets_.resize(nodes_.size() * view_.padded_sets);
    without_sets_.resize(with_sets_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        for (std::size_t s = 0; s < sets.size(); ++s) {
            with_sets_[i * view_.padded_sets + s] = has(sets.with(i), s);
            without_sets_[i * view_.padded_sets + s] = has(sets.without(i), s);
        }
    }
    first_set_rewards_.push_back(0);
    for (std::size_t s = 0; s < sets.size(); ++s) {
        for (std::size_t i = 0; i < reward_nodes_.size(); ++i) {
            if (has_bit(sets.of_reward(i), s)) {
                set_rewards_.push_back(static_cast<std::uint32_t>(i));
            }
        }
        first_set_rewards_.push_back(size_of(set_rewards_));
    }
    view_.with_sets = with_sets_.data();
    view_.without_sets = without_sets_.data();
    view_.set_rewards = set_rewards_.data();
    view_.first_set_rewards = first_set_rewards_.data();
    view_.needs = needs_.data();
    view_.first_needs = first_needs_.data();
    view_.need_prices = need_prices_.data();
}

// There are no sets where clauses decide what an attempt takes, so it is always the
// same.
void LaneTables::add_needs(ResidualLayout const& layout, std::size_t set) {
    for (ResidualSets::Need const& need : layout.sets().needs(set)) {
        if (need.is_free) {
            continue;
        }
        assert(actions_[need.action].conditioned == LaneAction::none);
        needs_.push_back(need.node);
        auto const& price =
            layout.instance().actions[need.action].variants.front().price;
        need_prices_.insert(need_prices_.end(), price.begin(), price.end());
    }
    first_needs_.push_back(size_of(needs_));
}

// Gates change with what is inside them; facts about an action, with what it requires
// and with the clauses that decide what it costs.
void LaneTables::add_users() {
    std::vector<std::vector<std::uint32_t>> users(nodes_.size());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        LaneNode const& node = nodes_[i];
        for (std::uint32_t k = node.first_inside; k < node.last_inside; ++k) {
            users[node_of(inside_[k])].push_back(i);
        }
        if (node.kind != ResidualNode::Kind::literal) {
            continue;
        }
        users[node_of(node.allowed)].push_back(i);
        LaneAction const& action = actions_[node.action];
        for (std::uint32_t k = 0; k < action.num_clauses; ++k) {
            users[node_of(clauses_[action.first_clause + k])].push_back(i);
        }
    }
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        first_users_.push_back(size_of(users_));
        auto& own = users[i];
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        users_.insert(users_.end(), own.begin(), own.end());
        view_.has_back_users |= !own.empty() && own.front() <= i;
    }
    first_users_.push_back(size_of(users_));
    view_.users = users_.data();
    view_.first_users = first_users_.data();
    view_.node_words = (nodes_.size() + 63) / 64;
}

// What costs something that comes before it, and all that goes into that.
void LaneTables::find_circles() {
    circles_.resize(view_.node_words);
    std::vector<std::uint32_t> pending;
    auto const include = [&](std::uint32_t node) {
        if (!has_bit(circles_.data(), node)) {
            set_bit(circles_.data(), node);
            pending.push_back(node);
        }
    };
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        for (std::uint32_t const part : paid_for(i)) {
            if (part >= i) {
                include(part);
            }
        }
    }
    while (!pending.empty()) {
        std::uint32_t const node = pending.back();
        pending.pop_back();
        for (std::uint32_t const part : paid_for(node)) {
            include(part);
        }
    }
    view_.circles = circles_.data();
}

// The nodes whose costs are part of that of a node.
std::vector<std::uint32_t> LaneTables::paid_for(std::uint32_t node) const {
    std::vector<std::uint32_t> result;
    auto const add = [&](LaneRef ref) {
        if (!is_negated(ref)) {
            result.push_back(node_of(ref));
        }
    };
    LaneNode const& own = nodes_[node];
    std::for_each(inside_.begin() + own.first_inside, inside_.begin() + own.last_inside,
                  add);
    if (own.kind == ResidualNode::Kind::literal) {
        add(own.allowed);
    }
    return result;
}

} // namespace branchwise
