#include "branchwise/canonical/layout/residual_layout_builder.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <span>
#include <utility>

#include "branchwise/support/bits.hpp"

namespace branchwise {

namespace {

template <typename T>
void append(std::vector<T>& all, std::vector<T> const& some) {
    all.insert(all.end(), some.begin(), some.end());
}

template <typename T>
std::span<T const> next(std::vector<T> const& all, std::size_t& at, std::size_t count) {
    std::span<T const> const result(all.data() + at, count);
    at += count;
    return result;
}

NodeRef negated(NodeRef ref) {
    return {ref.node, !ref.is_negated};
}

} // namespace

ResidualLayoutBuilder::ResidualLayoutBuilder(ResidualLayout& layout, Look const& look)
    : layout_(layout), instance_(layout.instance_), look_(look),
      refs_(instance_.conditions.size()) {
    layout_.literals_.resize(instance_.actions.size());
}

void ResidualLayoutBuilder::build() {
    number_nodes();
    note_owners();
    note_parents();
    note_features();
    split_into_parts();
    rank_rewards();
    lay_out_keys();
    settle();
}

void ResidualLayoutBuilder::note_owners() {
    for (std::size_t i = 0; i < instance_.actions.size(); ++i) {
        auto const& action = instance_.actions[i];
        auto const subject = static_cast<std::uint32_t>(i);
        layout_.allowed_.push_back(ref(action.allowed));
        own(ref(action.allowed), NodeOwner::Kind::allowed, subject, 0);
        auto& clauses = layout_.clauses_.emplace_back();
        for (std::size_t k = 0; k + 1 < action.variants.size(); ++k) {
            clauses.push_back(ref(action.variants[k].when));
            own(clauses.back(), NodeOwner::Kind::clause, subject,
                static_cast<std::uint32_t>(k));
        }
    }
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        layout_.rewards_.push_back(ref(instance_.rewards[i].when));
        own(layout_.rewards_.back(), NodeOwner::Kind::reward,
            static_cast<std::uint32_t>(i), 0);
    }
    for (HiddenGroup const& group : instance_.groups) {
        auto& informers = layout_.informers_.emplace_back();
        for (ConditionId const informer : group.informers) {
            informers.push_back(ref(informer).node);
        }
    }
    for (ConditionId const payer : instance_.payers) {
        layout_.payers_.push_back(ref(payer).node);
    }
    if (instance_.must_finish()) {
        layout_.finish_ = ref(instance_.finish->when);
        own(layout_.finish_, NodeOwner::Kind::finish, 0, 0);
        for (ConditionId const move : instance_.finish->moves) {
            layout_.moves_.push_back(ref(move).node);
        }
    }
}

void ResidualLayoutBuilder::own(NodeRef ref, NodeOwner::Kind kind,
                                std::uint32_t subject, std::uint32_t clause) {
    drafts_[index_of(ref.node)].owners.push_back(
        {kind, ref.is_negated, subject, clause});
}

void ResidualLayoutBuilder::note_parents() {
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
        for (NodeRef const ref : drafts_[i].inside) {
            drafts_[index_of(ref.node)].parents.push_back(
                {static_cast<NodeId>(i), ref.is_negated});
        }
    }
}

void ResidualLayoutBuilder::note_features() {
    for (std::uint32_t i = 0; i < instance_.actions.size(); ++i) {
        InstanceAction const& action = instance_.actions[i];
        if (action.attempts > 1) {
            layout_.repeatable_.push_back(i);
        }
        if (action.variants.size() > 1) {
            layout_.conditioned_.push_back(i);
        }
    }
}

