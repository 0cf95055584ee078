// How what is inside a node is split into parts that share no action.

#include <utility>

#include "branchwise/residual_layout_builder.hpp"

namespace branchwise {

// The actions that may have a part in making each node true.
std::vector<ResidualLayoutBuilder::ActionSet> ResidualLayoutBuilder::supports() const {
    std::vector<ActionSet> result(drafts_.size(), ActionSet(instance_.actions.size()));
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (std::size_t i = 0; i < result.size(); ++i) {
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
        ActionSet const& other = supports[index_of(ref.node)];
        for (std::size_t a = 0; a < other.size(); ++a) {
            if (other[a] && !supports[node][a]) {
                supports[node][a] = is_changed = true;
            }
        }
    };
    if (draft.node.kind == ResidualNode::Kind::literal) {
        is_changed = !supports[node][draft.node.action];
        supports[node][draft.node.action] = true;
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
        std::vector<Part> parts;
        for (NodeRef const ref : draft.inside) {
            join_part(parts, ref, supports[index_of(ref.node)]);
        }
        draft.inside.clear();
        for (Part const& part : parts) {
            draft.inside.insert(draft.inside.end(), part.refs.begin(), part.refs.end());
            draft.part_ends.push_back(static_cast<std::uint32_t>(draft.inside.size()));
        }
    }
}

void ResidualLayoutBuilder::join_part(std::vector<Part>& parts, NodeRef ref,
                                      ActionSet support) {
    std::vector<NodeRef> members{ref};
    for (std::size_t i = parts.size(); i-- > 0;) {
        auto& [actions, refs] = parts[i];
        bool overlaps = false;
        for (std::size_t a = 0; a < actions.size(); ++a) {
            overlaps |= actions[a] && support[a];
        }
        if (overlaps) {
            for (std::size_t a = 0; a < actions.size(); ++a) {
                support[a] = support[a] || actions[a];
            }
            members.insert(members.end(), refs.begin(), refs.end());
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    parts.push_back({std::move(support), std::move(members)});
}

} // namespace branchwise
