// How the nodes of a layout are numbered.

#include <algorithm>
#include <cassert>
#include <utility>

#include "branchwise/residual_layout_builder.hpp"

namespace branchwise {

namespace {

NodeRef negated(NodeRef ref) {
    return {ref.node, !ref.is_negated};
}

} // namespace

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
    for (ConditionId const root : roots) {
        visit(root);
    }
}

std::vector<ConditionId> ResidualLayoutBuilder::made_of(ConditionId id) const {
    Condition const& condition = instance_.conditions[id];
    auto const action = action_of(condition);
    return action ? std::vector{instance_.actions[*action].allowed} : condition.inside;
}

void ResidualLayoutBuilder::visit(ConditionId root) {
    std::vector<ConditionId> pending{root};
    while (!pending.empty()) {
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
        }
        layout_.literals_[*action].push_back(next);
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

std::optional<std::size_t>
ResidualLayoutBuilder::action_of(Condition const& condition) const {
    if (condition.kind == Condition::Kind::attempted) {
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

} // namespace branchwise