// For `max` only the order of rewards matters to a state: which level is held for good.
void ResidualLayoutBuilder::rank_rewards() {
    auto& levels = layout_.levels_;
    levels.push_back(0);
    if (!instance_.is_sum) {
        for (InstanceReward const& reward : instance_.rewards) {
            levels.push_back(std::max(reward.value, 0.0));
        }
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (InstanceReward const& reward : instance_.rewards) {
        auto const place =
            std::lower_bound(levels.begin(), levels.end(), std::max(reward.value, 0.0));
        layout_.level_of_.push_back(static_cast<std::uint32_t>(place - levels.begin()));
    }
}

// What can have one value only takes no bits: most problems have neither repeatable nor
// conditioned actions, and short keys are found faster.
void ResidualLayoutBuilder::lay_out_keys() {
    next_bit_ = drafts_.size();
    for (InstanceAction const& action : instance_.actions) {
        bool const is_repeatable = action.attempts > 1;
        layout_.attempts_fields_.push_back(
            field(is_repeatable ? static_cast<Word>(action.attempts) : 0));
        layout_.tail_fields_.push_back(field(action.variants.size() - 1));
    }
    for (std::int64_t const limit : instance_.budget) {
        layout_.left_fields_.push_back(field(static_cast<Word>(limit)));
    }
    layout_.held_field_ = field(layout_.levels_.size() - 1);
    for (InstanceReward const& reward : instance_.rewards) {
        layout_.secured_fields_.push_back(field(reward.group == no_group ? 0 : 1));
    }
    for (InstanceCounter const& counter : instance_.counters) {
        layout_.counter_fields_.push_back(field(static_cast<Word>(counter.size)));
    }
    layout_.finished_field_ = field(instance_.must_finish() ? 1 : 0);
    layout_.key_words_ = std::max<std::size_t>(1, (next_bit_ + 63) / 64);
}

// A field never crosses the border of a word.
KeyField ResidualLayoutBuilder::field(Word largest) {
    auto const width = static_cast<std::size_t>(std::bit_width(largest));
    if (width == 0) {
        return {};
    }
    if (next_bit_ % 64 + width > 64) {
        next_bit_ += 64 - next_bit_ % 64;
    }
    KeyField const result{static_cast<std::uint32_t>(next_bit_ / 64),
                          static_cast<std::uint32_t>(next_bit_ % 64),
                          width == 64 ? ~Word{0} : (Word{1} << width) - 1};
    next_bit_ += width;
    return result;
}

// Put the lists of all nodes in a row each, where they are found fast.
void ResidualLayoutBuilder::settle() {
    for (NodeDraft const& draft : drafts_) {
        append(layout_.insides_, draft.inside);
        append(layout_.part_ends_, draft.part_ends);
        append(layout_.parents_, draft.parents);
        append(layout_.owners_, draft.owners);
    }
    std::size_t inside = 0;
    std::size_t part = 0;
    std::size_t parent = 0;
    std::size_t owner = 0;
    for (NodeDraft const& draft : drafts_) {
        ResidualNode node = draft.node;
        if (node.kind == ResidualNode::Kind::literal) {
            node.allowed = layout_.allowed_[node.action];
        }
        node.inside = next(layout_.insides_, inside, draft.inside.size());
        node.part_ends = next(layout_.part_ends_, part, draft.part_ends.size());
        node.parents = next(layout_.parents_, parent, draft.parents.size());
        node.owners = next(layout_.owners_, owner, draft.owners.size());
        layout_.nodes_.push_back(node);
    }
}

// Nodes are numbered depth first, what they are made of before them: a gate after
// what is inside, a literal after what its action needs.
void ResidualLayoutBuilder::number_nodes() {
    progress_.resize(instance_.conditions.size());
    std::vector<ConditionId> roots;
    for (InstanceAction const& action : instance_.actions) {
        roots.push_back(action.allowed);
        for (std::size_t i = 0; i + 1 < action.variants.size(); ++i) {
            roots.push_back(action.variants[i].when);
        }
    }
    for (InstanceReward const& reward : instance_.rewards) {
        roots.push_back(reward.when);
    }
    for (HiddenGroup const& group : instance_.groups) {
        roots.insert(roots.end(), group.informers.begin(), group.informers.end());
    }
    roots.insert(roots.end(), instance_.payers.begin(), instance_.payers.end());
    if (instance_.must_finish()) {
        roots.push_back(instance_.finish->when);
        roots.insert(roots.end(), instance_.finish->moves.begin(),
                     instance_.finish->moves.end());
    }
    for (ConditionId const root : roots) {
        visit(root);
    }
}

std::vector<ConditionId> ResidualLayoutBuilder::made_of(ConditionId id) const {
    Condition const& condition = instance_.conditions[id];
    auto const action = action_of(condition);
    return action ? std::vector{instance_.actions[*action].allowed} : condition.inside;
}

// With a stack of its own, as chains of requirements may be longer than the call stack
// is deep. What is met while it is still open needs itself: a circle.
void ResidualLayoutBuilder::visit(ConditionId root) {
    std::vector<ConditionId> pending{root};
    while (!pending.empty()) {
        look_();
        ConditionId const id = pending.back();
        Progress& progress = progress_[index_of(id)];
        if (progress == Progress::untouched) {
            progress = Progress::open;
            for (ConditionId const each : made_of(id)) {
                if (progress_[index_of(each)] == Progress::untouched) {
                    pending.push_back(each);
                } else if (progress_[index_of(each)] == Progress::open) {
                    layout_.is_cyclic_ = true;
                }
            }
        } else {
            pending.pop_back();
            add_node(id);
        }
    }
}

// In a circle a gate may come up before what is inside it, which goes first.
void ResidualLayoutBuilder::add_node(ConditionId id) {
    if (std::exchange(progress_[index_of(id)], Progress::done) == Progress::done) {
        return;
    }
    Condition const& condition = instance_.conditions[id];
    for (ConditionId const each : condition.inside) {
        add_node(each);
    }
    if (condition.kind == Condition::Kind::negation) {
        refs_[index_of(id)] = negated(ref(condition.inside[0]));
        layout_.has_negation_ = true;
        return;
    }
    auto const next = static_cast<NodeId>(drafts_.size());
    refs_[index_of(id)] = NodeRef{next, false};
    if (auto const action = action_of(condition)) {
        NodeDraft& draft = drafts_.emplace_back();
        draft.node.kind = ResidualNode::Kind::literal;
        draft.node.action = static_cast<std::uint32_t>(*action);
        if (condition.kind == Condition::Kind::happened) {
            draft.node.outcome = condition.subject;
        } else if (condition.kind == Condition::Kind::again) {
            draft.node.outcome = ResidualNode::again;
        }
        layout_.literals_[*action].push_back(next);
    } else if (condition.kind == Condition::Kind::at_least) {
        drafts_.push_back(comparison(condition));
        layout_.has_comparison_ = layout_.has_negation_ = true;
    } else {
        drafts_.push_back(gate(condition));
    }
}

// A node and its opposite settle a gate for good: `all` of them never holds, `any`
// always does, as an `any` or `all` of nothing.
NodeDraft ResidualLayoutBuilder::gate(Condition const& condition) const {
    using Kind = ResidualNode::Kind;
    bool const is_all = condition.kind == Condition::Kind::all;
    NodeDraft result;
    result.node.kind = is_all ? Kind::all : Kind::any;
    for (ConditionId const each : condition.inside) {
        NodeRef const one = ref(each);
        auto const known =
            std::find_if(result.inside.begin(), result.inside.end(),
                         [one](NodeRef other) { return other.node == one.node; });
        if (known == result.inside.end()) {
            result.inside.push_back(one);
        } else if (known->is_negated != one.is_negated) {
            result.node.kind = is_all ? Kind::any : Kind::all;
            result.inside.clear();
            break;
        }
    }
    return result;
}

NodeDraft ResidualLayoutBuilder::comparison(Condition const& condition) const {
    NodeDraft result;
    result.node.kind = ResidualNode::Kind::at_least;
    result.node.counter = condition.subject;
    result.node.threshold = condition.threshold;
    for (ConditionId const each : condition.inside) {
        result.inside.push_back(ref(each));
    }
    return result;
}

std::optional<std::size_t>
ResidualLayoutBuilder::action_of(Condition const& condition) const {
    if (condition.kind == Condition::Kind::attempted ||
        condition.kind == Condition::Kind::again) {
        return condition.subject;
    }
    if (condition.kind != Condition::Kind::happened) {
        return std::nullopt;
    }
    auto const& actions = instance_.actions;
    auto const after =
        std::upper_bound(actions.begin(), actions.end(), condition.subject,
                         [](std::uint32_t outcome, InstanceAction const& action) {
                             return outcome < index_of(action.first_outcome);
                         });
    return static_cast<std::size_t>(after - actions.begin()) - 1;
}

NodeRef ResidualLayoutBuilder::ref(ConditionId id) const {
    assert(progress_[index_of(id)] == Progress::done);
    return refs_[index_of(id)];
}

// What follows splits what is inside a node into parts that share no action. Costs of
// different parts add up; within a part, only the most expensive member counts, as the
// others may come with it. So the more parts there are, the tighter is the bound on
// costs.

// The actions that may have a part in making each node true.
std::vector<ResidualLayoutBuilder::ActionSet> ResidualLayoutBuilder::supports() const {
    std::size_t const num_words = (instance_.actions.size() + 63) / 64;
    std::vector<ActionSet> result(drafts_.size(), ActionSet(num_words));
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (std::size_t i = 0; i < result.size(); ++i) {
            look_();
            is_changed |= extend_support(i, result);
        }
        is_changed &= layout_.is_cyclic_;
    }
    return result;
}

bool ResidualLayoutBuilder::extend_support(std::size_t node,
                                           std::vector<ActionSet>& supports) const {
    NodeDraft const& draft = drafts_[node];
    bool is_changed = false;
    auto const include = [&](NodeRef ref) {
        if (ref.is_negated) {
            return; // Nothing need be done for it.
        }
        is_changed |= unite(supports[node], supports[index_of(ref.node)]);
    };
    if (draft.node.kind == ResidualNode::Kind::literal) {
        is_changed = !has_bit(supports[node].data(), draft.node.action);
        set_bit(supports[node].data(), draft.node.action);
        include(layout_.allowed_[draft.node.action]);
    }
    for (NodeRef const ref : draft.inside) {
        include(ref);
    }
    return is_changed;
}

void ResidualLayoutBuilder::split_into_parts() {
    auto const supports = this->supports();
    for (NodeDraft& draft : drafts_) {
        Parts all{ActionSet((instance_.actions.size() + 63) / 64)};
        for (NodeRef const ref : draft.inside) {
            join_part(all, ref, supports[index_of(ref.node)]);
        }
        draft.inside.clear();
        for (Part const& part : all.parts) {
            draft.inside.insert(draft.inside.end(), part.refs.begin(), part.refs.end());
            draft.part_ends.push_back(static_cast<std::uint32_t>(draft.inside.size()));
        }
    }
}

// A new member unites all parts that it shares an action with.
void ResidualLayoutBuilder::join_part(Parts& parts, NodeRef ref,
                                      ActionSet support) const {
    look_();
    std::vector<NodeRef> members{ref};
    bool const is_apart = !overlap(parts.actions, support);
    unite(parts.actions, support);
    for (std::size_t i = is_apart ? 0 : parts.parts.size(); i-- > 0;) {
        auto& [actions, refs] = parts.parts[i];
        if (overlap(actions, support)) {
            unite(support, actions);
            members.insert(members.end(), refs.begin(), refs.end());
            parts.parts.erase(parts.parts.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    parts.parts.push_back({std::move(support), std::move(members)});
}

} // namespace branchwise
